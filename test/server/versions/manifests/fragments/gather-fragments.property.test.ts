import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatChanges } from "../../../../../server/semver/changelog.ts";
import { gatherFragments } from "../../../../../server/versions/manifests/fragments/gather-fragments.ts";
import {
  type Fragment,
  type FragmentBreak,
  FRAGMENT_KINDS,
  readFragment,
  toSentence,
} from "../../../../../server/versions/manifests/fragments/read-fragment.ts";
import { toFragmentFile, writeFragment } from "../../../../../server/versions/manifests/fragments/write-fragment.ts";

const kind = fc.constantFrom(...FRAGMENT_KINDS);
const marks = fc.constantFrom("- ", "* ", "---", "# ", "kind: major", ": ", "");
const sentence = fc
  .tuple(marks, fc.string({ unit: "grapheme", maxLength: 60 }))
  .map(([mark, text]) => toSentence(mark + text))
  .filter((text) => text !== "");
const accepted = fc.record(
  {
    finding: fc.constantFrom("tool-removed", "input-narrowed"),
    of: fc.constantFrom("tool a.b", "tool a.c"),
    from: fc.constantFrom("1.0.0", "1.1.0"),
    reason: sentence,
    by: fc.constantFrom("Ada", "Tom"),
  },
  { requiredKeys: ["finding", "of", "reason", "by"] },
);
const code = fc
  .array(fc.constantFrom("a: 1", "  - b", "", "kind: major", "---", "# c"), { minLength: 1, maxLength: 4 })
  .map((lines) => ["```yaml", ...lines, "```"].join("\n"));
const change = fc.oneof(
  sentence,
  fc.tuple(sentence, code).map((parts) => parts.join("\n")),
);
const content = fc.record({ kind, changes: fc.array(change, { minLength: 1, maxLength: 5 }) });
const fragments = fc
  .uniqueArray(
    fc.record({ name: fc.stringMatching(/^[a-z]{1,8}$/), content, accepts: fc.array(accepted, { maxLength: 3 }) }),
    {
      selector: ({ name }) => name,
      maxLength: 8,
    },
  )
  .map((list) =>
    list.map(({ name, content: said, accepts }): Fragment => ({
      ...said,
      ...(accepts.length > 0 && { accepts }),
      file: `changes/${name}.md`,
      at: { line: 2, column: 7 },
    })),
  );

describe("change fragments", () => {
  test("read as what was written", () => {
    fc.assert(
      fc.property(content, (said) => {
        const read = readFragment("changes/x.md", writeFragment(said));
        expect(read).toEqual({ ok: true, fragment: { file: "changes/x.md", ...said, at: { line: 2, column: 7 } } });
      }),
    );
  });

  test("keep the lines of fenced code in a change, and flatten what is no code", () => {
    const text = "Takes a\nfile:\n\n  ```yaml\n  a:\n    - b\n\n    - c\n  ```\n\n- Another\n  one, with ``` in it.\n";
    const changes = ["Takes a file:\n```yaml\na:\n  - b\n\n  - c\n```", "Another one, with ``` in it."];
    expect(readFragment("changes/x.md", `---\nkind: minor\n---\n\n${text}`)).toMatchObject({ fragment: { changes } });
    expect(formatChanges(changes, 3)).toEqual([
      "- Takes a file:\n  ```yaml\n  a:\n    - b\n\n    - c\n  ```",
      "- Another one, with ``` in it.",
    ]);
  });

  test("come to the same release in any order", () => {
    const shuffled = fragments.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        expect(gatherFragments(other)).toEqual(gatherFragments(list));
      }),
    );
  });

  test("come to the largest kind, with every sentence once", () => {
    fc.assert(
      fc.property(fragments, (list) => {
        const { kind: largest, changes } = gatherFragments(list);
        const weights = list.map((one) => FRAGMENT_KINDS.indexOf(one.kind));
        expect(largest === undefined ? -1 : FRAGMENT_KINDS.indexOf(largest)).toBe(Math.max(-1, ...weights));
        const said = list.flatMap((one) => one.changes);
        expect(changes.toSorted()).toEqual([...new Set(said)].toSorted());
      }),
    );
  });

  test("accept every break that one of them accepts, each once, as the fragment says of which it is told", () => {
    const keyOf = ({ finding, of, from }: FragmentBreak) => JSON.stringify([finding, of, from]);
    fc.assert(
      fc.property(fragments, (list) => {
        const { accepts } = gatherFragments(list);
        const said = list.flatMap((one) => one.accepts ?? []);
        const keys = accepts.map(({ entry }) => keyOf(entry));
        expect(keys.toSorted()).toEqual([...new Set(said.map(keyOf))].toSorted());
        for (const { entry, fragment } of accepts) expect(fragment.accepts).toContain(entry);
      }),
    );
  });

  test("have names that files can have, and that differ where the content does", () => {
    fc.assert(
      fc.property(content, content, (one, other) => {
        const file = toFragmentFile(one, () => true);
        expect(file).toMatch(/^changes\/[a-z0-9]+(?:-[a-z0-9]+)*\.md$/);
        expect(toFragmentFile(one, () => true) === toFragmentFile(other, () => true)).toBe(
          writeFragment(one) === writeFragment(other),
        );
      }),
    );
  });
});
