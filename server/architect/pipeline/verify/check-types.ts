import { posix, dirname, join } from "node:path";
import type { Candidate } from "./load-candidate.ts";
import { makeProject } from "./make-project.ts";
import { failed, type Outcome, passed, skipped } from "./outcome.ts";
import { type CompilerLimits, runCompiler } from "./run-compiler.ts";
import { createRequire } from "node:module";
import { toAdvice } from "../../../config/optional-package.ts";
import { CairnError } from "../../../errors.ts";

/** Many times what it takes where nothing else runs: a busy machine must fail no change. */
const LIMITS: CompilerLimits = Object.freeze({ timeMs: 60_000, memoryBytes: 2 * 1024 * 1024 * 1024 });

/** One thing that is wrong, and where. */
interface TypeError {
  readonly file: string;
  readonly at: string;
  readonly message: string;
}

type Found =
  | { readonly ok: true; readonly errors: readonly TypeError[] }
  /** The check itself could not run, because of the code. */
  | { readonly ok: false; readonly reason: string };

/**
 * Checks that handlers, and what they import, are right for the types of the host API. Mistakes from before the change are told
 * and not held against it.
 */
export async function checkTypes(options: {
  readonly candidate: Candidate;
  readonly readBefore: (file: string) => Promise<string | undefined>;
  readonly changed: readonly string[];
  readonly signal: AbortSignal;
  readonly limits?: CompilerLimits;
}): Promise<Outcome> {
  const { candidate, readBefore, changed, signal, limits = LIMITS } = options;
  if (!changed.some(isCode)) return skipped("Nothing under `tools/` has changed.");
  const paths = [...candidate.tree.entries.keys()].filter(isCode);
  if (paths.length === 0) return skipped("There is no handler.");
  const files = await readAll(paths, candidate.readText);
  const found = await findErrors(files, limits, signal);
  if (!found.ok) return failed(found.reason);
  const summary = `${files.size} files fit the host API's types.`;
  if (found.errors.length === 0) return passed(summary);
  const old = await readAll(new Set([...paths, ...changed.filter(isCode)]), readBefore);
  const known = old.size === 0 ? undefined : await findErrors(old, limits, signal);
  const { fresh, stale } = split(found.errors, known?.ok === true ? known.errors : []);
  if (fresh.length > 0) return failed(`${fresh.length} errors in ${files.size} files:`, ...fresh.map(toLine));
  return passed(`Nothing new is wrong in ${files.size} files; as before:`, ...stale.map(toLine));
}

function isCode(path: string): boolean {
  return path.startsWith("tools/") && /\.[cm]?ts$/.test(path);
}

async function readAll(
  paths: Iterable<string>,
  read: (file: string) => Promise<string | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const text = await read(path);
    if (text !== undefined) texts.set(path, text);
  }
  return texts;
}

async function findErrors(
  files: ReadonlyMap<string, string>,
  limits: CompilerLimits,
  signal: AbortSignal,
): Promise<Found> {
  const compiler = findCompiler();
  const project = await makeProject(files);
  try {
    const { end, errors, files: read } = await runCompiler({ compiler, folder: project.folder, limits, signal });
    if (end === "time") return { ok: false, reason: `Type checking was not done after ${limits.timeMs} ms.` };
    if (end === "memory") return { ok: false, reason: `Type checking needs more than ${limits.memoryBytes} bytes.` };
    if (end === "crash") return { ok: false, reason: "The TypeScript compiler cannot be run on these files." };
    const own = [`${project.folder}/`, `${compiler.slice(0, compiler.lastIndexOf("/"))}/`];
    // What is said of a file shows what is in it, and this one is none of the repository's.
    const isForeign = read.some((file) => !own.some((folder) => file.startsWith(folder)));
    if (isForeign || errors.some(isLostOutside)) {
      return { ok: false, reason: "An import or a reference leads out of `tools/`, which handlers may not leave." };
    }
    return { ok: true, errors: errors.map((line) => toError(line.replaceAll(`${project.tree}/`, ""))) };
  } finally {
    await project.remove();
  }
}

/** Says whether it is about a file outside that is not there, of which no more is told than of one that is. */
function isLostOutside(line: string): boolean {
  const [, file = "", path = ""] = /^(.+?)\(\d+,\d+\): error TS(?:2307|2664|2882|6053): .*?'(.+?)'/.exec(line) ?? [];
  return path.startsWith("/") || (path.startsWith(".") && !posix.join(posix.dirname(file), path).startsWith("tree/"));
}

/** `tree/tools/a/b.ts(3,7): error TS2322: ...`, or an error of no file. */
function toError(line: string): TypeError {
  const [, file = "tools", row = "1", column = "1", code = "", message = line] =
    /^tree\/(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/.exec(line) ?? [];
  return { file, at: `${row}:${column}`, message: code === "" ? message : `${message} (${code})` };
}

function toLine({ file, at, message }: TypeError): string {
  return `${file}:${at}: ${message}`;
}

/** Errors that are new; one that was there counts as the same wherever it stands in its file. */
function split(errors: readonly TypeError[], known: readonly TypeError[]) {
  const left = new Map<string, number>();
  const keyOf = ({ file, message }: TypeError) => `${file}\0${message}`;
  for (const error of known) left.set(keyOf(error), (left.get(keyOf(error)) ?? 0) + 1);
  const fresh: TypeError[] = [];
  const stale: TypeError[] = [];
  for (const error of errors) {
    const count = left.get(keyOf(error)) ?? 0;
    left.set(keyOf(error), count - 1);
    (count > 0 ? stale : fresh).push(error);
  }
  return { fresh, stale };
}

/** Finds the compiler of the TypeScript beside Cairn: the program itself, which no Node has to start. @throws UNAVAILABLE */
export function findCompiler(): string {
  try {
    const typescript = createRequire(import.meta.url).resolve("typescript/package.json");
    const name = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
    return join(dirname(createRequire(typescript).resolve(name)), "lib", "tsc");
  } catch (cause) {
    throw new CairnError("UNAVAILABLE", toAdvice({ feature: "Type checking", packages: ["typescript"] }), { cause });
  }
}
