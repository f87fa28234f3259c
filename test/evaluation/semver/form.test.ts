import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createMemoryTree } from "../../fixtures/trees/create-memory-tree.ts";
import { loader } from "../../helpers/loader.ts";
import { HALVES, type Pair, readPairs } from "./read-pairs.ts";

const KINDS = ["agent", "parameters", "policy", "server", "tool", "versions", "workflow"];
const BUMPS = ["major", "minor", "patch"];
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const validators = new Map(KINDS.map((kind) => [kind, ajv.compile(readSchema(kind))]));

const parsed = new Map<string, unknown>();
const halves = new Map(HALVES.map((half) => [half, readPairs(half)]));
const later = [...halves.values()].flat();

describe.each(HALVES)("the later pairs of %s", (half) => {
  const pairs = halves.get(half) ?? [];

  test("have a bump, a reason, and files that differ", () => {
    for (const { edit, bump, why, trees } of pairs) {
      expect(BUMPS, edit).toContain(bump);
      expect(why, edit).toMatch(/\S{2,}.*\.$/u);
      expect(JSON.stringify(toValues(trees[0])), edit).not.toBe(JSON.stringify(toValues(trees[1])));
    }
  });

  test("are of manifests that are valid by their schemas", () => {
    const values = new Map(pairs.flatMap(({ trees }) => trees.flatMap(toValues)).map((file) => [file.value, file]));
    for (const { path, value } of values.values()) {
      const validate = validators.get(toKind(path));
      expect(validate?.(value) === true ? [] : [path, value, validate?.errors]).toEqual([]);
    }
  });

  test("are of trees that could be served", async () => {
    const problems = await Promise.all(
      pairs.flatMap(({ edit, trees }) =>
        trees.map(async (tree) => {
          const loaded = await loader.load(createMemoryTree(tree), "0123456");
          return loaded.ok ? [] : loaded.problems.map(({ message }) => `${edit}: ${message}`);
        }),
      ),
    );
    expect(problems.flat()).toEqual([]);
  });
});

test("no two pairs have the same words, or the same files before and after", () => {
  const all = [...readPairs(), ...later];
  expect(all).toHaveLength(400);
  expect(new Set(all.map(({ family, edit }) => `${family}: ${edit}`)).size).toBe(all.length);
  expect(new Set(all.map(({ trees }) => JSON.stringify(trees.map(toValues)))).size).toBe(all.length);
});

test("the halves are dealt in turn: family by family, bump by bump, by the SHA-256 of the words", () => {
  const dealt = Map.groupBy(later.toSorted(byTurn), ({ family }) => family);
  expect(dealt.size).toBe(12);
  const turns = [...dealt.values()].flat();
  for (const [at, half] of HALVES.entries())
    expect(turns.filter((_, index) => index % 2 === at)).toEqual(halves.get(half)?.toSorted(byTurn));
});

function byTurn(one: Pair, other: Pair): number {
  return toTurn(one) < toTurn(other) ? -1 : 1;
}

function toTurn({ family, bump, edit }: Pair): string {
  return `${family} ${bump} ${createHash("sha256").update(edit).digest("hex")}`;
}

/** What the YAML files of a tree say, but for recordings; equal texts are parsed once. */
function toValues(
  tree: Readonly<Record<string, string>>,
): readonly { readonly path: string; readonly value: unknown }[] {
  const paths = Object.keys(tree).filter((path) => path === "versions.yaml" || path.startsWith("manifests/"));
  return paths.toSorted().map((path) => {
    const text = tree[path] ?? "";
    if (!parsed.has(text)) parsed.set(text, parse(text));
    return { path, value: parsed.get(text) };
  });
}

function toKind(path: string): string {
  const [first = "", folder = "", file] = path.split("/");
  if (first === "versions.yaml") return "versions";
  if (folder === "agent.yaml") return "agent";
  if (file === "server.yaml") return "server";
  return { parameters: "parameters", policies: "policy", workflows: "workflow" }[folder] ?? "tool";
}

function readSchema(kind: string): object {
  return JSON.parse(readFileSync(join("schemas", `${kind}.schema.json`), "utf8")) as object;
}
