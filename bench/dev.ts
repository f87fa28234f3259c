/**
 * How soon `cairn dev` answers with a file that was saved: `node bench/dev.ts [rounds]`. The same edit is measured against
 * starting `cairn dev` anew, and against `cairn validate`, in one run.
 */
import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { startCairn } from "../test/helpers/cairn.ts";
import { createShared, temporaryFolder } from "../test/helpers/temporary.ts";

const COMMAND = resolve("bin/cairn.mjs");
const HANDLER = "tools/runner/greet.ts";
const TOOL = "/agent/dev/api/tools/runner.greet";
/** Milliseconds between two looks. */
const LOOK = 2;
const STARTS = 5;

const rounds = Number(process.argv[2] ?? "15");
const { atEnd, undoAll } = createShared();
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

try {
  const agent = join(await temporaryFolder(atEnd), "agent");
  const run = (...args: readonly string[]) => promisify(execFile)(process.execPath, [COMMAND, ...args]);
  await run("init", agent);
  const source = await readFile(join(agent, HANDLER), "utf8");
  const data = await temporaryFolder(atEnd);
  const start = () => startCairn(["dev", agent, "--data", data], {}, atEnd);
  const [starts, saves, checks]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < STARTS; round += 1) {
    await rm(data, { recursive: true, force: true });
    starts.push(
      await time(
        async () => {
          const service = await start();
          await answered(service.url, "Hello, Ada!");
          return service;
        },
        (service) => service.stop(),
      ),
    );
    checks.push(await time(() => run("validate", agent)));
  }
  const { url } = await start();
  await answered(url, "Hello, Ada!");
  for (let round = 0; round < rounds; round += 1) {
    const save = () => writeFile(join(agent, HANDLER), source.replace("Hello, ", `Hello ${round}, `));
    saves.push(await time(() => save().then(() => answered(url, `Hello ${round}, Ada!`))));
  }
  const [saved, started, checked] = [median(saves), median(starts), median(checks)];
  const ratio = (other: number) => (other / saved).toFixed(1);
  process.stdout.write(
    `a saved handler answers after ${saved.toFixed(0)} ms (median of ${rounds}, most ${Math.max(...saves).toFixed(0)} ms)\n` +
      `starting cairn dev anew: ${started.toFixed(0)} ms, ${ratio(started)} times as long\n` +
      `cairn validate: ${checked.toFixed(0)} ms, ${ratio(checked)} times as long\n`,
  );
} finally {
  await undoAll();
}

/** Milliseconds that work takes; what it made is let go of afterwards. */
async function time<Made>(work: () => Promise<Made>, end?: (made: Made) => Promise<unknown>): Promise<number> {
  const began = performance.now();
  const made = await work();
  const took = performance.now() - began;
  await end?.(made);
  return took;
}

/** Asks until the answer is `greeting`. */
async function answered(url: string, greeting: string): Promise<void> {
  for (;;) {
    const headers = { "content-type": "application/json" };
    const response = await fetch(url + TOOL, { method: "POST", headers, body: '{"name":"Ada"}' });
    const { greeting: found } = (await response.json()) as { readonly greeting?: string };
    if (found === greeting) return;
    await setTimeout(LOOK);
  }
}
