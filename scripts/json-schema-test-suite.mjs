// Brings JSON-Schema-Test-Suite (drafts 2020-12, 2019-09 and 07), on which the comparison of schemas is tested, into node_modules/.cache.
// It comes as a part of a Debian package: npm has it for older drafts only, and the repository keeps no copies.
// Plain JavaScript for Node 20 or newer: continuous integration runs it before anything else is there.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE =
  "http://deb.debian.org/debian/pool/main/libt/libtest-json-schema-acceptance-perl/libtest-json-schema-acceptance-perl_1.019-1_all.deb";
const SHA256 = "846786933dfb7b6b1890878c1b86f50593bda3946d770f8770647c3449999fa2";
const TESTS = "usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance/tests";
const DRAFTS = ["draft2020-12", "draft2019-09", "draft7"];
const APT_HELPER = "/usr/lib/apt/apt-helper";

/** Folder of the suite, named by the checksum of its archive, with a folder for each draft. */
const target = fileURLToPath(
  new URL(`../node_modules/.cache/json-schema-test-suite/drafts-${SHA256.slice(0, 16)}`, import.meta.url),
);

function run(command, args) {
  const { status, error, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (error || status !== 0) throw new Error(`\`${command}\` failed: ${error?.message ?? stderr.trim()}`);
}

if (!existsSync(target)) {
  const folder = mkdtempSync(join(tmpdir(), "json-schema-test-suite-"));
  try {
    const file = join(folder, "package.deb");
    // As root it would warn that its own user cannot write there.
    run(APT_HELPER, ["-o", "APT::Sandbox::User=root", "download-file", PACKAGE, file, `SHA256:${SHA256}`]);
    run("dpkg-deb", ["--extract", file, join(folder, "content")]);
    const copy = `${target}.${process.pid}`;
    mkdirSync(dirname(target), { recursive: true });
    for (const draft of DRAFTS) cpSync(join(folder, "content", TESTS, draft), join(copy, draft), { recursive: true });
    renameSync(copy, target);
  } catch (error) {
    process.stderr.write(
      `cairn: JSON-Schema-Test-Suite cannot be had: ${error.message}\n` +
        `cairn: it needs apt and dpkg (Debian, Ubuntu) and the network, for ${PACKAGE}\n`,
    );
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
if (existsSync(target)) process.stdout.write(`${target}\n`);
