import { CairnError } from "../../errors.ts";

/** A package to bundle, as a person names it. */
export interface PackageSpec {
  /** Name of the package, with its scope. */
  readonly name: string;
  /** The package, or a path in it: what is imported. */
  readonly specifier: string;
  /** Versions that may be taken; absent: the newest. */
  readonly range?: string;
  /** Name of the file that it is bundled into, without `.js`. */
  readonly stem: string;
}

const SPEC = /^((?:@[a-z0-9][\w.-]*\/)?[a-zA-Z0-9][\w.-]*)((?:\/[\w.-]+)*)(?:@([\w^~<>=*][\w.^~<>=| *+-]{0,99}))?$/;

/** Reads `name`, `name@range`, `name/path` or `name/path@range`. @throws BAD_REQUEST for anything else */
export function readSpec(text: string): PackageSpec {
  const [, name, path = "", range] = SPEC.exec(text) ?? [];
  if (name === undefined || path.includes("/.")) {
    const what = "a package of npm is `name`, `@scope/name` or `name/path`, with `@version` behind it or without";
    throw new CairnError("BAD_REQUEST", `\`${text.slice(0, 200)}\` names no package: ${what}.`);
  }
  const specifier = name + path;
  // As DefinitelyTyped names scoped packages.
  const stem = specifier.replace(/^@/, "").replaceAll("/", "__").replace(/\.js$/, "");
  return { name, specifier, stem, ...(range === undefined ? {} : { range }) };
}
