import { CairnError } from "../../errors.ts";
import type { StateKey } from "../../host-api.ts";
import { stateKey } from "../../store/keys.ts";
import type { Json } from "../../store/store.ts";
import type { Tool, Version } from "../../versions/version.ts";
import { createArgumentCheck } from "../../kernel/arguments.ts";
import { findMisfit } from "./find-misfit.ts";
import type { RunningCall } from "../../kernel/call.ts";
import { defineSyscalls } from "../../kernel/dispatch.ts";

const SCAN_LIMIT = 1000;

const KEY = {
  type: "array",
  minItems: 1,
  maxItems: 16,
  items: { anyOf: [{ type: "string", maxLength: 400 }, { type: "number" }] },
};

const keyArguments = createArgumentCheck<{ key: StateKey }>("state", {
  type: "object",
  required: ["key"],
  properties: { key: KEY },
});

const setArguments = createArgumentCheck<{ key: StateKey; value: Json }>("state.set", {
  type: "object",
  required: ["key", "value"],
  properties: { key: KEY, value: {} },
});

interface ScanArguments {
  prefix: StateKey;
  limit?: number;
  after?: StateKey;
  reverse?: boolean;
}

const scanArguments = createArgumentCheck<ScanArguments>("state.scan", {
  type: "object",
  required: ["prefix"],
  properties: {
    prefix: { ...KEY, minItems: 0 },
    limit: { type: "integer", minimum: 1, maximum: SCAN_LIMIT },
    after: KEY,
    reverse: { type: "boolean" },
  },
});

/** `ctx.state`: keys of one tenant and MCP server, staged in the call's transaction. */
export const stateSyscalls = defineSyscalls({
  async "state.get"(call, args) {
    const { key } = keyArguments(args);
    const value = await call.effects.get(toStoreKey(call, key));
    if (value !== undefined) assertReadable(call, key, value);
    return value;
  },
  async "state.scan"(call, args) {
    const { prefix, limit = SCAN_LIMIT, after, reverse = false } = scanArguments(args);
    const root = toStoreKey(call, []).length;
    const found = await call.effects.scan(toStoreKey(call, prefix), {
      limit,
      reverse,
      ...(after === undefined ? {} : { after: toStoreKey(call, after) }),
    });
    return found.map(({ key, value }) => {
      assertReadable(call, key.slice(root), value);
      return { key: key.slice(root), value };
    });
  },
  "state.set"(call, args) {
    const { key, value } = setArguments(args);
    assertWritable(call, key, value);
    call.effects.set(toStoreKey(call, key), value);
    return undefined;
  },
  "state.delete"(call, args) {
    call.effects.delete(toStoreKey(call, keyArguments(args).key));
    return undefined;
  },
});

/**
 * Returns the scope of a tool's state: the name that its server gives it, shared by versions; else the commit, shared by
 * none.
 */
export function toScope(version: Version, tool: Pick<Tool, "server">): string {
  return version.servers.get(tool.server)?.state ?? version.commit;
}

function assertWritable(call: RunningCall, key: StateKey, value: Json): void {
  const wrong = findMisfit(call.version.servers.get(call.tool.server), key, value);
  if (wrong !== undefined) throw new CairnError("INVARIANT_VIOLATION", `${wrong} Nothing was written.`);
}

/** Another version, an import or an operator may have written what this version does not know. */
function assertReadable(call: RunningCall, key: StateKey, value: Json): void {
  const wrong = findMisfit(call.version.servers.get(call.tool.server), key, value);
  if (wrong !== undefined) throw new CairnError("INVARIANT_VIOLATION", `${wrong} It was written elsewhere.`);
}

function toStoreKey({ principal, version, tool }: RunningCall, key: StateKey) {
  return stateKey(principal.tenant, tool.server, toScope(version, tool), key);
}
