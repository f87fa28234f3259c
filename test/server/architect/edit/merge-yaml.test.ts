import { globSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { mergeYaml } from "../../../../server/architect/edit/merge-yaml.ts";

const FILE = `# About both.
parameters:
  one:
    # The first.
    default: 0.4 # For now.
    max: 1
  two: { default: 1, max: 2 }
list: [a, b]
`;

function merge(ours: string, theirs: string, before = FILE) {
  return mergeYaml({ before, ours, theirs }, undefined);
}

describe("two changes of one YAML file", () => {
  test("are merged by key, with every comment of the file", () => {
    const ours = FILE.replace("0.4", "0.5").replace("max: 2", "max: 3");
    const theirs = FILE.replace("max: 1", "max: 9").replace("[a, b]", "[a, b, c]");
    expect(merge(ours, theirs)).toEqual({
      kind: "merged",
      text: FILE.replace("0.4", "0.5").replace("max: 2", "max: 3").replace("max: 1", "max: 9").replace("b]", "b, c]"),
    });
  });

  test("are contradictions where they give one key two values", () => {
    expect(merge(FILE.replace("0.4", "0.5"), FILE.replace("0.4", "0.6"))).toEqual({
      kind: "contradiction",
      contradictions: [{ path: ["parameters", "one", "default"], was: 0.4, ours: 0.5, theirs: 0.6 }],
    });
  });

  test("keep comments that either of them brings or changes", () => {
    const ours = FILE.replace("    max: 1", "    # Ours.\n    max: 3");
    const theirs = FILE.replace("For now.", "For good.")
      .replace("    # The first.\n", "    # The very first.\n    # Of two.\n")
      .replace("list:", "# Theirs.\nthree: 3 # New.\nlist:");
    const text = toText(merge(ours, theirs));
    expect(parse(text)).toEqual({
      ...parse(FILE),
      three: 3,
      parameters: { ...parse(FILE).parameters, one: { default: 0.4, max: 3 } },
    });
    expect(text.split("\n").filter((line) => line.includes("#"))).toEqual([
      "# About both.",
      "    # The very first.",
      "    # Of two.",
      "    default: 0.4 # For good.",
      "    # Ours.",
      "# Theirs.",
      "three: 3 # New.",
    ]);
  });

  test("of a history add both entries, whoever was first", () => {
    const history = (entries: string) => `current: 1.0.0\nversions:\n${entries}  1.0.0:\n    changes: [First.]\n`;
    const ours = history("  1.0.1:\n    changes: [Ours.]\n");
    const text = toText(merge(ours, history("  1.1.0:\n    changes: [Theirs.]\n"), history("")));
    expect(parse(text).versions).toEqual({
      "1.0.1": { changes: ["Ours."] },
      "1.1.0": { changes: ["Theirs."] },
      "1.0.0": { changes: ["First."] },
    });
  });

  test("are not guessed at where one place stands for another, or nothing can be read", () => {
    const aliased = "a: &x 1\nb: *x\nc: 2\n";
    expect(merge(aliased.replace("2", "3"), aliased.replace("1", "4"), aliased)).toEqual({ kind: "unknown" });
    expect(merge("a: [", "b: 1\n", "c: 1\n")).toEqual({ kind: "unknown" });
  });

  test("are taken as lines have it where that says the same", () => {
    const theirs = FILE.replace("max: 1", "max: 9");
    const lines = `${theirs}# By line.\n`;
    expect(mergeYaml({ before: FILE, ours: FILE, theirs }, lines)).toEqual({ kind: "merged", text: lines });
    expect(mergeYaml({ before: FILE, ours: FILE, theirs }, `${lines}more: 1\n`)).toEqual({
      kind: "merged",
      text: theirs,
    });
  });

  test("of any manifest here are what each of them says, at every pair of places", () => {
    const manifests = globSync("manifests/**/*.yaml").map((path) => readFileSync(path, "utf8"));
    const change = (text: string, at: number, to: string) => {
      const lines = text.split("\n");
      const plain = lines.flatMap((line, index) =>
        /^\s*(?:title|version|default|time): [\w.]+$/.test(line) ? [index] : [],
      );
      const index = plain[at % Math.max(1, plain.length)];
      return index === undefined
        ? { text, index }
        : { text: lines.with(index, `${lines[index]?.replace(/: .*/, "")}: ${to}`).join("\n"), index };
    };
    fc.assert(
      fc.property(fc.constantFrom(...manifests), fc.nat(20), fc.nat(20), (before, one, other) => {
        const [ours, theirs] = [change(before, one, "x1"), change(before, other, "x2")];
        const merged = merge(ours.text, theirs.text, before);
        if (ours.index === theirs.index) {
          expect(merged.kind).toBe(ours.index === undefined ? "merged" : "contradiction");
          return;
        }
        const wanted = ours.text.split("\n").with(theirs.index ?? 0, theirs.text.split("\n")[theirs.index ?? 0] ?? "");
        expect(toText(merged)).toBe(wanted.join("\n"));
      }),
    );
  });
});

function toText(merged: ReturnType<typeof mergeYaml>): string {
  if (merged.kind !== "merged") throw new Error(JSON.stringify(merged));
  return merged.text;
}
