import { parse } from "es-module-lexer";
import { createPositions } from "../../versions/manifests/position.ts";

export interface Imported {
  readonly specifier: string;
  /** True if erasing types removes it. */
  readonly isType: boolean;
  readonly line: number;
}

export interface ImportsRead {
  readonly imports: readonly Imported[];
  readonly defaultExport: { readonly line: number } | undefined;
}

/**
 * Reads the imports of a TypeScript file. The lexer is made for JavaScript and reads nearly all TypeScript as well;
 * `erased` is the module without types, for the rest. Undefined where neither can be read. es-module-lexer must be
 * initialised.
 */
export function readImports(text: string, erased: string | undefined): ImportsRead | undefined {
  const read = tryToRead(text);
  return read ?? (erased === undefined ? undefined : tryToRead(erased));
}

const TYPE_ONLY = /^(?:import|export)\s+type\s+(?!from\s*["'])/;

function tryToRead(code: string): ImportsRead | undefined {
  let lexed: ReturnType<typeof parse>;
  try {
    lexed = parse(code);
  } catch {
    return undefined;
  }
  const [specifiers, exports] = lexed;
  const toPosition = createPositions(code);
  const imports = specifiers.flatMap(({ n: specifier, ss: start, se: end }): Imported[] => {
    if (specifier === undefined) return [];
    return [{ specifier, isType: TYPE_ONLY.test(code.slice(start, end)), line: toPosition(start).line }];
  });
  const found = exports.find(({ n }) => n === "default");
  return { imports, defaultExport: found && { line: toPosition(found.ss).line } };
}
