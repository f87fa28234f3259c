/**
 * How long feedback takes from its post until its version is live on a local forge: `node bench/architect.ts [changes]`.
 * The feedback changes one description of Cairn's own agent. Beside each change stands the same made by hand, with the
 * numbers known: commit, push, tag, push, until the service has it. At the end, ten changes of neighbouring keys of one
 * file are sent at the same moment.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startCairn } from "../test/helpers/cairn.ts";
import { createShared, temporaryFolder } from "../test/helpers/temporary.ts";

const run = promisify(execFile);
const CHANGES = Number(process.argv[2] ?? 15);
/** Milliseconds that the median is to stay below on two cores. */
const GOAL = 3_000;
const MANIFEST = "manifests/runner/chat.yaml";
const CROWD = 10;

interface Measured {
  readonly total: number;
  /** Milliseconds by what they went into. */
  readonly parts: ReadonlyMap<string, number>;
}

const { atEnd, undoAll } = createShared();
try {
  const folder = await temporaryFolder(atEnd);
  const cairn = await startCairn(["serve", "--data", join(folder, "data")], {}, atEnd);
  const clone = join(folder, "clone");
  await run("git", ["clone", "--quiet", join(folder, "data", "origin.git"), clone]);
  const cold = await measureFeedback(cairn.url, "cold");
  await settle(cairn.url);
  const [changes, byHand]: [Measured[], number[]] = [[], []];
  for (let at = 0; at < CHANGES; at += 1) {
    changes.push(await measureFeedback(cairn.url, `number ${at}`));
    await settle(cairn.url);
    byHand.push(await measureByHand(cairn.url, clone, at));
  }
  const crowd = await measureCrowd(cairn.url, clone);
  tell(cold, changes, byHand, crowd);
} finally {
  await undoAll();
}

async function measureFeedback(url: string, text: string): Promise<Measured> {
  const began = performance.now();
  const response = await fetch(`${url}/agent/latest/architect/chat`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ message: `Set the description of runner.chat to "Talks, ${text}."` }),
  });
  const parts = new Map<string, number>();
  let [last, lines, answer] = [began, "", ""];
  for await (const chunk of response.body ?? []) {
    lines += new TextDecoder().decode(chunk);
    const now = performance.now();
    const events = lines.split("\n\n");
    lines = events.pop() ?? "";
    for (const event of events) {
      const name = /^event: (.*)$/m.exec(event)?.[1] ?? "";
      const data = JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? "{}") as { stage?: string; message?: string };
      const part = toPart(name, data.stage, data.message);
      if (part !== undefined) {
        parts.set(part, (parts.get(part) ?? 0) + now - last);
        last = now;
      }
      if (name === "answer") answer = event;
    }
  }
  if (!answer.includes('"committed"')) throw new Error(`The feedback was not committed: ${answer}`);
  return { total: performance.now() - began, parts };
}

/** Milliseconds until the last of many changes of one file, sent at once, is live; each has to land. */
async function measureCrowd(url: string, clone: string): Promise<number> {
  const keys = Array.from({ length: CROWD }, (_, at) => `  p${at}: { type: int, min: 0, max: 9, default: 0 }\n`);
  await git(clone, "pull", "--quiet", "--ff-only");
  await writeFile(join(clone, "manifests/parameters/crowd.yaml"), `parameters:\n${keys.join("")}`);
  await release(url, clone, "minor");
  const began = performance.now();
  const answers = await Promise.all(
    keys.map(async (_, at) => {
      const response = await fetch(`${url}/agent/latest/architect/chat`, {
        method: "POST",
        headers: { "content-type": "application/json", prefer: "wait=300" },
        body: JSON.stringify({ message: `Set p${at} of crowd to 7.` }),
      });
      return (await response.json()) as { readonly result?: string; readonly notes?: string };
    }),
  );
  const total = performance.now() - began;
  const others = answers.filter(({ result }) => result !== "committed");
  for (const { result, notes } of others) process.stdout.write(`not landed: ${result}: ${notes}\n`);
  process.stdout.write(`${CROWD - others.length} of ${CROWD} at once landed\n`);
  return total;
}

/** Once a version is live, all its examples are run in the background; what comes next is not to be measured beside that. */
async function settle(url: string): Promise<void> {
  for (;;) {
    const { tests } = (await (await fetch(`${url}/versions/latest`)).json()) as { tests: { last_run?: string } };
    if (tests.last_run !== undefined) return;
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

/** What has just been done when the service tells of the next thing. */
function toPart(event: string, stage = "", message = ""): string | undefined {
  if (event === "feedback") return "intake";
  if (event === "answer") return "end";
  const check = /^(\w+): /.exec(message)?.[1];
  if (stage === "verify") return check === undefined ? "raise" : `check ${check}`;
  return { execute: "plan, workspace", propose: "evidence, gate", land: "propose, land", tag: "tag", end: "live" }[
    stage
  ];
}

/** The same by somebody who knows which numbers it needs. */
async function measureByHand(url: string, clone: string, at: number): Promise<number> {
  await git(clone, "pull", "--quiet", "--ff-only");
  const text = await readFile(join(clone, MANIFEST), "utf8");
  const tool = raise(/^version: (\S+)$/m.exec(text)?.[1] ?? "", "patch");
  const began = performance.now();
  await writeFile(
    join(clone, MANIFEST),
    text.replace(/^version: .*$/m, `version: ${tool}`).replace(/^description: .*$/m, `description: By hand, ${at}.`),
  );
  await release(url, clone, "patch");
  return performance.now() - began;
}

/** Commits what stands in the clone as the next version, and waits until it is served. */
async function release(url: string, clone: string, level: "minor" | "patch"): Promise<void> {
  const history = join(clone, "versions.yaml");
  const text = await readFile(history, "utf8");
  const version = raise(/^current: (\S+)$/m.exec(text)?.[1] ?? "", level);
  const entry = `versions:\n  ${version}:\n    changes: [By hand.]\n`;
  await writeFile(history, text.replace(/^current: .*$/m, `current: ${version}`).replace(/^versions:\n/m, entry));
  await git(clone, "add", "--all");
  await git(clone, "commit", "--quiet", "--message", "By hand");
  await git(clone, "push", "--quiet");
  await git(clone, "tag", "--annotate", "--message", `Version ${version}`, `v${version}`);
  await git(clone, "push", "--quiet", "origin", `v${version}`);
  while (!(await fetch(`${url}/agent/${version}/openapi.json`)).ok) await new Promise(setImmediate);
}

function git(clone: string, ...args: string[]) {
  return run("git", ["-C", clone, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args]);
}

function raise(version: string, level: "minor" | "patch"): string {
  const [major, minor = 0, patch = 0] = version.split(".").map(Number);
  return level === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

function tell(cold: Measured, changes: readonly Measured[], byHand: readonly number[], crowd: number): void {
  const row = (name: string, ...values: number[]) =>
    process.stdout.write(
      `${name.padEnd(24)}${values.map((value) => `${value.toFixed(0)} ms`.padStart(10)).join("")}\n`,
    );
  process.stdout.write(`${"".padEnd(24)}${"median".padStart(10)}${"first".padStart(10)}\n`);
  const names = [...new Set(changes.flatMap(({ parts }) => [...parts.keys()]))];
  for (const name of names) {
    row(name, median(changes.map(({ parts }) => parts.get(name) ?? 0)), cold.parts.get(name) ?? 0);
  }
  const total = median(changes.map((change) => change.total));
  row("post to live", total, cold.total);
  row("the same by hand", median(byHand));
  row(`${CROWD} at once`, crowd);
  const ratio = median(changes.map((change, at) => change.total / (byHand[at] ?? Number.NaN)));
  process.stdout.write(`ratio ${ratio.toFixed(1)}; below ${GOAL} ms: ${total < GOAL ? "pass" : "FAIL"}\n`);
  process.exitCode = total < GOAL ? 0 : 1;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
