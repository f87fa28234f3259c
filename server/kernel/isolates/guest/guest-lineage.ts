import type { Lineage } from "../../../capabilities/lineage/api.ts";
import type { AskNamed } from "./guest-work.ts";

/** `ctx.lineage`. */
export function createLineage(ask: AskNamed): Lineage {
  return {
    append: (entry) => ask("lineage.append", { entry }),
    head: () => ask("lineage.head", {}),
    read: ({ from, limit } = {}) => ask("lineage.read", {}, { from, limit }),
    export: (name) => ask("lineage.export", { name }),
  };
}
