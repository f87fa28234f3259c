import { parse } from "yaml";
import { CairnError } from "../server/errors.ts";
import { editJson, type Edit, findIn, type Path } from "../server/architect/edit/edit-json.ts";
import type { Bench } from "../server/architect/planners/directives/bench.ts";
import type { Adjustment } from "../server/architect/planners/plan.ts";
import type { Ground } from "../server/architect/planners/planner.ts";
import type { Json } from "../server/store/store.ts";
import type { Documents } from "./judge-feedback.ts";

/** The effects of deeds on the documents of an agent; null: the file is gone. */
export interface Sketch {
  readonly bench: Bench;
  readonly after: ReadonlyMap<string, unknown>;
  readonly adjustments: readonly Adjustment[];
}

/** Creates a bench that edits parsed documents, for trying many deeds: it writes no YAML and checks no manifest. */
export function createSketch(ground: Ground, before: Documents): Sketch {
  const after = new Map<string, unknown>();
  const adjustments: Adjustment[] = [];
  const document = (path: string) => (after.has(path) ? after.get(path) : before.get(path)) as Json;
  const edit = (path: string, change: Edit) => {
    const edited = editJson(document(path) ?? {}, change);
    if (edited === undefined) throw new CairnError("BAD_REQUEST", `The file has no such place.`);
    after.set(path, edited);
  };
  const listAt = (path: string, at: Path): readonly Json[] => {
    const list = findIn(document(path), at);
    return Array.isArray(list) ? list : [];
  };
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const claims = new Set<string>();
  const bench: Bench = {
    ground,
    read: async (path) => ground.readText(path),
    find: async (path, at) => findIn(document(path), at),
    write: async (path, text) => void after.set(path, text !== null && /\.ya?ml$/.test(path) ? parse(text) : text),
    set: async (path, at, value) => {
      if (isSame(findIn(document(path), at), value)) return false;
      edit(path, { kind: "set", path: at, value });
      return true;
    },
    remove: async (path, at) => {
      edit(path, { kind: "remove", path: at });
      return true;
    },
    addItem: async (path, at, value) => {
      const list = listAt(path, at);
      if (list.some((item) => isSame(item, value))) return false;
      edit(
        path,
        list.length === 0
          ? { kind: "set", path: at, value: [value] }
          : { kind: "insert", path: [...at, list.length], value },
      );
      return true;
    },
    removeItem: async (path, at, value) => {
      const place = listAt(path, at).findIndex((item) => isSame(item, value));
      if (place < 0) return false;
      edit(path, { kind: "remove", path: [...at, place] });
      return true;
    },
    adapt: async (path, change) => edit(path, change),
    claim: (what) => !claims.has(what) && claims.add(what) !== undefined,
    say: () => undefined,
    need: () => undefined,
    support: () => undefined,
    adjust: (adjustment) => void adjustments.push(adjustment),
    hasChanges: () => after.size > 0 || adjustments.length > 0,
    toPlan: () => {
      throw new Error("A sketch makes no plan.");
    },
  };
  return { bench, after, adjustments };
}
