import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Installs the peers beside this file, as the lockfile has them, unless that was done before. */
export function installPeers(say: (line: string) => void): void {
  if (existsSync(join(import.meta.dirname, "node_modules/.package-lock.json"))) return;
  say("installing the peers");
  // None of them needs its install scripts, so nobody else's get to run either.
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "ignore", "inherit"],
  });
}
