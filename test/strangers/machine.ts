import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { type NpmRegistry, startNpmRegistry } from "../stand-ins/npm-registry.ts";
import { type AtEnd, temporaryFolder } from "../helpers/temporary.ts";

/** Output of a command that may fail. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A stranger's account: an empty home, an empty npm cache, and of this checkout nothing but what a registry has. */
export interface Machine {
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  run(folder: string, program: string, ...args: readonly string[]): Promise<Ran>;
}

const run = promisify(execFile);
/** Milliseconds after which a command is ended: a test that waits for ever shows nothing of what its command did last. */
const PATIENCE = 240_000;
/** What npm waits for a registry on loopback; by itself it waits five minutes for an answer before it asks again. */
const NPM_WAITS = [
  "fetch-timeout=20000",
  "fetch-retries=5",
  "fetch-retry-mintimeout=200",
  "fetch-retry-maxtimeout=2000",
];

/** Makes an account on this machine whose npm knows `registry`. */
export async function createMachine({ url }: NpmRegistry, atEnd: AtEnd): Promise<Machine> {
  const home = await temporaryFolder(atEnd);
  const lines = [
    `registry=${url}/`,
    `//${new URL(url).host}/:_authToken=stand-in`,
    "update-notifier=false",
    ...NPM_WAITS,
  ];
  await writeFile(join(home, ".npmrc"), `${lines.join("\n")}\n`);
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((part) => !part.includes("node_modules"));
  const environment = { PATH: path.join(delimiter), HOME: home, TMPDIR: join(home, "tmp") };
  await mkdir(environment.TMPDIR);
  return {
    home,
    environment,
    run: (cwd, program, ...args) =>
      run(program, args, { cwd, env: environment, maxBuffer: 2 ** 26, timeout: PATIENCE }).then(
        ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
        async ({ code, stdout, stderr, killed }: Ran & { readonly killed: boolean }) =>
          killed
            ? { code: 1, stdout, stderr: `${stderr}\nended after ${PATIENCE} ms\n${await readLastLog(home)}` }
            : { code, stdout, stderr },
      ),
  };
}

/** The end of npm's newest log of an account. */
async function readLastLog(home: string): Promise<string> {
  const folder = join(home, ".npm/_logs");
  const newest = (await readdir(folder).catch(() => [])).toSorted().at(-1);
  return newest === undefined ? "npm wrote no log" : (await readFile(join(folder, newest), "utf8")).slice(-4000);
}

/**
 * Arguments that run a program in a root filesystem of its own, with bubblewrap: the system's programs, the folder of temporary
 * files, and nothing else of this machine. The network is that of the machine.
 */
export function toEmptyRoot(folder: string): readonly string[] {
  const links = ["bin", "sbin", "lib", "lib64"].flatMap((name) => ["--symlink", `usr/${name}`, `/${name}`]);
  const system = [
    "--ro-bind",
    "/usr",
    "/usr",
    ...links,
    "--ro-bind",
    "/etc",
    "/etc",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
  ];
  return ["bwrap", ...system, "--bind", tmpdir(), tmpdir(), "--chdir", folder];
}

/** Packs this checkout as it is, and publishes that to a registry as `npm publish` does. */
export async function publishCheckout(atEnd: AtEnd): Promise<{ registry: NpmRegistry; tarball: string }> {
  const [registry, folder] = await Promise.all([startNpmRegistry(atEnd), temporaryFolder(atEnd)]);
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder], { timeout: PATIENCE });
  const tarball = join(folder, stdout.trim().split("\n").at(-1) ?? "");
  const machine = await createMachine(registry, atEnd);
  const { code, stderr } = await machine.run(folder, "npm", "publish", tarball);
  if (code !== 0) throw new Error(stderr);
  return { registry, tarball };
}
