import type { State } from "../../../host-api.ts";
import type { AskNamed } from "./guest-work.ts";

/** `ctx.state`. */
export function createState(ask: AskNamed): State {
  return {
    get: (key) => ask("state.get", { key }),
    scan: (prefix, { limit, after, reverse } = {}) => ask("state.scan", { prefix }, { limit, after, reverse }),
    set: (key, value) => ask("state.set", { key, value }),
    delete: (key) => ask("state.delete", { key }),
  };
}
