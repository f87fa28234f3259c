import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";

/** Among what is installed already: no search through the tests' folder comes here, and `npm ci` clears it away. */
const FOLDER = resolve("node_modules/.packages-of-tests");

/**
 * Installs the programs of others that tests run, as the lockfile in `source` has them, unless this very lockfile is installed.
 * Resolves with the folder that holds their `node_modules`. Rejects with what npm said where it cannot install them.
 */
export async function installPackages(source: string): Promise<string> {
  const folder = join(FOLDER, basename(source));
  const done = join(folder, "installed-lock.json");
  const [wanted, installed] = await Promise.all([
    readFile(join(source, "package-lock.json"), "utf8"),
    readFile(done, "utf8").catch(() => undefined),
  ]);
  if (installed !== wanted) {
    await mkdir(folder, { recursive: true });
    for (const file of ["package.json", "package-lock.json"]) await cp(join(source, file), join(folder, file));
    const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--loglevel=error"];
    // npm walks up from a folder inside node_modules, unless it is told which one is meant.
    await promisify(execFile)("npm", ["ci", "--prefix", folder, ...options]).catch((error: { stderr?: string }) => {
      throw new Error(`npm cannot install ${source}, which this test needs from its registry: ${error.stderr ?? ""}`);
    });
    await writeFile(done, wanted);
  }
  return folder;
}
