import type { Json } from "../json/types.ts";
import { CairnError } from "../errors.ts";
import type { Call, Invoke, Result } from "../kernel/call.ts";
import { isObject } from "../json/is-object.ts";
import { holdsAll, type Principal } from "../principal.ts";
import type { Server, Tool, Version } from "../versions/version.ts";
import type { Exchange } from "./exchange.ts";

/** Form of a live tool's name; the protocol would accept others, and clients might not. */
const NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const PREFIX = "live:";

/** Tools of a server that come and go with what it keeps. */
export interface LiveTools {
  /**
   * Checks that live tools exist for this exchange: at addresses that may move, for callers who may use the tools that
   * list and call them.
   */
  isFor(exchange: Exchange): boolean;
  /** A page of them; `cursor` is the one that the page before gave. */
  list(cursor: string | undefined, exchange: Exchange): Promise<LivePage | (Result & { ok: false })>;
  /** The call that a call of a live tool becomes. */
  toCall(name: string, input: unknown): Pick<Call, "tool" | "input">;
  /** Checks that a call failed because there is no such tool. */
  isUnknown(name: string, result: Result): boolean;
}

interface LivePage {
  readonly definitions: readonly Json[];
  readonly nextCursor?: string;
}

export function isLiveCursor(cursor: unknown): cursor is string {
  return typeof cursor === "string" && Buffer.from(cursor, "base64url").toString().startsWith(PREFIX);
}

/** Nothing where the server has no live tools. */
export function createLiveTools(version: Version, server: Server, invoke: Invoke): LiveTools | undefined {
  const { liveTools } = server;
  if (liveTools === undefined) return undefined;
  const frozen = new Set(server.tools.map(({ name }) => name));
  const find = (name: string): Tool => {
    const tool = server.tools.find((one) => one.name === name);
    if (tool === undefined) throw new TypeError(`${server.name} has no ${name}, against its manifest.`);
    return tool;
  };
  const [lister, caller] = [find(liveTools.list), find(liveTools.call)];

  return {
    isFor: ({ watch, principal }) => watch !== undefined && mayUse(principal, lister) && mayUse(principal, caller),
    async list(cursor, { principal, origin, signal }) {
      const after = cursor === undefined ? undefined : Buffer.from(cursor, "base64url").toString().slice(PREFIX.length);
      const result = await invoke({
        version,
        tool: lister,
        input: after === undefined ? {} : { after },
        principal,
        ...(origin === undefined ? {} : { origin }),
        ...(signal === undefined ? {} : { signal }),
      });
      if (!result.ok) return result;
      const { tools, next } = isObject(result.output) ? result.output : {};
      const definitions = Array.isArray(tools) ? tools.filter((one) => isDefinition(one) && !frozen.has(one.name)) : [];
      if (typeof next !== "string") return { definitions };
      return { definitions, nextCursor: Buffer.from(PREFIX + next).toString("base64url") };
    },
    toCall: (name, input) => ({ tool: caller, input: { name, arguments: input } }),
    isUnknown(name, result) {
      if (result.ok || result.error.name !== "NOT_FOUND") return false;
      const { details } = result.error;
      const unknown = isObject(details) ? details["tool"] : undefined;
      return typeof unknown === "string" && (name === unknown || name.startsWith(`${unknown}.`));
    },
  };
}

/** The result of a live tool, out of that of the tool that calls them. */
export function toLiveResult(result: Result & { ok: true }): Json {
  if (isObject(result.output) && "result" in result.output) return result.output["result"] as Json;
  throw new CairnError("OUTPUT_INVALID", "The tool that calls live tools has answered no `result`.");
}

function mayUse(principal: Principal, { requiredCapabilities }: Tool): boolean {
  return holdsAll(principal, requiredCapabilities);
}

function isDefinition(one: Json): one is { readonly [key: string]: Json } & { readonly name: string } {
  if (!isObject(one)) return false;
  const { name, description, inputSchema } = one;
  const isNamed = typeof name === "string" && NAME.test(name) && typeof description === "string";
  return isNamed && isObject(inputSchema) && inputSchema["type"] === "object";
}
