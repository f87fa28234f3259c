import { expect, test } from "vitest";
import { listChangedValues } from "../../../../../server/architect/pipeline/values/list-changed-values.ts";

const TOOL = "manifests/runner/greet.yaml";

/** Changed values as lines of place, key, before and after. */
async function list(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string | null>>) {
  const found = await listChangedValues(new Map(Object.entries(after)), async (path) => before[path]);
  return found.map(({ place, key, before: old, after: young }) => [place, key, old, young]);
}

const listIn = (before: string, after: string) =>
  list({ [TOOL]: `name: runner.greet\n${before}` }, { [TOOL]: `name: runner.greet\n${after}` });

test("names the tool, the keys that lead to a value, and the value before and after", async () => {
  expect(
    await listIn(
      "title: Hi\nlimits: { time: 1000, memory: 64 }\nold: true\n",
      "# A remark.\ntitle: Hello\nlimits: { memory: 64, time: 2000 }\nnew: 'off'\n",
    ),
  ).toEqual([
    ["runner.greet", "title", "Hi", "Hello"],
    ["runner.greet", "limits.time", 1000, 2000],
    ["runner.greet", "old", true, undefined],
    ["runner.greet", "new", undefined, "off"],
  ]);
});

test.each<[string, string, string, (readonly unknown[])[]]>([
  ["gains", "[a, b]", "[a, x, b]", [["enum[1]", undefined, "x"]]],
  ["loses", "[a, b, c]", "[a, c]", [["enum[1]", "b", undefined]]],
  ["has otherwise", "[a, b, c]", "[a, x, c]", [["enum[1]", "b", "x"]]],
  ["has with another member", "[{ n: 1, k: 2 }, z]", "[{ n: 1, k: 3 }, z]", [["enum[0].k", 2, 3]]],
  [
    "trades for another number of them",
    "[a, b, z]",
    "[x, z]",
    [
      ["enum[0]", "a", undefined],
      ["enum[1]", "b", undefined],
      ["enum[0]", undefined, "x"],
    ],
  ],
])("names the item that a list %s", async (_, before, after, expected) => {
  const found = await listIn(`enum: ${before}\n`, `enum: ${after}\n`);
  expect(found.map((row) => row.slice(1))).toEqual(expected);
});

test("names a key with other signs than names have as a text", async () => {
  const found = await listIn('egress: { "api.example.com": 1 }\n', 'egress: { "api.example.com": 2 }\n');
  expect(found).toEqual([["runner.greet", 'egress["api.example.com"]', 1, 2]]);
});

test("names other manifests by their path, new and removed ones as a whole, and of versions.yaml the labels alone", async () => {
  const policy = "manifests/policies/access.yaml";
  const [gone, added] = ["manifests/runner/gone.yaml", "manifests/runner/added.yaml"];
  const before = {
    [policy]: "roles: { user: [a] }\n",
    [gone]: "name: runner.gone\n",
    "versions.yaml": "current: 1.0.0\nlabels: { stable: 1.0.0 }\n",
  };
  const after = {
    [policy]: "roles: { user: [a, b] }\n",
    [gone]: null,
    [added]: "name: runner.added\ntitle: New\n",
    "versions.yaml": "current: 1.1.0\nlabels: { stable: 1.0.0, beta: 1.1.0 }\n",
    "docs/a.md": "a",
    "docs/b.yaml": "a: 1",
    "tools/runner/greet.ts": "1",
  };
  expect(await list(before, after)).toEqual([
    [policy, "roles.user[1]", undefined, "b"],
    ["runner.added", "", undefined, { name: "runner.added", title: "New" }],
    ["runner.gone", "", { name: "runner.gone" }, undefined],
    ["versions.yaml", "labels.beta", undefined, "1.1.0"],
  ]);
});

test("takes a manifest that was no YAML for a new one", async () => {
  expect(await list({ [TOOL]: "a: [" }, { [TOOL]: "name: runner.greet\n" })).toEqual([
    ["runner.greet", "", undefined, { name: "runner.greet" }],
  ]);
});
