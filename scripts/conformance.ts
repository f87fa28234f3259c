// Runs the official conformance suites of MCP, of both generations, against Cairn serving test/fixtures/conformance.
// Fails when a check fails that counts; those that the suites themselves do not score are told apart.
// `node scripts/conformance.ts front` puts a second Cairn in front of that one, which imported its tools as an upstream. Only the
// scenarios of `FRONTED` count then: the others ask for what docs/upstreams.md says does not pass.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { load } from "js-yaml";

interface Suite {
  readonly title: string;
  /** Name of the package, as package.json has it. */
  readonly package: string;
  readonly options: readonly string[];
  /** The revision whose requirements are scored; without one every failure counts. */
  readonly revision?: string;
}

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

interface Finding extends Check {
  readonly scenario: string;
}

const SUITES: readonly Suite[] = [
  { title: "0.1.16, all scenarios", package: "conformance-0.1", options: ["--suite", "all"] },
  ...["2025-11-25", "2026-07-28"].map((revision) => ({
    title: `0.2.0-alpha.12, requirements of ${revision}`,
    package: "conformance-0.2",
    options: ["--requirements", revision],
    revision,
  })),
];

/** Scenarios that concern the tools of a server, without questions to the client and log lines. */
const FRONTED: ReadonlySet<string> = new Set([
  "server-initialize",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-error",
  "tools-call-with-progress",
  "json-schema-2020-12",
  "http-header-validation",
  "http-custom-header-server-validation",
  "dns-rebinding-protection",
]);

/** Milliseconds that one suite may take; a server that hangs costs it half a minute for each scenario. */
const SUITE_TIME = 10 * 60 * 1000;

/** Characters that are shown of why a check failed that does not count. */
const MESSAGE_LENGTH = 160;

const root = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);
const print = (text: string) => process.stdout.write(`${text}\n`);
const isFront = process.argv[2] === "front";
const SERVER = "agent/1.0.0/everything";

const folder = await mkdtemp(join(tmpdir(), "cairn-conformance-"));
try {
  const path = join(folder, "repository");
  await cp(join(root, "test/fixtures/conformance"), path, { recursive: true });
  await commit(path);
  const cairn = await serve(path, join(folder, "data"));
  const front = isFront ? await serveFront(cairn.url) : undefined;
  try {
    let failed = 0;
    for (const suite of SUITES) failed += await runSuite(suite, `${(front ?? cairn).url}/${SERVER}`, folder);
    print(failed === 0 ? "\nAll suites pass." : `\n${failed} failures.`);
    process.exitCode = failed === 0 ? 0 : 1;
  } finally {
    await front?.stop();
    await cairn.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Serves an agent that has nothing but the imported tools of the service at `url`. */
async function serveFront(url: string) {
  const path = join(folder, "front");
  for (const name of ["manifests/agent.yaml", "versions.yaml"]) {
    await cp(join(root, "test/fixtures/conformance", name), join(path, name));
  }
  const as = ["--name", "everything", "--as", `https://upstream.internal/${SERVER}`];
  await run(process.execPath, [join(root, "bin/cairn.mjs"), "import", "mcp", `${url}/${SERVER}`, ...as], { cwd: path });
  await commit(path);
  return serve(path, join(folder, "front-data"), { CAIRN_EGRESS_MAP: `upstream.internal=${url}` });
}

/** Makes a folder a repository whose only commit is tagged as its only version. */
async function commit(path: string): Promise<void> {
  const author = { GIT_AUTHOR_NAME: "Cairn", GIT_AUTHOR_EMAIL: "cairn@example.com" };
  const committer = { GIT_COMMITTER_NAME: "Cairn", GIT_COMMITTER_EMAIL: "cairn@example.com" };
  const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", ...author, ...committer };
  const git = (...args: string[]) => run("git", args, { cwd: path, env });
  await git("init", "--quiet");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "Everything");
  await git("tag", "v1.0.0");
}

async function serve(repository: string, data: string, more: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [join(root, "bin/cairn.mjs"), "serve", repository, "--data", data], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], PORT: "0", CAIRN_LOG_LEVEL: "warn", ...more },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise<string>((found, fail) => {
    createInterface(child.stdout).on("line", (line) => {
      const [, number] = /^Cairn serves .* at \S+:(\d+)$/.exec(line) ?? [];
      if (number !== undefined) found(number);
    });
    child.once("exit", (code) => fail(new Error(`cairn ended with ${code} before it served anything.`)));
  });
  return {
    // Under this name, because the check against DNS rebinding takes no other.
    url: `http://localhost:${port}`,
    stop: async () => {
      if (child.exitCode !== null) return;
      const exited = once(child, "exit");
      child.kill();
      await exited;
    },
  };
}

/** Runs one suite, prints what came of it, and counts the failures that are scored. */
async function runSuite(suite: Suite, url: string, parent: string): Promise<number> {
  print(`\n== ${suite.title}`);
  const out = await mkdtemp(join(parent, "out-"));
  const main = join(root, "node_modules", suite.package, "dist/index.js");
  const args = [main, "server", "--url", url, "--output-dir", out, ...suite.options];
  const { code, stdout, stderr } = await run(process.execPath, args, {
    timeout: SUITE_TIME,
    maxBuffer: 256 * 1024 * 1024,
  }).then(
    ({ stdout: text }) => ({ code: 0, stdout: text, stderr: "" }),
    (error: { code?: number | string; stdout?: string; stderr?: string }) => ({
      code: error.code ?? "a signal",
      stdout: error.stdout ?? "",
      stderr: error.stderr ?? "",
    }),
  );
  const summary = stdout.indexOf("=== SUMMARY ===");
  print(summary < 0 ? `${stdout}${stderr}` : stdout.slice(summary).trim());
  const findings = await readFindings(out);
  const scored = suite.revision === undefined ? undefined : await readRequired(suite.package, suite.revision);
  const isScored = ({ scenario }: Finding) => (isFront ? FRONTED.has(scenario) : (scored?.has(scenario) ?? true));
  const failures = findings.filter(({ status }) => status === "FAILURE");
  list("Failed", failures.filter(isScored), Infinity);
  list(
    "Failed, not scored",
    failures.filter((finding) => !isScored(finding)),
  );
  list(
    "Warnings",
    findings.filter(({ status }) => status === "WARNING"),
  );
  const count = failures.filter(isScored).length;
  // Through a front others fail, and the suite says so with its code.
  if (count > 0 || ((code === 0 || isFront) && findings.length > 0)) return count;
  print(`The suite ended with ${code} and no failed check, so it did not do what it should:\n${stderr}`);
  return 1;
}

function list(title: string, findings: readonly Finding[], length = MESSAGE_LENGTH): void {
  if (findings.length === 0) return;
  print(`\n${title}:`);
  for (const { scenario, id, errorMessage = "no reason given" } of findings) {
    print(`  ${scenario}, ${id}: ${errorMessage.slice(0, length)}`);
  }
}

/** The checks that each scenario has left in a folder of its own: `server-<scenario>-<time>`. */
async function readFindings(out: string): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const name of (await readdir(out)).sort()) {
    const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T[\dZ-]+$/, "");
    const checks = JSON.parse(await readFile(join(out, name, "checks.json"), "utf8")) as readonly Check[];
    findings.push(...checks.map((check) => ({ ...check, scenario })));
  }
  return findings;
}

/** The scenarios that the package says a revision requires. */
async function readRequired(name: string, revision: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(root, "node_modules", name, "requirements", `${revision}.yaml`), "utf8");
  const { server } = load(text) as { readonly server: readonly string[] };
  return new Set(server);
}
