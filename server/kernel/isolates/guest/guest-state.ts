import type { Context, StateKey } from "../../../host-api.ts";
import { deepFreeze, toArguments } from "./guest-json.ts";
import type { CallOutlet } from "./guest-outlet.ts";

/** Keys beyond these are asked about, so that the main process can say what is wrong with them. */
const MAX_PARTS = 16;
const MAX_LENGTH = 400;

/** `ctx.state` whose writes wait for no answer: they leave the isolate with the result, or with the next request. */
export function createStagedState(
  { get, scan }: Context["state"],
  { ask, stage }: Pick<CallOutlet, "ask" | "stage">,
): Context["state"] {
  const write = async (name: string, key: StateKey, args: string): Promise<void> => {
    if (!isPlain(key) || !stage(name, args)) await ask(name, args);
  };
  return deepFreeze({
    get,
    scan,
    set: async (key: StateKey, value: unknown) => write("state.set", key, toArguments("state.set", { key, value })),
    delete: async (key: StateKey) => write("state.delete", key, toArguments("state.delete", { key })),
  });
}

/** Checks that a key is one that any state takes. */
function isPlain(key: StateKey): boolean {
  if (!Array.isArray(key) || key.length === 0 || key.length > MAX_PARTS) return false;
  for (let at = 0; at < key.length; at += 1) {
    const part: unknown = key[at];
    const isFit = typeof part === "string" ? part.length <= MAX_LENGTH : Number.isFinite(part);
    if (!isFit) return false;
  }
  return true;
}
