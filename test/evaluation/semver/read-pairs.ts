import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { compareVersions } from "../../../server/semver/compare-versions.ts";
import type { Level } from "../../../server/semver/level.ts";
import { createMemoryTree } from "../../fixtures/trees/create-memory-tree.ts";
import { changeTree, edit } from "../../fixtures/trees/good-tree.ts";
import { loader } from "../../helpers/loader.ts";

type Part = "input" | "output" | "manifest";

interface Family {
  readonly part: Part;
  readonly file?: string;
  readonly pairs: readonly (Edit & Partial<Record<"before" | "after", unknown>>)[];
}

/** A text that takes the place of another; without `from` a new file, without both a file that goes. */
interface Change {
  readonly file?: string;
  readonly from?: string;
  readonly into?: string;
}

interface Edit extends Change {
  readonly edit: string;
  readonly bump: Level;
  readonly why: string;
  readonly part?: Part;
  /** A folder of `../agents` whose files are edited, instead of the good tree's. */
  readonly agent?: string;
  readonly and?: readonly Change[];
}

type Texts = Readonly<Record<string, string>>;

/** An edit of a tree, the bump that a careful person gives it, and the files before and after. */
export interface Pair extends Edit {
  readonly family: string;
  readonly trees: readonly [Texts, Texts];
}

const ECHO = "manifests/runner/echo.yaml";

/** Folders of later pairs; the first is for looking at, the second is only ever run. */
export const HALVES = ["development", "report"] as const;

/** Reads all pairs of this folder, family by family, or those of a half. */
export function readPairs(half: "." | (typeof HALVES)[number] = "."): readonly Pair[] {
  const folder = join(import.meta.dirname, half);
  return globSync("*.yaml", { cwd: folder })
    .toSorted()
    .flatMap((name) => {
      const { part, file = "", pairs } = parse(readFileSync(join(folder, name), "utf8")) as Family;
      return pairs.map((pair): Pair => ({
        ...pair,
        family: basename(name, ".yaml"),
        trees: toTrees(pair.part ?? part, file, pair),
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

function toTrees(part: Part, file: string, pair: Family["pairs"][number]): Pair["trees"] {
  if (part !== "manifest") return [toTree(toTool(part, pair.before)), toTree(toTool(part, pair.after))];
  const before = pair.agent === undefined ? toTree({}) : readAgent(pair.agent);
  const after = new Map(Object.entries(before));
  for (const { file: path = file, from, into } of [pair, ...(pair.and ?? [])]) {
    if (from === undefined && into === undefined) after.delete(path);
    else after.set(path, edit(from ?? "", into ?? "")(after.get(path) ?? ""));
  }
  return [before, Object.fromEntries(after)];
}

function toTree(changes: Parameters<typeof changeTree>[0]): Texts {
  return changeTree(changes) as Texts;
}

function readAgent(name: string): Texts {
  const folder = join(import.meta.dirname, "../agents", name);
  const paths = globSync("**/*.{yaml,ts}", { cwd: folder });
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** A tool with the schema; its other part is any object. */
function toTool(part: "input" | "output", schema: unknown) {
  const schemas = { input: { type: "object" }, output: { type: "object" }, [part]: schema };
  return {
    [ECHO]: JSON.stringify({ name: "runner.echo", version: "1.0.0", description: "Echoes.", ...schemas }),
    "tools/runner/echo.ts": "export default (input: object) => input;\n",
  };
}
