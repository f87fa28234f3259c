import type { Problem } from "../../problem.ts";
import type { Manifest } from "../manifest.ts";
import type { FileRead } from "./file-read.ts";

/** A package as npm placed it. */
export interface Installed {
  /** Its name, where its folder has another. */
  readonly name?: string;
  readonly version: string;
  /** SHA-512 of its tarball, as npm writes it. */
  readonly integrity: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** A package of npm that is bundled into one file, and all that was bundled with it. */
export interface LockedPackage {
  /** The package, or a path in it. */
  readonly import: string;
  readonly range?: string;
  /** True if it may make code of text somewhere, which fails where a handler gets there. */
  readonly partial?: boolean;
  /** SHA-256 of the file. */
  readonly digest: string;
  /** By folder, such as `node_modules/marked`. */
  readonly install: Readonly<Record<string, Installed>>;
}

/** `tools/_deps/packages.lock.yaml`, as its schema allows it. */
export interface PackagesContent {
  readonly bundler: { readonly name: string; readonly version: string; readonly recipe: number };
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export type PackagesFile = Manifest<PackagesContent>;

export const PACKAGES_FOLDER = "tools/_deps/";
export const PACKAGES_LOCK = `${PACKAGES_FOLDER}packages.lock.yaml`;

/** Returns the path of the file that a package is bundled into. */
export function toPackagePath(stem: string): string {
  return `${PACKAGES_FOLDER}${stem}.js`;
}

export function readPackages(manifest: PackagesFile): FileRead<PackagesFile> {
  const problems: Problem[] = [];
  for (const [stem, { import: specifier, install }] of Object.entries(manifest.content.packages)) {
    const [, name = ""] = /^((?:@[^/]+\/)?[^/]+)/.exec(specifier) ?? [];
    if (Object.hasOwn(install, `node_modules/${name}`)) continue;
    const message = `\`${name}\` is not among the packages that \`${stem}\` was made of.`;
    const fix = `Undo the edit, or run \`cairn deps add ${specifier}\` again.`;
    problems.push(manifest.problem("package-lock", ["packages", stem, "install"], message, fix));
  }
  return { value: manifest, problems };
}
