import { CairnError } from "../errors.ts";
import { isUuid } from "../identifiers.ts";
import { holdsAll, type Principal } from "../principal.ts";
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

/** Answers with plain JSON, or with a text as it is to be shown, or rejects with NOT_FOUND or BAD_REQUEST. */
export type Provider = (request: ResourceRequest) => Promise<unknown>;

export function findProvider(providers: Readonly<Record<string, Provider>>, name: string): Provider {
  const provide = providers[name];
  if (provide === undefined) throw new Error(`no provider ${name}`);
  return provide;
}

export function toText(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content, undefined, 2);
}

/** Checks that the reader may use a tool of the version, which its answers and records require. */
export function mayUse({ version, principal }: Pick<ResourceRequest, "version" | "principal">, tool: string): boolean {
  const found = version.tools.get(tool);
  return found !== undefined && holdsAll(principal, found.requiredCapabilities);
}

/** Records that one page looks at; where most are not for the reader, it ends early and names the next one. */
export const SCAN_LIMIT = 5_000;
const DEFAULT_LIMIT = 20;
const LIMIT = 200;

/** Reads the id behind which a page starts: the last one of the page before. */
export function readBefore({ variables }: ResourceRequest): string | undefined {
  const { before } = variables;
  if (before === undefined || isUuid(before)) return before;
  throw new CairnError("BAD_REQUEST", "`before` must be the id that the page before ended with.");
}

/** The address of the page behind the record `last`, when there may be more. */
export function toNext(uri: string, limit: number, last: string | undefined): { readonly next?: string } {
  if (last === undefined) return {};
  return { next: `${uri.split("?")[0]}?limit=${limit}&before=${last}` };
}

export function readLimit({ variables, uri }: ResourceRequest, usual = DEFAULT_LIMIT, most = LIMIT): number {
  const text = variables["limit"];
  if (text === undefined) return usual;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= most) return limit;
  throw new CairnError("BAD_REQUEST", `\`limit\` in \`${uri}\` must be a whole number from 1 to ${most}.`);
}
