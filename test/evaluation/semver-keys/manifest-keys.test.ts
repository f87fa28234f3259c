import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { format } from "prettier";
import { isObject } from "../../../server/json/is-object.ts";
import { BUMP_RULES } from "../../../server/semver/bump-rules.ts";
import { compareVersions } from "../../../server/semver/compare-versions.ts";
import { largest } from "../../../server/semver/level.ts";
import { MANIFEST_KINDS } from "../../../server/versions/manifests/manifest-schemas.ts";
import { createMemoryTree, type Files } from "../../fixtures/trees/create-memory-tree.ts";
import { loader } from "../../helpers/loader.ts";
import { type ChangeKind, type KeyChange, readKeys } from "./read-keys.ts";

const PAGE = "docs/semver-keys.md";
const kinds = readKeys();

test("[D3] each kind of manifest that a version is made of is in the table", () => {
  const others = ["packages", "recording", "versions"];
  expect([...kinds.map(({ kind }) => kind), ...others].toSorted()).toEqual(MANIFEST_KINDS.toSorted());
});

describe.each(kinds)("[D3] the keys of a manifest: $kind", ({ schema, keys, changes }) => {
  const declared = listKeys(JSON.parse(readFileSync(schema, "utf8")) as Node);

  test("each key that the schema declares has its changes in the table", () => {
    const missing = [...declared].flatMap(([key, needed]) => {
      const has = keys.get(key);
      if (has === undefined) return needed.length === 0 ? [] : [key];
      return needed.filter((change) => !has.includes(change)).map((change) => `${key}: ${change}`);
    });
    expect(missing).toEqual([]);
    expect([...keys.keys()].filter((key) => !declared.has(key))).toEqual([]);
  });

  test.each(changes)("$key $change", async ({ trees, rules }) => {
    const [before, after] = await Promise.all(trees.map((files) => load(files as Files)));
    if (before === undefined || after === undefined) throw new TypeError("A change is of two trees.");
    const { findings, required } = compareVersions(before, after);
    expect([...new Set(findings.map(({ rule }) => rule))].toSorted()).toEqual(rules.toSorted());
    expect(required).toBe(largest(rules.map((rule) => BUMP_RULES[rule].level)));
  });
});

test(`${PAGE} has the table`, async () => {
  await expect(await toPage()).toMatchFileSnapshot(`../../../${PAGE}`);
});

async function load(files: Files) {
  const loaded = await loader.load(createMemoryTree(files), "0123456");
  if (!loaded.ok) throw new Error(loaded.problems.map(({ file, message }) => `${file}: ${message}`).join(" "));
  return loaded.version;
}

interface Node {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node | boolean;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly oneOf?: readonly Node[];
  readonly anyOf?: readonly Node[];
  readonly allOf?: readonly Node[];
}

/** Lists every key of a manifest with the kinds of changes that it can have: `resources[].uri`, `roles.*`. */
function listKeys(root: Node): ReadonlyMap<string, readonly ChangeKind[]> {
  const found = new Map<string, readonly ChangeKind[]>();
  visit(root, "", []);
  return found;

  function visit(given: Node, path: string, around: readonly Node[]): void {
    const node = resolve(given);
    if (around.includes(node)) return;
    const inside = [...around, node];
    const at = (name: string) => (path === "" ? name : `${path}.${name}`);
    for (const [name, inner] of Object.entries(node.properties ?? {})) {
      const isRequired = node.required?.includes(name) === true;
      add(at(name), listChanges(resolve(inner), isRequired));
      visit(inner, at(name), inside);
    }
    if (node.items !== undefined) visit(node.items, `${path}[]`, inside);
    if (typeof node.additionalProperties === "object" && path !== "") {
      const inner = resolve(node.additionalProperties);
      if (inner.properties === undefined) add(at("*"), listChanges(inner, true));
      visit(inner, at("*"), inside);
    }
    for (const part of [...(node.oneOf ?? []), ...(node.anyOf ?? []), ...(node.allOf ?? [])]) {
      visit({ ...resolve(part), required: [...(resolve(part).required ?? [])] }, path, around);
    }
  }

  function add(key: string, changes: readonly ChangeKind[]): void {
    found.set(key, [...new Set([...(found.get(key) ?? []), ...changes])]);
  }

  function resolve(node: Node): Node {
    // Another document's schema is that of tools, whose inputs and outputs are compared by rules of their own.
    if (node.$ref === undefined || !node.$ref.startsWith("#/")) return node;
    const target = node.$ref
      .slice(2)
      .split("/")
      .reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), root);
    return resolve(target as Node);
  }
}

/** Lists the kinds of changes of a value of this schema. An object is changed by its keys. */
function listChanges(node: Node, isRequired: boolean): readonly ChangeKind[] {
  const life: readonly ChangeKind[] = isRequired ? [] : ["added", "removed"];
  if (node.const !== undefined) return [];
  if (node.type === "boolean") return ["gained", "lost"];
  if (node.type === "integer" || node.type === "number") return [...life, "raised", "lowered"];
  if (node.type === "array") return [...life, "widened", "narrowed"];
  if (node.properties !== undefined || node.oneOf !== undefined) return [];
  if (node.type === "object" && typeof node.additionalProperties === "object") return [...life, "widened", "narrowed"];
  return node.type === "object" ? [...life] : [...life, "changed"];
}

async function toPage(): Promise<string> {
  const sections = kinds.map(({ kind, changes }) => {
    const rows = changes.map((change) => `| ${toCells(change).join(" | ")} |`);
    return [
      `## ${kind}`,
      "",
      "| key | change | bump | rule | because |",
      "| --- | --- | --- | --- | --- |",
      ...rows,
      "",
    ];
  });
  const text = [
    "# Every key, and its bump",
    "",
    "For people who change manifests: the bump that each change of each key asks for, and why. [semver.md](semver.md) explains",
    "how numbers are judged, and has the rules by name. Schemas of inputs and outputs have their own rules:",
    "[compatibility.md](compatibility.md). The tests make each of these changes to a small tree and judge it, and fail for a key",
    "without a row. `npx vitest run test/evaluation/semver-keys -u` writes this page.",
    "",
    "<!-- textlint-disable prh -->",
    "",
    ...sections.flat(),
    "<!-- textlint-enable prh -->",
    "",
  ];
  return format(text.join("\n"), { parser: "markdown", printWidth: 150 });
}

function toCells({ key, change, values, rules, why }: KeyChange): readonly string[] {
  const bump = largest(rules.map((rule) => BUMP_RULES[rule].level));
  const [first] = rules;
  const because = why ?? (first === undefined ? "Nothing differs for anybody." : BUMP_RULES[first].why);
  const names = rules.map((rule) => `\`${rule}\``).join(", ");
  return [`\`${key}\``, explainChange(change, values), bump, names, because];
}

function explainChange(change: ChangeKind, values: readonly unknown[]): string {
  const isShort = values.every((value) => value === undefined || (typeof value !== "object" && change !== "changed"));
  const shown = values.flatMap((value) => (value === undefined ? [] : [`\`${String(value)}\``]));
  return isShort ? `${change}: ${shown.join(" to ")}` : change;
}
