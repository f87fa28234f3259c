import { CairnError } from "../../../errors.ts";
import { toCommitPlan } from "../../../store/commit-plan.ts";
import { encodeKey, MAX_KEY_BYTES } from "../../../store/key-codec.ts";
import type { LineageEntry } from "../../lineage/api.ts";
import type { Json } from "../../../store/store.ts";
import { type StatePlace, toLogName, toStoreKey } from "./place.ts";
import type { DataEntry } from "./source.ts";

/** Checks that find nothing, or say why the store would not take an item in the place. */
export interface Fit {
  /** Each key once: `line` is named when the key comes again. */
  findMisfit(entry: DataEntry, line: number): string | undefined;
  findLineageMisfit(entry: Pick<LineageEntry<Json>, "at" | "entry">): string | undefined;
}

/** Checks the items of one reading with the rules of the store itself. */
export function createFit(place: StatePlace): Fit {
  const lines = new Map<string, number>();
  const room = MAX_KEY_BYTES - encodeKey(toStoreKey(place)).length;
  return {
    findMisfit: ({ key, value }, line) =>
      findRefusal(() => {
        const bytes = encodeKey(key);
        if (bytes.length > room) return `its key takes ${bytes.length} bytes, more than the ${room} it may have here`;
        toCommitPlan({ set: [{ key: toStoreKey(place, key), value }] });
        const text = bytes.toString("latin1");
        const before = lines.get(text);
        if (before !== undefined) return `its key is that of line ${before}`;
        lines.set(text, line);
        return undefined;
      }),
    findLineageMisfit: ({ at, entry }) =>
      findRefusal(() => {
        toCommitPlan({ append: [{ log: toLogName(place), entry: { at, entry, schemaVersion: 1 } }] });
        return undefined;
      }),
  };
}

function findRefusal(find: () => string | undefined): string | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof CairnError && error.name === "BAD_REQUEST") return error.message.replace(/\.$/, "");
    throw error;
  }
}
