import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CairnError } from "../../errors.ts";
import { quote } from "../../capabilities/workspace/check-path.ts";
import type { Proposal } from "../forge.ts";
import type { LocalRepository } from "./local-repository.ts";

/** Mode and object id; absent stands for a file that is not there. */
type Entries = ReadonlyMap<string, string>;

const MAX_NAMED = 10;

/**
 * The tree of `from` with `files` changed and nothing else: git leaves out without an error what it does not like, so the
 * difference is read back. Rejects with BAD_REQUEST when it is another, with CONFLICT when there is none.
 */
export async function writeTree(repository: LocalRepository, from: string, files: Proposal["files"]): Promise<string> {
  const before = readEntries(await repository.run(["ls-tree", "-r", "-z", "--full-tree", from]));
  for (const [path, content] of files) refuseUnfit(path, content === null, before.get(path));
  const folder = await mkdtemp(join(tmpdir(), "cairn-forge-"));
  try {
    const oids = await writeFiles(repository, folder, files);
    const after = new Map([...oids].map(([path, oid]) => [path, oid && `${toMode(before.get(path))} ${oid}`]));
    const expected = [...after].filter(([path, entry]) => before.get(path) !== entry);
    if (expected.length === 0) {
      throw new CairnError(
        "CONFLICT",
        `All files of the proposal are so in \`${from}\` already; there is nothing to do.`,
      );
    }
    const index = join(folder, "index");
    await repository.run(["read-tree", from], { index });
    await repository.run(["update-index", "-z", "--index-info"], { index, input: toIndexInfo(expected, from) });
    const tree = (await repository.run(["write-tree"], { index })).trim();
    refuseOthers(new Map(expected), await readChanges(repository, from, tree));
    return tree;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function refuseUnfit(path: string, deletes: boolean, there: string | undefined): void {
  if (deletes && there === undefined) throw refuse(`${quote(path)} is to be deleted, but is no file`);
  if (deletes || there === undefined || there.startsWith("100")) return;
  throw refuse(`${quote(path)} is a symlink or a submodule, which cannot be given other content`);
}

/** Writes the contents as objects, byte for byte, in one go. */
async function writeFiles(
  repository: LocalRepository,
  folder: string,
  files: Proposal["files"],
): Promise<ReadonlyMap<string, string | undefined>> {
  const written: [path: string, file: string][] = [];
  for (const [path, content] of files) {
    if (content === null) continue;
    const file = join(folder, String(written.length));
    await writeFile(file, content);
    written.push([path, file]);
  }
  const input = written.map(([, file]) => `${file}\n`).join("");
  const output = await repository.run(["hash-object", "-w", "--no-filters", "--stdin-paths"], { input });
  const oids = output.split("\n");
  const oidOf = new Map(written.map(([path], at) => [path, oids[at]]));
  return new Map([...files.keys()].map((path) => [path, oidOf.get(path)]));
}

/** Deletions come first, so that something else can take the place. */
function toIndexInfo(entries: readonly (readonly [path: string, entry: string | undefined])[], from: string): string {
  const gone = entries.filter(([, entry]) => entry === undefined);
  const there = entries.filter(([, entry]) => entry !== undefined);
  const zero = "0".repeat(from.length);
  return [...gone, ...there].map(([path, entry = `0 ${zero}`]) => `${entry}\t${path}\0`).join("");
}

async function readChanges(
  repository: LocalRepository,
  from: string,
  tree: string,
): Promise<ReadonlyMap<string, string | undefined>> {
  const output = await repository.run(["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", from, tree]);
  const fields = output.split("\0");
  const changes = new Map<string, string | undefined>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = "", , oid = "", letter] = fields[at]?.split(" ") ?? [];
    changes.set(fields[at + 1] ?? "", letter === "D" ? undefined : `${mode} ${oid}`);
  }
  return changes;
}

function refuseOthers(
  expected: ReadonlyMap<string, string | undefined>,
  found: ReadonlyMap<string, string | undefined>,
): void {
  const paths = [...new Set([...expected.keys(), ...found.keys()])];
  const wrong = paths.filter(
    (path) => expected.has(path) !== found.has(path) || expected.get(path) !== found.get(path),
  );
  if (wrong.length === 0) return;
  const named = wrong.slice(0, MAX_NAMED).map(quote).join(", ");
  throw refuse(`git would do something else than it says with ${named}; files cannot take each other's place`);
}

function readEntries(output: string): Entries {
  const entries = new Map<string, string>();
  for (const line of output.split("\0")) {
    const [, mode, oid, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    if (mode !== undefined && oid !== undefined && path !== undefined) entries.set(path, `${mode} ${oid}`);
  }
  return entries;
}

function toMode(there: string | undefined): string {
  return there?.startsWith("100755 ") === true ? "100755" : "100644";
}

function refuse(fault: string): CairnError {
  return new CairnError("BAD_REQUEST", `The proposal is refused: ${fault}.`);
}
