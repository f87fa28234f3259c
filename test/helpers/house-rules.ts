import { dirname, join } from "node:path/posix";
import { parseSync } from "oxc-parser";

/** Source files by path, relative to the repository, with `/` between folders. */
export type Sources = ReadonlyMap<string, SourceShape>;

interface SourceShape {
  /** Files of the repository that a file names by a relative path: static, dynamic and type imports, and re-exports. */
  readonly imports: readonly string[];
  readonly functions: readonly SourceFunction[];
}

interface SourceFunction {
  readonly name: string;
  readonly lines: number;
}

/** Room -> its sub-folders, lowest first; "" stands for the files of the room itself. */
export type FolderOrder = Readonly<Record<string, readonly string[]>>;

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** Reads the shape of TypeScript files. Throws when a file does not parse. */
export function readSources(files: Iterable<readonly [file: string, text: string]>): Sources {
  return new Map([...files].map(([file, text]) => [file, readSource(file, text)]));
}

function readSource(file: string, text: string): SourceShape {
  const { program, module, errors } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
  ];
  const functions: SourceFunction[] = [];
  const visit = (node: unknown, name: string): void => {
    if (Array.isArray(node)) return node.forEach((one) => visit(one, name));
    if (typeof node !== "object" || node === null || !("type" in node)) return;
    const one = node as { type: string; start: number; end: number } & Record<string, unknown>;
    const own = nameOf(one) ?? name;
    if (one.type === "ImportExpression" || one.type === "TSImportType") {
      const { value } = one["source"] as { value?: unknown };
      if (typeof value === "string") specifiers.push(value);
    }
    if (FUNCTIONS.has(one.type)) {
      functions.push({ name: own, lines: text.slice(one.start, one.end).split("\n").length });
    }
    for (const [key, child] of Object.entries(one)) if (key !== "parent") visit(child, own);
  };
  visit(program, "(top)");
  const relative = new Set(specifiers.filter((specifier) => specifier.startsWith(".")));
  return { imports: [...relative].map((specifier) => join(dirname(file), specifier)), functions };
}

/** The name that a declaration, variable or property gives to what is in it. */
function nameOf(node: Readonly<Record<string, unknown>>): string | undefined {
  const named = node["id"] ?? (node["type"] === "Property" ? node["key"] : undefined);
  return typeof named === "object" && named !== null && "name" in named ? String(named.name) : undefined;
}

/** Imports of a layer above the importing file's own, as `a imports b`; a file of no known layer counts as below all. */
export function findLayerBreaks(
  sources: Sources,
  layers: readonly string[],
  layerOf: (file: string) => string,
): string[] {
  return findImports(sources, (from, to) => layers.indexOf(layerOf(to)) > layers.indexOf(layerOf(from)));
}

/**
 * Imports within one room of a sub-folder that stands above the importing one. A sub-folder that the room's order leaves
 * out is reported, too, but for the room's own files, which then may import all of it and be imported by all of it.
 */
export function findFolderBreaks(sources: Sources, order: FolderOrder): string[] {
  const folderOf = (room: string, file: string) => {
    const parts = file.slice(room.length + 1).split("/");
    return parts.length > 1 ? String(parts[0]) : "";
  };
  return Object.entries(order).flatMap(([room, folders]) => {
    const within = (file: string) => file.startsWith(`${room}/`);
    const isFree = (folder: string) => folder === "" && !folders.includes("");
    const unknown = [...sources.keys()]
      .filter((file) => within(file) && !folders.includes(folderOf(room, file)) && !isFree(folderOf(room, file)))
      .map((file) => `${file} is in a folder without a place in ${room}`);
    const breaks = findImports(sources, (from, to) => {
      if (!within(from) || !within(to)) return false;
      const [upper, lower] = [folderOf(room, from), folderOf(room, to)];
      return !isFree(upper) && !isFree(lower) && folders.indexOf(lower) > folders.indexOf(upper);
    });
    return [...unknown, ...breaks];
  });
}

export function findImports(sources: Sources, isWrong: (from: string, to: string) => boolean): string[] {
  return [...sources].flatMap(([from, { imports }]) =>
    imports.filter((to) => isWrong(from, to)).map((to) => `${from} imports ${to}`),
  );
}

/** Circles of imports, each as `a -> b -> a`. */
export function findCycles(sources: Sources): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
    else if (!done.has(file)) {
      for (const target of sources.get(file)?.imports ?? []) visit(target, [...path, file]);
      done.add(file);
    }
  };
  for (const file of sources.keys()) visit(file, []);
  return cycles;
}

const VAGUE =
  /^(?:What|Whatever|Whether|Which|Who|Whoever|How|Why|When|Where|That|There|It|The same|(?:No|Some|Any|Every)body)\b/;

/** Docstrings that begin with a question, a pronoun or another word that names nothing, as `file:line first words`. */
export function findVagueDocstrings(file: string, text: string): string[] {
  return [...text.matchAll(/\/\*\*[\s*]*([^*]+)/g)]
    .filter(([, words = ""]) => VAGUE.test(words))
    .map(({ index, 1: words = "" }) => {
      const line = text.slice(0, index).split("\n").length;
      return `${file}:${line} ${words.trim().split(/\s+/, 3).join(" ")}`;
    });
}

/** Functions of more than `limit` lines, closures included, as `file name`; two of one name in a file count once. */
export function findLongFunctions(sources: Sources, limit: number): string[] {
  const long = [...sources].flatMap(([file, { functions }]) =>
    functions.filter(({ lines }) => lines > limit).map(({ name }) => `${file} ${name}`),
  );
  return [...new Set(long)];
}

/** Folders with more than `limit` files of their own, sub-folders not counted, as `folder (files)`. */
export function findFullFolders(sources: Sources, limit: number): string[] {
  const counts = new Map<string, number>();
  for (const file of sources.keys()) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > limit).map(([folder, count]) => `${folder} (${count})`);
}
