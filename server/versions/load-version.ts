import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { CairnError } from "../errors.ts";
import { assembleVersion } from "./manifests/assemble-version.ts";
import { checkFiles, missingAgent, missingHistory } from "./manifests/check-files.ts";
import { checkPackages } from "./manifests/check-packages.ts";
import { checkReferences, findUnsaidStates } from "./manifests/check-references.ts";
import { createProblem } from "./manifests/create-problem.ts";
import { createFileReader, type FileResult, isCode, maxBytes } from "./manifests/file-reader.ts";
import { checkImports, findMissingNames } from "./manifests/handlers/link-program.ts";
import { toParts } from "./manifests/parts.ts";
import { START } from "./manifests/position.ts";
import { MAX_FILES, survey, type SurveyedFile } from "./manifests/survey.ts";
import type { Problem } from "./problem.ts";
import type { Tree } from "./tree.ts";
import type { LoadedHistory } from "./loaded-history.ts";
import type { Revoked } from "./policy.ts";
import { uniteRevoked } from "./revoked.ts";
import type { Loaded } from "./version.ts";

export interface Loader {
  /**
   * Reads, checks and compiles a tree. Rejects only when the tree itself cannot be read, or not in time (UNAVAILABLE: it
   * may be read another time), never for what it says.
   */
  load(tree: Tree, commit: string): Promise<Loaded>;
  /** Reads versions.yaml alone. */
  loadHistory(tree: Tree): Promise<LoadedHistory>;
  /** Reads policies alone: what those revoke that can be read, and what is wrong with the others. */
  loadRevoked(tree: Tree): Promise<LoadedRevoked>;
}

export interface LoadedRevoked {
  readonly revoked: Revoked;
  readonly problems: readonly Problem[];
  /** Reasons why a tree without policies may have lost them: it is not an agent's, or its manifests cannot be read. */
  readonly doubts: readonly Problem[];
}

export interface LoaderOptions {
  /** Bytes of files whose results are kept for later trees that hold the same file at the same path. */
  readonly maxBytesKept?: number;
  /** Milliseconds for reading one module. */
  readonly moduleTimeLimit?: number;
}

const MAX_BYTES_KEPT = 32 * 1024 * 1024;
/** Number of times that a module may take too long before the module is blamed, and not a busy machine. */
const MAX_DOUBTS = 3;
/** Bytes of all manifests, and of all code. */
const MAX_BYTES = 8 * 1024 * 1024;
/** The folder of policies with all below it; also in its place something else, or a folder that differs in case alone. */
const POLICIES = /^manifests\/policies(?:\/|$)/i;

/** The results of files that were read before, by kind, path and object id. */
interface Memory {
  readonly reader: ReturnType<typeof createFileReader>;
  /** Number of times that a file could not be read in time. */
  readonly doubts: LRUCache<string, number>;
  readonly kept: LRUCache<string, FileResult & { readonly bytes: number }>;
}

/**
 * Loads versions. What a file says is kept by kind, path and object id and compiled schemas by content, so that a tree costs
 * what is new in it, and versions share all that they have in common.
 */
export function createLoader(options: LoaderOptions = {}): Loader {
  const { maxBytesKept = MAX_BYTES_KEPT, moduleTimeLimit } = options;
  const memory: Memory = {
    reader: createFileReader(maxBytesKept / 4, moduleTimeLimit),
    doubts: new LRUCache({ max: 1000 }),
    kept: new LRUCache({ maxSize: maxBytesKept, sizeCalculation: ({ bytes }, key) => bytes + key.length }),
  };
  return {
    load: (tree, commit) => load(memory, tree, commit),
    loadHistory: (tree) => loadHistory(memory, tree),
    loadRevoked: (tree) => loadRevoked(memory, tree),
  };
}

async function load(memory: Memory, tree: Tree, commit: string): Promise<Loaded> {
  const surveyed = survey(tree);
  const { files, paths } = surveyed;
  if (paths.size > MAX_FILES) return fail(surveyed.problems);
  const { code = [], manifests = [] } = Object.groupBy(files, ([, { kind }]) => (isCode(kind) ? "code" : "manifests"));
  // Code is read by a thread of its own, meanwhile manifests by this one.
  const results = new Map((await Promise.all([readAll(memory, tree, code), readAll(memory, tree, manifests)])).flat());
  const problems = [...surveyed.problems, ...[...results.values()].flatMap((result) => result.problems)];
  if (results.size < files.size) return fail([...problems, tooLarge(tree)]);
  const uncertain = [...results].find(([, { isUncertain }]) => isUncertain);
  if (uncertain) throw new CairnError("UNAVAILABLE", `\`${uncertain[0]}\` could not be read in time.`);
  const parts = toParts(results);
  problems.push(
    ...checkFiles(surveyed, parts),
    ...checkReferences(files, parts),
    ...checkPackages(parts, paths),
    ...checkImports(parts.modules.values(), paths),
  );
  const notices = [...results.values()].flatMap((result) => result.notices ?? []);
  if (problems.length === 0) notices.push(...findUnsaidStates(parts), ...findMissingNames(parts.modules));
  const version = problems.length === 0 ? assembleVersion(commit, parts) : undefined;
  if (version === undefined) return fail([...problems, ...notices]);
  return notices.length === 0 ? { ok: true, version } : { ok: true, version, notices: toSorted(notices) };
}

async function loadHistory(memory: Memory, tree: Tree): Promise<LoadedHistory> {
  const surveyed = survey(only(tree, (path) => path === "versions.yaml"));
  const file = surveyed.files.get("versions.yaml");
  if (!file) return fail(surveyed.problems.length > 0 ? surveyed.problems : [missingHistory()]);
  const result = await read(memory, tree, "versions.yaml", file);
  if (result.content?.kind !== "versions" || result.problems.length > 0) return fail(result.problems);
  return { ok: true, history: result.content.value.history };
}

async function loadRevoked(memory: Memory, tree: Tree): Promise<LoadedRevoked> {
  const { paths, results, problems } = await readOnly(memory, tree, (path) => POLICIES.test(path));
  return {
    revoked: uniteRevoked(
      results.flatMap(([, { content }]) => (content?.kind === "policy" ? (content.value.policy.revoke ?? []) : [])),
    ),
    problems,
    doubts: paths.size > 0 ? [] : await findDoubts(memory, tree),
  };
}

async function findDoubts(memory: Memory, tree: Tree): Promise<readonly Problem[]> {
  const isManifest = (path: string) => path === "versions.yaml" || path.startsWith("manifests/");
  const { paths, problems } = await readOnly(memory, tree, isManifest);
  const missing = [
    ...(paths.has("manifests/agent.yaml") ? [] : [missingAgent()]),
    ...(paths.has("versions.yaml") ? [] : [missingHistory()]),
  ];
  return [...missing, ...problems];
}

/** Reads some files of a tree, each by itself, and finds what is wrong with them. */
async function readOnly(memory: Memory, tree: Tree, isWanted: (path: string) => boolean) {
  const { files, paths, problems } = survey(only(tree, isWanted));
  const results = await readAll(memory, tree, files);
  const lost = results.length < files.size ? [tooLarge(tree)] : [];
  return {
    paths,
    results,
    problems: toSorted([...problems, ...lost, ...results.flatMap(([, own]) => own.problems)]),
  };
}

/** Stops early when the files are too large in all. */
async function readAll(
  memory: Memory,
  tree: Tree,
  files: Iterable<[string, SurveyedFile]>,
): Promise<[string, FileResult][]> {
  const results: [string, FileResult][] = [];
  let bytes = 0;
  for (const [path, file] of files) {
    const result = await read(memory, tree, path, file);
    bytes += result.bytes;
    if (bytes > MAX_BYTES) break;
    results.push([path, result]);
  }
  return results;
}

async function read(memory: Memory, tree: Tree, path: string, { entry, kind }: SurveyedFile) {
  const key = `${kind.kind}\0${path}\0${entry.oid}`;
  const known = memory.kept.get(key);
  if (known) return known;
  // Other work gets its turn between two files: reading one may take a while.
  await setImmediate();
  const limit = maxBytes(kind);
  const bytes = await tree.read(entry, limit);
  const { isUncertain = false, ...rest } = await memory.reader.read(path, kind, bytes);
  const count = isUncertain ? (memory.doubts.get(key) ?? 0) + 1 : 0;
  memory.doubts.set(key, count);
  const isDoubted = count > 0 && count < MAX_DOUBTS;
  const result = Object.freeze({ ...rest, isUncertain: isDoubted, bytes: bytes?.length ?? limit });
  if (!isDoubted) memory.kept.set(key, result);
  return result;
}

function only(tree: Tree, isWanted: (path: string) => boolean): Tree {
  return { ...tree, entries: new Map([...tree.entries].filter(([path]) => isWanted(path))) };
}

function fail(problems: readonly Problem[]): { readonly ok: false; readonly problems: readonly Problem[] } {
  return Object.freeze({ ok: false, problems: toSorted(problems) });
}

function toSorted(problems: readonly Problem[]): readonly Problem[] {
  return Object.freeze(problems.toSorted(compare));
}

function compare(a: Problem, b: Problem): number {
  const order = [
    [a.file, b.file],
    [a.line, b.line],
    [a.column, b.column],
    [a.rule, b.rule],
  ] as const;
  for (const [left, right] of order) if (left !== right) return left < right ? -1 : 1;
  return 0;
}

function tooLarge({ label }: Tree): Problem {
  const message = `The manifests of ${label}, or its code, have more than ${MAX_BYTES} bytes.`;
  const fix = "Move data elsewhere; a version is manifests and code.";
  return createProblem("versions.yaml", START, "too-many-files", message, fix);
}
