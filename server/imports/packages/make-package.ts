import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../kernel/isolates/sandbox.ts";
import { CairnError } from "../../errors.ts";
import { digestPackage } from "../../versions/manifests/handlers/read-module.ts";
import {
  type Installed,
  type LockedPackage,
  PACKAGES_FOLDER,
  toPackagePath,
} from "../../versions/manifests/kinds/read-packages.ts";
import type { Bundler } from "./bundle.ts";
import { collectTypes, createTypesResolver, toTypesPackage } from "./collect-types.ts";
import { install, type Installation, type InstallOptions, reinstall, toName } from "./install.ts";
import type { PackageSpec } from "./read-spec.ts";

/** A package as it is to stand in a repository. */
export interface MadePackage {
  readonly stem: string;
  readonly locked: LockedPackage;
  /** Texts by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Exact version of the package itself. */
  readonly version: string;
  readonly exports: readonly string[];
  readonly hasTypes: boolean;
  /** Globals that parts of it use and isolates do not have, by module. */
  readonly lacks: ReadonlyMap<string, readonly string[]>;
}

export interface Workshop extends InstallOptions {
  readonly bundler: Bundler;
  readonly sandbox: Sandbox;
}

/** Megabytes of the isolate that a bundle is tried in. */
const MEMORY = 64;

/** Makes a bundle of the newest version that a range allows. `isPartial`: also where it makes code of text somewhere. */
export async function makePackage(spec: PackageSpec, isPartial: boolean, workshop: Workshop): Promise<MadePackage> {
  const { name, range, specifier, stem } = spec;
  const wanted = name.startsWith("@types/") ? [] : [toTypesPackage(name)];
  const asked = range === undefined ? name : `${name}@${range}`;
  let installation = await install([asked], [], workshop);
  const about = { stem, import: specifier, range, isPartial };
  try {
    const made = await makeOf(about, installation, workshop);
    if (made.hasTypes || wanted.length === 0) return made;
    await installation.remove();
    // What DefinitelyTyped has is asked for only where a package has no types of its own.
    installation = await install([`${name}@${made.version}`], wanted, workshop);
    return await makeOf(about, installation, workshop);
  } finally {
    await installation.remove();
  }
}

/** Makes a bundle again of what a lock has. */
export async function remakePackage(stem: string, locked: LockedPackage, workshop: Workshop): Promise<MadePackage> {
  const installation = await reinstall(locked, workshop);
  try {
    const { import: specifier, range, partial = false } = locked;
    return await makeOf({ stem, import: specifier, range, isPartial: partial }, installation, workshop);
  } finally {
    await installation.remove();
  }
}

interface About {
  readonly stem: string;
  readonly import: string;
  readonly range: string | undefined;
  readonly isPartial: boolean;
}

async function makeOf(about: About, installation: Installation, workshop: Workshop): Promise<MadePackage> {
  const { stem, import: specifier, range, isPartial } = about;
  const { folder, packages } = installation;
  const { code, exports, modules, lacks } = await workshop.bundler.bundle(folder, specifier, isPartial);
  const path = toPackagePath(stem);
  await tryToLoad(path, code, workshop.sandbox);
  const types = await collectTypes({ folder, specifier, stem, exports }, createTypesResolver);
  const licenses = await collectLicenses(folder, modules, packages);
  const [, name = ""] = /^((?:@[^/]+\/)?[^/]+)/.exec(specifier) ?? [];
  return {
    stem,
    version: packages[`node_modules/${name}`]?.version ?? "",
    locked: {
      import: specifier,
      ...(range === undefined ? {} : { range }),
      ...(isPartial ? { partial: true } : {}),
      digest: digestPackage(code),
      install: packages,
    },
    files: new Map([[path, code], ...types.files, [`${PACKAGES_FOLDER}${stem}.licenses.txt`, licenses]]),
    exports,
    hasTypes: types.hasTypes,
    lacks,
  };
}

/** Loads a bundle in an isolate of its own, as a version would. @throws BAD_REQUEST that names the module which fails */
async function tryToLoad(path: string, code: string, sandbox: Sandbox): Promise<void> {
  try {
    await sandbox.warm({ key: path, modules: new Map([[path, code]]), memory: MEMORY });
  } catch (cause) {
    if (!(cause instanceof CairnError) || cause.name === "UNAVAILABLE") throw cause;
    const [, line = "0"] = /\.js:(\d+):\d+\)/.exec(cause.message) ?? [];
    const module = findModule(code, Number(line));
    const where = module === undefined ? "" : `  ${module}\n`;
    throw new CairnError("BAD_REQUEST", `The package cannot be loaded in an isolate:\n${where}  ${cause.message}`, {
      cause,
    });
  }
}

/** The module that a line of a bundle is of: the bundler writes its path before its code. */
function findModule(code: string, line: number): string | undefined {
  const marks = code.split("\n").slice(0, line);
  return marks.findLast((text) => /^\/\/(?:#region)? ?node_modules\//.test(text))?.replace(/^\/\/(?:#region)? ?/, "");
}

const LICENSE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;
/** Characters of one text. */
const MAX_TEXT = 100_000;

/** The licences of all packages in a bundle, with their texts, which most of them ask to be kept. */
async function collectLicenses(
  folder: string,
  modules: readonly string[],
  packages: Readonly<Record<string, Installed>>,
): Promise<string> {
  const paths = Object.keys(packages).filter((path) => modules.some((module) => isOf(module, path, packages)));
  const parts: string[] = [];
  for (const path of paths.sort()) {
    const { version, license = "no licence named", name = toName(path) } = packages[path] ?? { version: "" };
    const files = (await readdir(join(folder, path))).filter((file) => LICENSE.test(file)).sort();
    const texts = await Promise.all(files.map((file) => readFile(join(folder, path, file), "utf8")));
    parts.push(`${name} ${version} (${license})\n\n${texts.join("\n\n").slice(0, MAX_TEXT).trim()}`.trimEnd());
  }
  return `${parts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** Checks that a module is of the package in a folder, and not of one inside it. */
function isOf(module: string, path: string, packages: Readonly<Record<string, Installed>>): boolean {
  if (!module.startsWith(`${path}/`)) return false;
  return !Object.keys(packages).some((other) => other.startsWith(`${path}/`) && module.startsWith(`${other}/`));
}
