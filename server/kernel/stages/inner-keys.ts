import { hash } from "node:crypto";
import { canonicalJson } from "../../json/canonical-json.ts";
import type { Tool } from "../../versions/version.ts";
import type { Call } from "../call.ts";

/** Not part of the keys that callers send, so that none of them can be an inner one. */
const PREFIX = ",";

export type InnerKeys = (tool: Tool, input: unknown) => string | undefined;

const NO_KEYS: InnerKeys = () => undefined;

/**
 * Keys for the calls with side effects that one run of a handler makes on behalf of a call with a key: a run that begins
 * anew, even after a crash, makes the same calls under the same keys and so repeats none.
 */
export function createInnerKeys({ idempotencyKey, tool: caller }: Call): InnerKeys {
  if (idempotencyKey === undefined) return NO_KEYS;
  const counts = new Map<string, number>();
  return (tool, input) => {
    if (!tool.sideEffect) return undefined;
    const digest = hash("sha256", canonicalJson([idempotencyKey, caller.name, tool.name, input]));
    const count = (counts.get(digest) ?? 0) + 1;
    counts.set(digest, count);
    return `${PREFIX}${digest}.${count}`;
  };
}
