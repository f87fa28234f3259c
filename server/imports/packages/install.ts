import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Environment } from "../../config/config.ts";
import { CairnError } from "../../errors.ts";
import { defined } from "../../json/defined.ts";
import type { Installed, LockedPackage } from "../../versions/manifests/kinds/read-packages.ts";

/** Packages in a folder of their own, as npm placed them. */
export interface Installation {
  readonly folder: string;
  readonly packages: Readonly<Record<string, Installed>>;
  remove(): Promise<void>;
}

export interface InstallOptions {
  /** Folder whose `.npmrc` says where packages come from, unless the user's does. */
  readonly project: string;
  readonly environment: Environment;
}

/** An entry of npm's own lock. Source: docs.npmjs.com/cli/configuring-npm/package-lock-json. */
interface NpmEntry extends Partial<Installed> {
  readonly link?: boolean;
  readonly optional?: boolean;
}

/** Milliseconds that one run of npm may take. */
const TIME_LIMIT = 120_000;
const MAX_OUTPUT = 4 * 1024 * 1024;
const MAX_PACKAGES = 1000;
/** Scripts of packages are code that nobody has reviewed: none runs. */
const OPTIONS = ["--ignore-scripts", "--omit=optional", "--omit=dev", "--no-audit", "--no-fund", "--no-progress"];

/** Installs the newest versions that ranges allow, each asked for as `name@range`. Packages in `wanted` may be missing. */
export async function install(
  specs: readonly string[],
  wanted: readonly string[],
  options: InstallOptions,
): Promise<Installation> {
  return inFolder(options, async (folder, npm) => {
    await writeFile(join(folder, "package.json"), JSON.stringify({ private: true }));
    await npm(["install", "--save-exact", ...OPTIONS, ...specs]);
    for (const spec of wanted) {
      // Types that nobody has published are no failure.
      await npm(["install", "--save-exact", ...OPTIONS, spec]).catch(() => undefined);
    }
    return toInstalled(await readEntries(folder));
  });
}

/** Installs what a lock has, each tarball held against its integrity. */
export async function reinstall(
  { install: packages, import: specifier }: LockedPackage,
  options: InstallOptions,
): Promise<Installation> {
  return inFolder(options, async (folder, npm) => {
    const direct = Object.keys(packages).filter((path) => isDirect(path, specifier));
    const dependencies = Object.fromEntries(
      direct.map((path) => [path.slice("node_modules/".length), packages[path]?.version]),
    );
    const root = { private: true, dependencies };
    await writeFile(join(folder, "package.json"), JSON.stringify(root));
    const lock = { lockfileVersion: 3, requires: true, packages: { "": root, ...packages } };
    await writeFile(join(folder, "package-lock.json"), JSON.stringify(lock));
    await npm(["ci", ...OPTIONS]);
    return packages;
  });
}

/** Checks that a folder is of a package that was asked for by name: the bundled one, or the types of it. */
function isDirect(path: string, specifier: string): boolean {
  return (
    specifier === path.slice("node_modules/".length) ||
    `${specifier}/`.startsWith(`${path.slice("node_modules/".length)}/`) ||
    path.startsWith("node_modules/@types/")
  );
}

type RunNpm = (args: readonly string[]) => Promise<void>;

async function inFolder(
  { project, environment }: InstallOptions,
  act: (folder: string, npm: RunNpm) => Promise<Readonly<Record<string, Installed>>>,
): Promise<Installation> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "cairn-deps-")));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await copyFile(join(project, ".npmrc"), join(folder, ".npmrc")).catch(() => undefined);
    const packages = await act(folder, (args) => runNpm(args, folder, environment));
    return { folder, packages, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function runNpm(args: readonly string[], cwd: string, env: Environment): Promise<void> {
  try {
    await promisify(execFile)("npm", [...args], { cwd, env: { ...env }, timeout: TIME_LIMIT, maxBuffer: MAX_OUTPUT });
  } catch (cause) {
    const { code, stderr = "" } = cause as { readonly code?: unknown; readonly stderr?: string };
    if (code === "ENOENT") throw new CairnError("UNAVAILABLE", "npm is not there, which brings packages.", { cause });
    const said = [...stderr.matchAll(/^npm (?:error|ERR!) (.*)$/gm)].map(([, line = ""]) => line);
    const reason = said.filter((line) => !/^(?:code|A complete log)|^$/.test(line)).slice(0, 3);
    throw new CairnError(
      "UNAVAILABLE",
      `npm could not bring the packages: ${reason.join(" ") || "it was not done in time"}`,
      {
        cause,
      },
    );
  }
}

async function readEntries(folder: string): Promise<ReadonlyMap<string, NpmEntry>> {
  const { packages } = JSON.parse(await readFile(join(folder, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, NpmEntry>>;
  };
  return new Map(Object.entries(packages).filter(([path, { optional }]) => path !== "" && optional !== true));
}

/** Reduces entries of npm's lock to the members that install these packages again, and no others. */
function toInstalled(entries: ReadonlyMap<string, NpmEntry>): Readonly<Record<string, Installed>> {
  if (entries.size > MAX_PACKAGES) {
    throw new CairnError("BAD_REQUEST", `It needs ${entries.size} packages; ${MAX_PACKAGES} are allowed.`);
  }
  const names = new Set([...entries.keys()].map(toName));
  const present = (ranges: Readonly<Record<string, string>> = {}) => {
    const kept = Object.entries(ranges).filter(([name]) => names.has(name));
    return kept.length === 0 ? undefined : Object.fromEntries(kept);
  };
  const installed = [...entries].map(([path, entry]): [string, Installed] => {
    const { version, integrity, link, name, license, dependencies, peerDependencies } = entry;
    if (link === true || version === undefined || integrity?.startsWith("sha512-") !== true) {
      const message = `\`${toName(path)}\` is not from a registry with SHA-512, so nothing could prove what it was.`;
      throw new CairnError("BAD_REQUEST", message);
    }
    return [
      path,
      {
        version,
        integrity,
        ...defined({
          name,
          license: typeof license === "string" ? license : undefined,
          dependencies: present(dependencies),
          peerDependencies: present(peerDependencies),
        }),
      },
    ];
  });
  return Object.fromEntries(installed);
}

/** Name of the package in a folder such as `node_modules/a/node_modules/@b/c`. */
export function toName(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}
