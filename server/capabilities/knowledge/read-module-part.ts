import { posix } from "node:path";
import { createPositions } from "../../versions/manifests/position.ts";
import { toKind } from "../../versions/manifests/to-kind.ts";
import { createPart, type Part, toId } from "./graph.ts";
import { readImports } from "./read-imports.ts";

export interface ModuleRead {
  readonly part: Part;
  /** Paths of the modules that run with it. */
  readonly targets: readonly string[];
  /** True if it calls another tool. */
  readonly calls: boolean;
}

/** Empty set of other files: the path of code alone decides what it is. */
const NO_OTHERS: ReadonlySet<string> = new Set();
const HOST_API = /(?:^|\/)host-api(?:\.ts)?$/;

/** A handler, or a module that handlers share: what it imports, and which tools it calls. `erased` has no types. */
export function readModulePart(file: string, text: string, erased: string | undefined): ModuleRead {
  const { part, node, edge, warn } = createPart(file);
  const read = readImports(text, erased);
  if (read === undefined) warn(`\`${file}\` cannot be read for its imports, so what it depends on is not known.`);
  const isHandler = toKind(file, NO_OTHERS).kind === "handler";
  const id = node(isHandler ? "handler" : "module", file, read?.defaultExport?.line);
  const targets: string[] = [];
  for (const { specifier, isType, line } of read?.imports ?? []) {
    const target = posix.join(posix.dirname(file), specifier);
    if (isType && HOST_API.test(specifier)) edge(id, "imports types of", toId("host-api"), line);
    else if (specifier.startsWith(".")) {
      edge(id, isType ? "imports types of" : "imports", toModuleId(target), line);
      if (!isType) targets.push(target);
    }
  }
  const calls = findCalls(text);
  for (const { tool, line } of calls) {
    if (tool === undefined) edge(id, "may call", toId("any-tool"), line);
    else edge(id, "calls", toId("tool", tool), line);
  }
  return { part, targets, calls: calls.length > 0 };
}

export function toModuleId(path: string): string {
  return toId(toKind(path, NO_OTHERS).kind === "handler" ? "handler" : "module", path);
}

/** A call of another tool; the name is undefined where it is made when the handler runs. */
interface Call {
  readonly tool: string | undefined;
  readonly line: number;
}

const CALL = /\btools\s*\??\.\s*call\s*(?:<[^()]*>)?\(\s*(?:(["'`])([^"'`\\$\n]*)\1\s*[,)])?/g;
const COMMENT_OR_TEXT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/g;

function findCalls(text: string): readonly Call[] {
  if (!/\btools\s*\??\.\s*call\b/.test(text)) return [];
  const code = text.replaceAll(COMMENT_OR_TEXT, (found) =>
    found.startsWith("/") ? found.replaceAll(/[^\n]/g, " ") : found,
  );
  const toPosition = createPositions(code);
  return [...code.matchAll(CALL)].map(({ index, 2: tool }) => ({ tool, line: toPosition(index).line }));
}
