import { SERVER_INFO_KEY } from "../capabilities/mcp/client/revisions.ts";
import type { Server, Version } from "../versions/version.ts";
import { isSerialised } from "./json-rpc.ts";

/** Name and version by which a server of a version identifies itself. */
export interface Identity {
  readonly serverInfo: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions?: string;
  /** Of all that a client can see of the version: lists that it kept still hold while this is the same. */
  readonly fingerprint: () => string;
  /** `"key":{...}`, to be put between braces. */
  readonly metaMember: string;
}

export function toIdentity({ agent, semver, fingerprint, preview }: Version, server: Server): Identity {
  const title = server.title ?? agent.title ?? agent.name;
  const serverInfo = {
    name: `${agent.name}/${server.name}`,
    title: preview === undefined ? title : `${title} (preview of pull request ${preview})`,
    version: preview === undefined ? semver : `${semver}+pull-request-${preview}`,
  };
  const instructions = toInstructions(server.instructions, preview);
  const own = instructions === undefined ? {} : { instructions };
  return {
    serverInfo,
    ...own,
    fingerprint,
    metaMember: `${JSON.stringify(SERVER_INFO_KEY)}:${JSON.stringify(serverInfo)}`,
  };
}

function toInstructions(instructions: string | undefined, preview: number | undefined): string | undefined {
  if (preview === undefined) return instructions;
  const warning = `This is a preview of pull request ${preview}, which nobody has approved. It keeps nothing, and may end at any moment.`;
  return instructions === undefined ? warning : `${warning}\n\n${instructions}`;
}

/** Milliseconds that what never changes may be kept: long, and still short of what a 32-bit timer can count. */
const FOREVER_MS = 7 * 24 * 60 * 60 * 1000;

export interface CacheHints {
  readonly ttlMs: number;
  readonly cacheScope: "public" | "private";
}

/** Public only where the answer cannot depend on who asks: shared caches may hand it to anybody. */
export function toCacheHints(immutable: boolean, isPublic: boolean): CacheHints {
  return { ttlMs: immutable ? FOREVER_MS : 0, cacheScope: isPublic ? "public" : "private" };
}

/** Adds the members of every modern result: that it is complete, and the server that made it. */
export function toModernResult(result: unknown, { serverInfo }: Identity): unknown {
  if (isSerialised(result)) return result;
  const { _meta = {}, ...body } = result as { _meta?: object };
  return { resultType: "complete", ...body, _meta: { ..._meta, [SERVER_INFO_KEY]: serverInfo } };
}
