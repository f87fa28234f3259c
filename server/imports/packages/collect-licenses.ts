import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Installed } from "../../versions/manifests/kinds/read-packages.ts";
import { toName } from "./install.ts";

const LICENSE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;
/** Characters of one text. */
const MAX_TEXT = 100_000;

/** The licences of all packages in a bundle, with their texts, which most of them ask to be kept. */
export async function collectLicenses(
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
