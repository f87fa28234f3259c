import { readFile } from "node:fs/promises";
import { globSync } from "node:fs";
import { createCodeGraph, type CodeGraph } from "../../../../server/capabilities/knowledge/create-code-graph.ts";
import { loadTexts } from "../../../../server/capabilities/knowledge/load-texts.ts";
import { toSource } from "./to-source.ts";
import { loader } from "../../../helpers/loader.ts";
import { createMemoryTree, type Files } from "../../../fixtures/trees/create-memory-tree.ts";

/** The graph of a tree in memory. */
export async function graphOf(files: Files): Promise<CodeGraph> {
  return createCodeGraph((await loadTexts(toSource(createMemoryTree(files)))).texts);
}

/** The same, with the program of the version that the tree loads into. */
export async function graphOfVersion(files: Files): Promise<CodeGraph> {
  const tree = createMemoryTree(files);
  const loaded = await loader.load(tree, "c".repeat(40));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems, undefined, 2));
  return createCodeGraph((await loadTexts(toSource(tree))).texts, loaded.version.program);
}

/** Files of this repository: the example agent and what else is asked for. */
export async function readOwnFiles(...patterns: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const files = globSync([...EXAMPLE_AGENT, ...patterns]).sort();
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, "utf8")] as const)));
}

const EXAMPLE_AGENT = [
  "versions.yaml",
  "manifests/**/*.yaml",
  "tools/**/*.ts",
  "schemas/*.json",
  "test/tools/**/*.test.ts",
];

/** Lines such as `tool:runner.chat is handled by handler:tools/runner/chat.ts`. */
export function listEdges(graph: CodeGraph): readonly string[] {
  return graph.edges.map(({ from, why, to, file, line }) => `${from} ${why} ${to} (${file}:${line})`).sort();
}
