import { createHash } from "node:crypto";
import { stripTypeScriptTypes } from "node:module";
import { posix } from "node:path";
import { parse } from "es-module-lexer";
import type { Problem } from "../../problem.ts";
import { createProblem } from "../create-problem.ts";
import { limitProblems } from "../limit-problems.ts";
import { PACKAGES_FOLDER } from "../kinds/read-packages.ts";
import { createPositions, type Position, START } from "../position.ts";
import { explainSyntaxError } from "./explain-syntax-error.ts";
import { findForeignGlobals } from "./find-foreign-globals.ts";
import { findEarlyError } from "./find-early-error.ts";

export const MAX_MODULE_BYTES = 1024 * 1024;

/** One file of code below `tools/`: TypeScript, its types erased, or a bundled package of npm. */
export interface Module {
  readonly path: string;
  readonly code: string;
  readonly imports: readonly Import[];
  readonly hasDefault: boolean;
  /** Names that it exports; absent where they cannot be told from its text alone. */
  readonly exports?: ReadonlySet<string>;
  /** SHA-256 of a bundled package; absent of all others. */
  readonly digest?: string;
}

interface Import {
  /** Path in the tree. */
  readonly target: string;
  readonly specifier: string;
  /** Names that must be among the exports of the target. */
  readonly names: readonly string[];
  readonly at: Position;
}

export interface ModuleRead {
  readonly module?: Module;
  readonly problems: readonly Problem[];
  /** Problems that versions are served with all the same. */
  readonly notices?: readonly Problem[];
}

/** Erases the types of one module and looks at what it imports; es-module-lexer must have been initialised. */
export function readModule(path: string, text: string): ModuleRead {
  const isPackage = path.startsWith(PACKAGES_FOLDER) && path.endsWith(".js");
  let code: string;
  let lexed: ReturnType<typeof parse>;
  try {
    code = isPackage ? text : stripTypeScriptTypes(text, { mode: "strip" });
    lexed = parse(code);
  } catch (error) {
    return { problems: [toSyntaxProblem(path, text, error)] };
  }
  const [specifiers, exports] = lexed;
  const early = findEarlyError(code, specifiers, exports);
  if (early !== undefined) return { problems: [toSyntaxProblem(path, text, early)] };

  const toPosition = createPositions(code);
  const problems: Problem[] = [];
  const imports: Import[] = [];
  for (const { n: specifier, t: type, ss: start, se: end, s } of specifiers) {
    const at = toPosition(type === STATIC ? s : start);
    const target = specifier === undefined ? "" : posix.join(posix.dirname(path), specifier);
    const refusal = isPackage ? refuseOfPackage(type) : refuse(type, specifier ?? "", target);
    if (refusal) problems.push(createProblem(path, at, "handler-import", ...refusal));
    else if (specifier !== undefined) imports.push({ target, specifier, names: readNames(code.slice(start, end)), at });
  }
  const names = new Set(exports.map(({ n }) => n));
  const module: Module = {
    path,
    code,
    imports,
    hasDefault: names.has("default"),
    ...(!UNCLEAR.test(code) && { exports: names }),
    ...(isPackage && { digest: digestPackage(text) }),
  };
  return {
    module: Object.freeze(module),
    problems: limitProblems(problems, (problem) => problem),
    // A package asks for what is there, or does without it in what is used of it: `cairn deps add` says which.
    notices: isPackage ? [] : findForeignGlobals(path, code),
  };
}

/** Exports whose names es-module-lexer does not list: of other modules, of patterns, and of several variables at once. */
const UNCLEAR = /\bexport\s*(?:\*|(?:const|let|var)\b(?:\s*[[{]|[^\n;]*,))/;

/** Reads the names that a static import or `export ... from` takes from another module; texts as names are left out. */
function readNames(statement: string): readonly string[] {
  const plain = statement.replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, " ");
  const [, list = ""] = /\{([^}]*)\}/.exec(plain) ?? [];
  const named = list.split(",").flatMap((part) => /^\s*([\w$]+)(?:\s+as\s|\s*$)/.exec(part)?.[1] ?? []);
  return /^import\s+[\w$]+\s*(?:,|from\b)/.test(plain) ? ["default", ...named] : named;
}

// Of es-module-lexer's enum, which a file that only has its types erased cannot import by name.
const STATIC = 1;
const IMPORT_META = 3;
const PHASES: ReadonlySet<number> = new Set([4, 5, 6, 7]);

/** Digest of the file of a package. */
export function digestPackage(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

function refuseOfPackage(type: number): [message: string, fix: string] {
  const what = type === IMPORT_META ? "`import.meta`" : type === STATIC ? "another module" : "`import(...)`";
  return [`A bundled package has all its code in one file, and this one uses ${what}.`, "Run `cairn deps add` again."];
}

function refuse(type: number, specifier: string, target: string): [message: string, fix: string] | undefined {
  if (type === IMPORT_META) return ["`import.meta` does not exist in a version.", "Remove it."];
  if (PHASES.has(type)) return ["Only plain imports exist in a version.", 'Write `import ... from "./...ts"`.'];
  if (type !== STATIC) {
    return ["`import(...)` could load anything at run time.", "Import the module at the top of the file."];
  }
  if (/(?:^|\/)host-api(?:\.ts)?$/.test(specifier)) {
    const message = `\`${specifier}\` has types only, which do not exist when the handler runs.`;
    return [message, "Write `import type { ... }`."];
  }
  if (!/^\.\.?\//.test(specifier)) {
    const message = `\`${specifier}\` is not part of the version.`;
    const fix = /^(?:@[\w.-]+\/)?[a-z][\w.-]*$/.test(specifier)
      ? `Run \`cairn deps add ${specifier}\`, and import \`../_deps/...js\`; code of your own goes to \`tools/_lib\`.`
      : "Import only files of `tools/`, by relative path; put shared code into `tools/_lib`.";
    return [message, fix];
  }
  if (!target.startsWith("tools/")) {
    return [`\`${specifier}\` leads out of \`tools/\`.`, "Move the module into `tools/_lib`."];
  }
  if (target.startsWith(PACKAGES_FOLDER) && /^[^/]+\.js$/.test(target.slice(PACKAGES_FOLDER.length))) return undefined;
  if (!target.endsWith(".ts") || target.endsWith(".d.ts")) {
    return [`\`${specifier}\` does not end with \`.ts\`.`, `Write \`${specifier.replace(/\.[cm]?[jt]s$/, "")}.ts\`.`];
  }
  return undefined;
}

function toSyntaxProblem(path: string, text: string, error: unknown): Problem {
  const { at, message, fix } = explainSyntaxError(error, text);
  return createProblem(path, at ?? START, "handler-syntax", message, fix);
}
