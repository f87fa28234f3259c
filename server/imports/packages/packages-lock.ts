import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { CairnError } from "../../errors.ts";
import { formatProblems } from "../../versions/format-problems.ts";
import {
  type LockedPackage,
  PACKAGES_FOLDER,
  PACKAGES_LOCK,
  type PackagesContent,
  toPackagePath,
} from "../../versions/manifests/kinds/read-packages.ts";
import { createFormCheck } from "../../versions/manifests/manifest-schemas.ts";
import { readYaml } from "../../versions/manifests/yaml/read-yaml.ts";
import { RECIPE } from "./bundle.ts";
import type { MadePackage } from "./make-package.ts";

const checkForm = createFormCheck<PackagesContent>("packages");
const HEAD = [
  "# yaml-language-server: $schema=../../schemas/packages.schema.json\n",
  "# Written by `cairn deps`. Keep it in git with the files beside it: a version runs these, and installs nothing.\n",
].join("");

/** Loads the lock of a folder's packages; undefined before the first. @throws BAD_REQUEST if it cannot be read */
export async function loadPackages(folder: string): Promise<PackagesContent | undefined> {
  const text = await readFile(join(folder, PACKAGES_LOCK), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const read = readYaml(PACKAGES_LOCK, text);
  const form = read.ok ? checkForm(PACKAGES_LOCK, read.value, read.position) : read;
  if (form.ok) return form.manifest.content;
  const advice = "Take it from git again.";
  throw new CairnError("BAD_REQUEST", `${formatProblems(form.problems, "text").trimEnd()}\n${advice}`);
}

/** Writes the files of packages and the lock, with those that it has already, in a form that depends on nothing but its content. */
export async function savePackages(folder: string, made: readonly MadePackage[], bundler: string): Promise<void> {
  const before = (await loadPackages(folder))?.packages ?? {};
  for (const { stem, files } of made) {
    await removeFiles(folder, stem);
    for (const [path, text] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  }
  await saveLock(folder, { ...before, ...Object.fromEntries(made.map(({ stem, locked }) => [stem, locked])) }, bundler);
}

/** Removes packages with their files; the last takes the lock with it. */
export async function removePackages(folder: string, stems: readonly string[], lock: PackagesContent): Promise<void> {
  for (const stem of stems) await removeFiles(folder, stem);
  const left = Object.entries(lock.packages).filter(([stem]) => !stems.includes(stem));
  if (left.length === 0) await rm(join(folder, PACKAGES_LOCK));
  else await saveLock(folder, Object.fromEntries(left), lock.bundler.version);
}

async function saveLock(
  folder: string,
  packages: Readonly<Record<string, LockedPackage>>,
  version: string,
): Promise<void> {
  const content: PackagesContent = { bundler: { name: "rolldown", version, recipe: RECIPE }, packages };
  await mkdir(join(folder, PACKAGES_FOLDER), { recursive: true });
  const text = stringify(content, { lineWidth: 0, sortMapEntries: true, aliasDuplicateObjects: false });
  await writeFile(join(folder, PACKAGES_LOCK), HEAD + text);
}

async function removeFiles(folder: string, stem: string): Promise<void> {
  const paths = [toPackagePath(stem), `${PACKAGES_FOLDER}${stem}.d.ts`, `${PACKAGES_FOLDER}${stem}.licenses.txt`];
  for (const path of [...paths, `${PACKAGES_FOLDER}types/${stem}`]) {
    await rm(join(folder, path), { recursive: true, force: true });
  }
}
