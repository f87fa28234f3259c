import { beforeAll, describe, expect, it } from "vitest";
import { createLoader } from "../../../../server/versions/load-version.ts";
import { createMemoryTree } from "../../../fixtures/trees/create-memory-tree.ts";
import { changeTree, edit } from "../../../fixtures/trees/good-tree.ts";
import { expectQuick } from "../../../helpers/expect-quick.ts";

const CHAT = "manifests/runner/chat.yaml";
const MESSAGE = "    message:\n      type: string";

const loader = createLoader();

// The first tree pays for compiling the schemas of manifests.
beforeAll(() => loader.load(createMemoryTree(changeTree({})), "0123456"));

function list(count: number, toItem: (index: number) => string, separator = ", "): string {
  return Array.from({ length: count }, (_, index) => toItem(index)).join(separator);
}

describe("a manifest that is well-formed YAML and hostile all the same", () => {
  it.each([
    [
      "thousands of keys without meaning",
      (text: string) => `${text}${list(9000, (index) => `descripton${index}: 1\n`, "")}`,
    ],
    ["thousands of examples without anything", (text: string) => `${text}examples: [${list(9000, () => "{}")}]\n`],
    [
      "thousands of examples with everything",
      (text: string) => `${text}examples: [${list(1000, () => "{ input: 1, output: 1, error: 1, matches: 1 }")}]\n`,
    ],
    [
      "thousands of schemas that are none",
      edit(MESSAGE, `    message: { properties: { ${list(4000, (index) => `a${index}: 5`)} } }`),
    ],
    [
      "a thousand references to nothing",
      edit(
        MESSAGE,
        `    message: { allOf: [${list(1300, (index) => `{ $ref: '#/$defs/x${index}' }`)}], $defs: { ${list(400, (index) => `y${index}: {}`)} } }`,
      ),
    ],
    [
      "hundreds of costly patterns",
      edit(
        MESSAGE,
        `    message: { anyOf: [${list(600, (index) => `{ pattern: '[\\p{L}\\p{N}]{0,${400 + index}}x' }`)}] }`,
      ),
    ],
    [
      "the largest schema that is allowed",
      edit(
        MESSAGE,
        `    message: { properties: { ${list(900, (index) => `a${index}: { type: string, enum: [a] }`)} } }`,
      ),
    ],
    [
      "alternatives inside alternatives",
      edit(MESSAGE, `    message: ${"{ anyOf: [{ type: string }, ".repeat(20)}{ type: number }${"] }".repeat(20)}`),
    ],
    [
      "pointers into a schema of circles",
      (text: string) =>
        `${text.replace(MESSAGE, "    message: { $ref: '#' }")}redact: [${list(90, (index) => `"${"/message".repeat(100)}/${index}"`)}]\n`,
    ],
  ])("is answered in time: %s", async (_name, change) => {
    const tree = createMemoryTree(changeTree({ [CHAT]: change }));
    const loaded = await expectQuick(2000, () => loader.load(tree, "0123456"));
    if (!loaded.ok) expect(loaded.problems.length).toBeLessThan(200);
  });

  it("has its modules' imports told of in time", async () => {
    const code = list(20_000, (index) => `import "./missing${index}.ts";`, "\n");
    const tree = createMemoryTree(changeTree({ "tools/_lib/units.ts": (text) => `${code}\n${text}` }));
    const loaded = await expectQuick(2000, () => loader.load(tree, "0123456"));
    expect(loaded.ok || loaded.problems.length).toBe(51);
  });
});
