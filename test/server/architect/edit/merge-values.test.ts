import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editJson } from "../../../../server/architect/edit/edit-json.ts";
import { mergeValues } from "../../../../server/architect/edit/merge-values.ts";
import { toEdits } from "../../../../server/architect/edit/to-edits.ts";
import { canonicalJson } from "../../../../server/json/canonical-json.ts";
import type { Json } from "../../../../server/store/store.ts";

const scalar = fc.constantFrom<Json>(0, 1, "a", "b", true, null);
const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.dictionary(fc.constantFrom("p", "q", "r"), tie("value")),
    fc.array(tie("value"), { maxLength: 4 }),
  ),
})).value;

describe("a merge of two changes of one value", () => {
  test("is what one side made of it where the other has left it", () => {
    fc.assert(
      fc.property(json, json, (was, now) => {
        expect(mergeValues(was, was, now)).toEqual({ value: now, contradictions: [] });
        expect(mergeValues(was, now, was)).toEqual({ value: now, contradictions: [] });
        expect(mergeValues(was, now, now)).toEqual({ value: now, contradictions: [] });
      }),
    );
  });

  test("finds the same contradictions whichever side is named first", () => {
    fc.assert(
      fc.property(json, json, json, (was, one, other) => {
        const paths = (found: ReturnType<typeof mergeValues>) => found.contradictions.map(({ path }) => path.join("/"));
        expect(paths(mergeValues(was, one, other)).toSorted()).toEqual(paths(mergeValues(was, other, one)).toSorted());
      }),
    );
  });

  test.each<[string, Json, Json, Json, Json]>([
    ["neighbouring keys", { a: 0, b: 0, c: 0 }, { a: 1, b: 0, c: 0 }, { a: 0, b: 1, c: 0 }, { a: 1, b: 1, c: 0 }],
    ["keys that each adds", { a: 0 }, { a: 0, b: 1 }, { a: 0, c: { d: 2 } }, { a: 0, b: 1, c: { d: 2 } }],
    ["members of a key that both add", {}, { a: { b: 1 } }, { a: { c: 2 } }, { a: { b: 1, c: 2 } }],
    ["a key that one removes, beside one that the other changes", { a: 0, b: 0 }, { b: 0 }, { a: 0, b: 1 }, { b: 1 }],
    ["items that both add at the end", ["a"], ["a", "b"], ["a", "c"], ["a", "b", "c"]],
    ["an item that both add", ["a"], ["a", "b"], ["a", "b"], ["a", "b"]],
    ["an item that one adds, and one that the other removes", ["a", "b"], ["a", "b", "c"], ["b"], ["b", "c"]],
    ["items removed by both", ["a", "b", "c"], ["b", "c"], ["a", "b"], ["b"]],
    [
      "keys of one item",
      [{ n: 0, m: 0 }, { k: 1 }],
      [{ n: 1, m: 0 }, { k: 1 }],
      [{ n: 0, m: 1 }, { k: 1 }],
      [{ n: 1, m: 1 }, { k: 1 }],
    ],
  ])("keeps %s", (_what, was, ours, theirs, value) => {
    expect(mergeValues(was, ours, theirs)).toEqual({ value, contradictions: [] });
  });

  test.each<[string, Json, Json, Json, object]>([
    ["two values for one key", { a: 0 }, { a: 1 }, { a: 2 }, { path: ["a"], was: 0, ours: 1, theirs: 2 }],
    ["a removal and a change", { a: 0 }, {}, { a: 2 }, { path: ["a"], was: 0, theirs: 2 }],
    ["two values for a new key", {}, { a: 1 }, { a: 2 }, { path: ["a"], ours: 1, theirs: 2 }],
    ["an item that both replace", ["a"], ["b"], ["c"], { path: [], was: ["a"], ours: ["b"], theirs: ["c"] }],
    ["a value and a mapping", { a: 0 }, { a: { b: 1 } }, { a: 2 }, { path: ["a"], was: 0, ours: { b: 1 }, theirs: 2 }],
    [
      "an item that one removes and the other changes",
      { a: [{ n: 0 }, 1] },
      { a: [1] },
      { a: [{ n: 2 }, 1] },
      { path: ["a"], was: [{ n: 0 }], ours: [], theirs: [{ n: 2 }] },
    ],
  ])("reports %s", (_what, was, ours, theirs, contradiction) => {
    expect(mergeValues(was, ours, theirs).contradictions).toEqual([contradiction]);
  });
});

test("edits between two values make the one the other", () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      const made = toEdits(before, after).reduce<Json | undefined>(
        (value, edit) => (value === undefined ? undefined : editJson(value, edit)),
        before,
      );
      expect(canonicalJson(made)).toBe(canonicalJson(after));
    }),
  );
});
