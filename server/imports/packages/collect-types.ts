import { access, readFile } from "node:fs/promises";
import { dirname, join, posix, relative } from "node:path";
import type { ResolverFactory } from "rolldown/experimental";
import { isObject } from "../../json/is-object.ts";
import { PACKAGES_FOLDER } from "../../versions/manifests/kinds/read-packages.ts";

/** Files that declare the types of one package; the last is the one that handlers meet. */
export interface CollectedTypes {
  readonly files: ReadonlyMap<string, string>;
  /** True if the package has types, its own or those of others. */
  readonly hasTypes: boolean;
}

interface Request {
  readonly folder: string;
  readonly specifier: string;
  readonly stem: string;
  /** Names that the bundle exports. */
  readonly exports: readonly string[];
}

/** Files of types that one package may bring; a reviewer meets them all. */
const MAX_FILES = 500;
const MAX_BYTES = 4 * 1024 * 1024;
/** Specifiers in a declaration: after `from`, in `import(...)` and `require(...)`, and alone. */
const SPECIFIER = /(\bfrom\s*|\bimport\s*\(\s*|\brequire\s*\(\s*|\bimport\s+|\bdeclare\s+module\s+)(["'])([^"'\n]+)\2/g;
const PATH_REFERENCE = /^(\/\/\/\s*<reference\s+path\s*=\s*)(["'])([^"'\n]+)\2/gm;
/** Types of Node and of browsers are not those of isolates; maps lead to files that are not here. */
const DROPPED = /^\/\/\/\s*<reference\s+(?:types|lib|no-default-lib)\s*=.*$|^\/\/# sourceMappingURL=.*$/gm;

export type CreateResolver = () => Promise<Pick<ResolverFactory, "async">>;

/** Loads what finds the types of packages, as compilers do. */
export const createTypesResolver: CreateResolver = async () => {
  const { ResolverFactory: Factory } = await import("rolldown/experimental");
  return new Factory({
    conditionNames: ["types", "import", "default"],
    mainFields: ["types", "typings", "module", "main"],
    extensions: [".d.ts", ".d.mts", ".d.cts"],
    extensionAlias: {
      ".js": [".d.ts"],
      ".mjs": [".d.mts"],
      ".cjs": [".d.cts"],
      ".ts": [".d.ts", ".ts"],
      ".mts": [".d.mts", ".mts"],
      ".cts": [".d.cts", ".cts"],
    },
  });
};

/** Copies the declarations that a package's types are made of, into one folder in which they find each other. */
export async function collectTypes(request: Request, createResolver: CreateResolver): Promise<CollectedTypes> {
  const { folder, specifier, stem, exports } = request;
  const entry = `${PACKAGES_FOLDER}${stem}.d.ts`;
  const resolver = await createResolver();
  const find = async (from: string, wanted: string): Promise<string | undefined> => {
    const { path } = await resolver.async(from, wanted);
    return path !== undefined && isDeclaration(path) ? path : undefined;
  };
  const root = (await find(folder, specifier)) ?? (await find(folder, toTypesPackage(specifier)));
  const copied = root === undefined ? undefined : await copyAll(root, find, request);
  if (root === undefined || copied === undefined)
    return { files: new Map([[entry, writeUntyped(exports)]]), hasTypes: false };
  const target = await toTarget(root, request);
  const path = `./${posix.relative(PACKAGES_FOLDER, target)}`;
  const isNamed = declares(copied.get(target) ?? "", specifier);
  const from = isNamed ? { reference: path, module: specifier } : { module: toImport(path) };
  return { files: new Map([...copied, [entry, writeEntry(from, exports)]]), hasTypes: true };
}

/** Name of the package that DefinitelyTyped has the types of another in; the path in it stays. */
export function toTypesPackage(specifier: string): string {
  const [, scope, name = "", path = ""] = /^(?:@([^/]+)\/)?([^/]+)(\/.*)?$/.exec(specifier) ?? [];
  return `@types/${scope === undefined ? "" : `${scope}__`}${name}${path}`;
}

type Find = (from: string, wanted: string) => Promise<string | undefined>;

/** All declarations that one leads to, by the paths that they get; undefined where they are too many. */
async function copyAll(root: string, find: Find, request: Request): Promise<ReadonlyMap<string, string> | undefined> {
  const files = new Map<string, string>();
  const reached = new Set([root]);
  let bytes = 0;
  for (const file of reached) {
    const target = await toTarget(file, request);
    const text = (await readFile(file, "utf8")).replaceAll(DROPPED, "");
    const wanted = [...text.matchAll(SPECIFIER), ...text.matchAll(PATH_REFERENCE)].map(([, , , name = ""]) => name);
    const found = new Map<string, string>();
    for (const name of new Set(wanted)) {
      const path = await find(dirname(file), name);
      // A script that declares modules by name is found by that name.
      if (path === undefined || (path === file && declares(text, name))) continue;
      reached.add(path);
      found.set(name, await toTarget(path, request));
    }
    const toPath = (name: string, isPath: boolean) => {
      const other = found.get(name);
      if (other === undefined) return name;
      return `./${posix.basename(isPath ? other : toImport(other))}`;
    };
    const changed = text
      .replaceAll(
        SPECIFIER,
        (_, before: string, quote: string, name: string) => `${before}${quote}${toPath(name, false)}${quote}`,
      )
      .replaceAll(
        PATH_REFERENCE,
        (_, before: string, quote: string, name: string) => `${before}${quote}${toPath(name, true)}${quote}`,
      );
    bytes += Buffer.byteLength(changed);
    if (reached.size > MAX_FILES || bytes > MAX_BYTES) return undefined;
    files.set(target, changed);
  }
  return files;
}

/** The path of a copied declaration; its ending says which kind of module it is, as package.json does where it comes from. */
async function toTarget(file: string, { folder, stem }: Request): Promise<string> {
  const flat = relative(join(folder, "node_modules"), file)
    .replaceAll("\\", "/")
    .replaceAll("/node_modules/", "/")
    .replaceAll("/", "__");
  const kind = /\.d\.([cm])ts$/.exec(file)?.[1] ?? ((await isModule(dirname(file))) ? "m" : "c");
  return `${PACKAGES_FOLDER}types/${stem}/${flat.replace(/\.d\.[cm]?ts$/, "")}.d.${kind}ts`;
}

async function isModule(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
  if (text !== undefined) {
    const manifest: unknown = JSON.parse(text);
    return isObject(manifest) && manifest["type"] === "module";
  }
  const isRoot = await access(join(folder, "node_modules")).then(
    () => true,
    () => dirname(folder) === folder,
  );
  return isRoot ? false : isModule(dirname(folder));
}

function isDeclaration(path: string): boolean {
  return /\.d\.[cm]?ts$/.test(path);
}

/** The path by which a declaration is imported: that of the code which it would be of. */
function toImport(path: string): string {
  return path.replace(/\.d\.([cm]?)ts$/, ".$1js");
}

const ABOUT = "// Written by `cairn deps`.\n";

/** `reference`: the file in which the module is declared by name. */
function writeEntry(
  from: { readonly reference?: string; readonly module: string },
  exports: readonly string[],
): string {
  const { reference, module } = from;
  const head = reference === undefined ? ABOUT : `/// <reference path="${reference}" />\n${ABOUT}`;
  const hasDefault = exports.includes("default");
  // Of a CommonJS module, a bundle has what `module.exports` is, as default export.
  if (hasDefault && exports.length === 1 && !module.endsWith(".mjs")) {
    return `${head}declare const exported: typeof import("${module}");\nexport default exported;\n`;
  }
  return `${head}export * from "${module}";\n${hasDefault ? `export { default } from "${module}";\n` : ""}`;
}

/** Checks that a file is no module itself, and declares one by this name. */
function declares(text: string, name: string): boolean {
  return text.includes(`declare module "${name}"`) || text.includes(`declare module '${name}'`)
    ? !/^(?:import|export)\b/m.test(text)
    : false;
}

function writeUntyped(exports: readonly string[]): string {
  const lines = exports.map((name) =>
    name === "default"
      ? "declare const exported: any;\nexport default exported;"
      : `export declare const ${name}: any;`,
  );
  return `${ABOUT}${lines.join("\n")}\n`;
}
