// A file of a package of npm that is read once in a while, and is too big to depend on.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

function run(command, args, cwd) {
  const { status, error, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (error || status !== 0) throw new Error(`\`${command}\` failed: ${error?.message ?? stderr.trim()}`);
}

/** The text of a member of a package, of one version, whose archive has that sum; kept in `node_modules/.cache`. */
export function fetchPackageFile({ name, version, sum, member }) {
  const flat = name.replace("@", "").replace("/", "-");
  const cache = fileURLToPath(
    new URL(`../../node_modules/.cache/github-schemas/${flat}-${version}-${member.split("/").at(-1)}`, import.meta.url),
  );
  if (existsSync(cache)) return readFileSync(cache, "utf8");
  const folder = mkdtempSync(join(tmpdir(), "github-schemas-"));
  try {
    run("npm", ["pack", "--silent", `${name}@${version}`], folder);
    const archive = join(folder, `${flat}-${version}.tgz`);
    const found = createHash("sha512").update(readFileSync(archive)).digest("base64");
    if (found !== sum) throw new Error(`${name}@${version} has the sum ${found}, not ${sum}.`);
    run("tar", ["xzf", archive, member], folder);
    mkdirSync(dirname(cache), { recursive: true });
    // The temporary folder may be on another disk, and what is in the cache has to be whole.
    const copy = `${cache}.${process.pid}`;
    writeFileSync(copy, readFileSync(join(folder, member)));
    renameSync(copy, cache);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return readFileSync(cache, "utf8");
}
