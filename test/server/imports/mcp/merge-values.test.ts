import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeValues } from "../../../../server/imports/mcp/merge-values.ts";

function merge(base: unknown, ours: unknown, theirs: unknown) {
  const conflicts: string[] = [];
  const merged = mergeValues(base, ours, theirs, (path, isOurs) => {
    conflicts.push(`${path.join(".")}: ${isOurs ? "ours" : "theirs"}`);
  });
  return { merged, conflicts };
}

const schema = (properties: object, ...required: string[]) => ({ input: { properties, required } });
const PATH = { type: "string", description: "A path." };

describe("values that people and a server changed", () => {
  test.each([
    ["a text of people stays", { title: "A" }, { title: "Mine" }, { title: "A" }, { title: "Mine" }, []],
    ["a text of the server is taken over", { title: "A" }, { title: "A" }, { title: "B" }, { title: "B" }, []],
    ["a key of people stays", {}, { examples: [1] }, { sideEffect: true }, { examples: [1], sideEffect: true }, []],
    ["a key that people removed stays away", { title: "A", x: 1 }, { x: 1 }, { title: "A", x: 2 }, { x: 2 }, []],
    [
      "of texts that both changed, people's stay",
      { description: "A", examples: [1] },
      { description: "Mine", examples: [2] },
      { description: "B", examples: [3] },
      { description: "Mine", examples: [2] },
      ["description: ours", "examples: ours"],
    ],
    [
      "of anything else that both changed, the server's counts",
      schema({ path: PATH }, "path"),
      schema({ path: PATH }),
      schema({ path: PATH }, "path", "encoding"),
      schema({ path: PATH }, "path", "encoding"),
      ["input.required: theirs"],
    ],
    [
      "a property that the server has no more goes away, although people described it",
      schema({ path: PATH, tail: PATH }),
      schema({ path: PATH, tail: { ...PATH, description: "Mine." } }),
      schema({ path: PATH }),
      schema({ path: PATH }),
      ["input.properties.tail: theirs"],
    ],
    [
      "a property that is named as a text is no text",
      schema({ title: PATH }),
      schema({ title: { ...PATH, maxLength: 9 } }),
      schema({}),
      schema({}),
      ["input.properties.title: theirs"],
    ],
    [
      "edits of both in one schema are both in it",
      schema({ path: PATH }),
      schema({ path: { ...PATH, description: "Mine." } }),
      schema({ path: { ...PATH, maxLength: 9 } }),
      schema({ path: { type: "string", description: "Mine.", maxLength: 9 } }),
      [],
    ],
  ])("%s", (_title, base, ours, theirs, merged, conflicts) => {
    expect(merge(base, ours, theirs)).toEqual({ merged, conflicts });
  });

  test("are the server's where people changed nothing, and people's where the server did not", () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(value, value, (base, changed) => {
        expect(merge(base, base, changed)).toEqual({ merged: changed, conflicts: [] });
        expect(merge(base, changed, base)).toEqual({ merged: changed, conflicts: [] });
        expect(merge(base, changed, changed)).toEqual({ merged: changed, conflicts: [] });
      }),
    );
  });
});
