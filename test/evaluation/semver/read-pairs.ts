import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { compareVersions } from "../../../server/semver/compare-versions.ts";
import type { Level } from "../../../server/semver/level.ts";
import { createMemoryTree } from "../../fixtures/trees/create-memory-tree.ts";
import { changeTree, edit } from "../../fixtures/trees/good-tree.ts";
import { loader } from "../../helpers/loader.ts";

interface Family {
  readonly part: "input" | "output" | "manifest";
  readonly file?: string;
  readonly pairs: readonly (Edit & Partial<Record<"before" | "after", unknown>>)[];
}

interface Edit {
  readonly edit: string;
  readonly bump: Level;
  readonly why: string;
  readonly file?: string;
  readonly from?: string;
  readonly into?: string;
}

/** An edit of a tree, the bump that a careful person gives it, and the files before and after. */
export interface Pair extends Edit {
  readonly family: string;
  readonly trees: readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>];
}

const ECHO = "manifests/runner/echo.yaml";

/** Reads all pairs of this folder, family by family. */
export function readPairs(): readonly Pair[] {
  return globSync("*.yaml", { cwd: import.meta.dirname })
    .toSorted()
    .flatMap((name) => {
      const { part, file = "", pairs } = parse(readFileSync(join(import.meta.dirname, name), "utf8")) as Family;
      return pairs.map((pair): Pair => ({
        ...pair,
        family: basename(name, ".yaml"),
        trees: toTrees(part, file, pair),
      }));
    });
}

/** Returns the bump that the difference of a pair needs, by the reading of trees that name none. */
export async function judgePair({ trees }: Pair): Promise<Level> {
  const [before, after] = await Promise.all(
    trees.map(async (files) => {
      const loaded = await loader.load(createMemoryTree(files), "0123456");
      if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join(" "));
      return loaded.version;
    }),
  );
  if (before === undefined || after === undefined) throw new TypeError("A pair is of two trees.");
  return compareVersions(before, after).required;
}

function toTrees(part: Family["part"], file: string, pair: Family["pairs"][number]): Pair["trees"] {
  if (part !== "manifest") return [toTree(toTool(part, pair.before)), toTree(toTool(part, pair.after))];
  return [toTree({}), toTree({ [pair.file ?? file]: edit(pair.from ?? "", pair.into ?? "") })];
}

function toTree(changes: Parameters<typeof changeTree>[0]): Readonly<Record<string, string>> {
  return changeTree(changes) as Readonly<Record<string, string>>;
}

/** A tool with the schema; its other part is any object. */
function toTool(part: "input" | "output", schema: unknown) {
  const schemas = { input: { type: "object" }, output: { type: "object" }, [part]: schema };
  return {
    [ECHO]: JSON.stringify({ name: "runner.echo", version: "1.0.0", description: "Echoes.", ...schemas }),
    "tools/runner/echo.ts": "export default (input: object) => input;\n",
  };
}
