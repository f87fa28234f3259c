import { CairnError } from "../errors.ts";
import { isUuid } from "../identifiers.ts";
import type { Principal } from "../principal.ts";
import type { Key } from "../store/store.ts";
import type { Server, Version } from "../versions/version.ts";

/** Someone reads a resource whose content is a view of the running service. */
export interface ResourceRequest {
  readonly version: Version;
  readonly server: Server;
  readonly principal: Principal;
  readonly uri: string;
  /** From the URI, by the names in its template. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Answers with plain JSON, or a text that is shown as it is, or rejects with NOT_FOUND or BAD_REQUEST. */
export type Provider = (request: ResourceRequest) => Promise<unknown>;

const DEFAULT_LIMIT = 20;
const LIMIT = 200;

/** The store key behind which a page starts: `before` names the last id of the page before. */
export function readBefore({ variables }: ResourceRequest, index: Key): { readonly after: Key } | undefined {
  const { before } = variables;
  if (before === undefined) return undefined;
  if (!isUuid(before)) throw new CairnError("BAD_REQUEST", "`before` must be the id that the page before ended with.");
  return { after: [...index, before] };
}

/** The address of the next page, when the page is full. */
export function toNext(uri: string, limit: number, ids: readonly string[]): { readonly next?: string } {
  const last = ids.at(-1);
  if (last === undefined || ids.length < limit) return {};
  return { next: `${uri.split("?")[0]}?limit=${limit}&before=${last}` };
}

export function readLimit({ variables, uri }: ResourceRequest): number {
  const text = variables["limit"];
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= LIMIT) return limit;
  throw new CairnError("BAD_REQUEST", `\`limit\` in \`${uri}\` must be a whole number from 1 to ${LIMIT}.`);
}

export function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
