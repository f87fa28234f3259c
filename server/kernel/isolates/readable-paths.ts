import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Packages that a host loads, each found from where the one before it is. */
const PACKAGES = [["es-module-lexer"], ["isolated-vm", "node-gyp-build"]] as const;
const NODE_MODULES = "/node_modules/";

/**
 * Lists the paths that a host may read: its code. The keys and state in the data folder, and the rest of the machine,
 * stay out of reach of an escape from an isolate.
 */
export function toReadablePaths(): readonly string[] {
  const server = fileURLToPath(new URL("../../", import.meta.url));
  // From folder to folder, Node looks which package a file belongs to, and for links to those that it imports.
  const lookups = ancestorsOf(server).flatMap((folder) => [join(folder, "package.json"), join(folder, NODE_MODULES)]);
  const packages = PACKAGES.flatMap((chain) => {
    let from = fileURLToPath(import.meta.url);
    return chain.map((name) => toFolder((from = createRequire(from).resolve(name))));
  });
  // By this file isolated-vm knows which C library its binary has to be made for.
  return [...new Set([server, ...lookups, ...packages, "/etc/alpine-release"])];
}

/** The outermost `node_modules` that a module is in, where packages find one another; else the folder it is in. */
function toFolder(file: string): string {
  const at = file.indexOf(NODE_MODULES);
  return at < 0 ? `${dirname(file)}/` : file.slice(0, at + NODE_MODULES.length);
}

function ancestorsOf(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)];
}
