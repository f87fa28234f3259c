import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** Among what is installed already: no search through the tests' folder comes here, and `npm ci` clears it away. */
const FOLDER = resolve("node_modules/.clients");
const SOURCE = resolve("test/clients");

/** Installs the clients that tests run as programs, unless this very lockfile is installed; the folder of their packages. */
export async function installClients(): Promise<string> {
  const done = join(FOLDER, "installed-lock.json");
  const [wanted, installed] = await Promise.all([
    readFile(join(SOURCE, "package-lock.json"), "utf8"),
    readFile(done, "utf8").catch(() => undefined),
  ]);
  if (installed !== wanted) {
    await mkdir(FOLDER, { recursive: true });
    for (const file of ["package.json", "package-lock.json"]) await cp(join(SOURCE, file), join(FOLDER, file));
    const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--loglevel=error"];
    // npm walks up from a folder inside node_modules, unless it is told which one is meant.
    await promisify(execFile)("npm", ["ci", "--prefix", FOLDER, ...options]);
    await writeFile(done, wanted);
  }
  return join(FOLDER, "node_modules");
}
