import { readFile } from "node:fs/promises";
import { globSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Ground, TuningProposal } from "../../server/architect/planners/planner.ts";
import { CairnError } from "../../server/errors.ts";
import { loader } from "./loader.ts";
import { isPartOfVersion, type Tree, type TreeEntry } from "../../server/versions/tree.ts";
import type { Loaded } from "../../server/versions/version.ts";

export type Files = ReadonlyMap<string, string>;

/** The files of this checkout that an agent is made of, and their tests. */
export async function readCheckout(): Promise<Files> {
  const paths = globSync("{manifests,tools,schemas,test/tools,docs}/**/*.*").sort();
  const texts = [...paths, "versions.yaml", "package.json"].map(
    async (path) => [path, await readFile(path, "utf8")] as const,
  );
  return new Map(await Promise.all(texts));
}

/** The files of an agent of test/evaluation, that its version is made of. */
export async function readAgent(agent: string): Promise<Files> {
  const folder = join(import.meta.dirname, "../evaluation/agents", agent);
  const paths = [...globSync("{manifests,tools}/**/*.*", { cwd: folder }), "versions.yaml"];
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path), "utf8")] as const)),
  );
}

/** The version that files make. */
export function loadFiles(files: Files): Promise<Loaded> {
  const contents = new Map<string, string>();
  const entries = [...files].filter(([path]) => isPartOfVersion(path)).sort(([one], [other]) => (one < other ? -1 : 1));
  const tree: Tree = {
    label: "files",
    entries: new Map(
      entries.map(([path, text]): [string, TreeEntry] => {
        const oid = createHash("sha1").update(text).digest("hex");
        contents.set(oid, text);
        return [path, { oid, kind: "file" }];
      }),
    ),
    read: async ({ oid }) => Buffer.from(contents.get(oid) ?? ""),
  };
  return loader.load(tree, "a".repeat(40));
}

/** What planners see of files that make a version; `propose` is what is known of its tuning, which is nothing by default. */
export async function createGround(
  files: Files,
  propose: (experiment: string) => Promise<TuningProposal> = unknown,
): Promise<Ground> {
  const loaded = await loadFiles(files);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems, null, 2));
  return {
    version: loaded.version,
    files: [...files.keys()].sort(),
    readText: async (path) => files.get(path),
    propose,
    reverse: async () => undefined,
    now: Date.now,
    tryPlan: async () => ({ findings: [], approvals: [] }),
    signal: new AbortController().signal,
  };
}

/** The files after a plan. */
export function applyFiles(files: Files, changes: ReadonlyMap<string, string | null>): Files {
  const after = new Map(files);
  for (const [path, text] of changes) {
    if (text === null) after.delete(path);
    else after.set(path, text);
  }
  return after;
}

async function unknown(experiment: string): Promise<never> {
  throw new CairnError("CONFLICT", `Nothing is known of \`${experiment}\` yet that could be proposed.`);
}
