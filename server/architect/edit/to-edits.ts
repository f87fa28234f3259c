import { canonicalJson } from "../../json/canonical-json.ts";
import { isObject } from "../../json/is-object.ts";
import type { Json } from "../../store/store.ts";
import { alignLists } from "./align-lists.ts";
import type { Edit, Path } from "./edit-json.ts";

/** The edits that make one value another, each of as small a part as can be, in an order in which they can be made. */
export function toEdits(before: Json, after: Json, path: Path = []): readonly Edit[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  if (isMapping(before) && isMapping(after) && Object.keys(after).length > 0) return editMapping(before, after, path);
  if (Array.isArray(before) && Array.isArray(after) && before.length > 0 && after.length > 0) {
    return editList(before, after, path);
  }
  return [{ kind: "set", path, value: after }];
}

type Mapping = { readonly [name: string]: Json };

function editMapping(before: Mapping, after: Mapping, path: Path): readonly Edit[] {
  const kept = Object.entries(after).flatMap(([name, value]): readonly Edit[] => {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    return old === undefined ? [{ kind: "set", path: [...path, name], value }] : toEdits(old, value, [...path, name]);
  });
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  // Last: a mapping is never empty in between.
  return [...kept, ...gone.map((name): Edit => ({ kind: "remove", path: [...path, name] }))];
}

/** From its end to its beginning, so that positions stay what they are. */
function editList(before: readonly Json[], after: readonly Json[], path: Path): readonly Edit[] {
  const pairs = [...alignLists(before, after), [before.length, after.length] as const];
  const stretches = pairs.map(([toOld, toNew], index) => {
    const [oldPair = -1, newPair = -1] = pairs[index - 1] ?? [];
    const [from, old, now] = [oldPair + 1, before.slice(oldPair + 1, toOld), after.slice(newPair + 1, toNew)];
    const shared = Math.min(old.length, now.length);
    const changed = old.slice(0, shared).flatMap((item, at) => toEdits(item, now[at] ?? null, [...path, from + at]));
    const added = now.slice(shared).map((value, at): Edit => {
      return { kind: "insert", path: [...path, from + shared + at], value };
    });
    const gone = old.slice(shared).map((): Edit => ({ kind: "remove", path: [...path, from + shared] }));
    return [...changed, ...added, ...gone];
  });
  return stretches.toReversed().flat();
}

function isMapping(value: Json): value is Mapping {
  return isObject(value);
}
