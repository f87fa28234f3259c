import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openLmdbStore } from "../../server/store/lmdb/lmdb.ts";
import { callCounter, createCounter, startCounting } from "../fixtures/counter.ts";
import { agentFiles } from "../helpers/agent.ts";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { createRepository } from "../helpers/repository.ts";
import { createSlowNode } from "../helpers/slow-maps.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

const LONG = Boolean(process.env["CAIRN_LONG"]);
const ROUNDS = LONG ? 200 : 12;
interface Ended {
  readonly args: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command; killed after so many milliseconds, if it takes longer. */
async function run(node: string, args: readonly string[], killAfter?: number): Promise<Ended> {
  const child = spawn(node, [resolve("bin/cairn.mjs"), ...args], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfter);
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  return { args: args.join(" "), code, signal, stdout, stderr };
}

test(
  `[D7] a service, commands beside it, and kills of both: no crash, nothing lost, no false alarm in ${ROUNDS} rounds`,
  { timeout: LONG ? 40 * 60_000 : 300_000 },
  async (context) => {
    const { program: node, findCores } = await createSlowNode(context);
    const data = ["--data", join(await temporaryFolder(), "data")] as const;
    const backups = await temporaryFolder();
    const repository = await createRepository();
    await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: { count: createCounter(20_000) } }));
    const made: string[] = [];
    const ended: Ended[] = [];
    const services: RunningCairn[] = [];
    const createToken = async (actor: string) => {
      const result = await run(node, [
        "token",
        "create",
        "--tenant",
        "acme",
        "--actor",
        actor,
        "--scopes",
        "*",
        ...data,
      ]);
      if (result.code === 0) made.push(actor);
      return result;
    };
    const first = await createToken("first");
    const token = first.stdout.trim();
    const load = startCounting(token);
    const start = async () => {
      const args = ["serve", repository.path, ...data];
      const cairn = await startCairn(args, {}, onTestFinished, undefined, node);
      load.aim(cairn.url);
      services.push(cairn);
      return cairn;
    };

    let cairn = await start();
    for (let round = 1; round <= ROUNDS; round++) {
      const running = [
        createToken(`round-${round}`),
        run(node, ["token", "list", ...data], round % 3 === 0 ? 100 + ((round * 37) % 300) : undefined),
        run(node, ["audit", "query", "--tenant", "acme", "--kind", "change", ...data]),
        run(node, ["usage", "1.0.0", ...data]),
      ];
      if (round % 4 === 0) running.push(run(node, ["backup", join(backups, `${round}`), ...data]));
      if (round % 6 === 0) {
        // Some commands lose the service that they ask, and others come while there is none and while one starts.
        await cairn.stop("SIGKILL");
        running.push(run(node, ["token", "list", ...data]), createToken(`between-${round}`));
        cairn = await start();
      }
      ended.push(...(await Promise.all(running)));
    }
    await load.stop();
    const listed = await run(node, ["token", "list", ...data]);
    expect(await cairn.stop()).toBe(0);

    expect(ended.filter(({ signal }) => signal !== null && signal !== "SIGKILL")).toEqual([]);
    expect(await findCores()).toEqual([]);
    const said = [...ended.map(({ stderr }) => stderr), ...services.map(({ output }) => output())];
    expect(said.filter((text) => /damaged|put a backup|"level":"error"/.test(text))).toEqual([]);
    // Nothing else may keep a command from its work than that the service which it asked was killed.
    const refused = ended.filter(({ code, stderr }) => code !== 0 && code !== null && !/ended before it/.test(stderr));
    expect(refused).toEqual([]);

    const whole = await Promise.all(
      (await readdir(backups)).map((name) => run(node, ["restore", join(backups, name), "--check"])),
    );
    expect([whole.length > 0, whole.filter(({ code }) => code !== 0)]).toEqual([true, []]);

    for (const actor of made) expect(listed.stdout).toContain(` ${actor} `);
    const { url } = await start();
    for (const [lane, n] of load.acknowledged.entries()) expect(await callCounter(url, token, lane)).toBeGreaterThan(n);
    expect(Math.min(...load.acknowledged)).toBeGreaterThan(ROUNDS);
    await services.at(-1)?.stop();
    const store = await openLmdbStore({ directory: join(data[1], "store") });
    expect(await store.admin.check()).toEqual([]);
    await store.admin.close();
  },
);

test("of services that start on one data folder in the same instant one serves, and each other is refused and told by whom", async () => {
  const data = join(await temporaryFolder(), "data");
  const repository = await createRepository();
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: { count: createCounter(20_000) } }));
  const starts = await Promise.allSettled([
    startCairn(["serve", repository.path, "--data", data]),
    startCairn(["dev", repository.path, "--data", data]),
    startCairn(["serve", repository.path, "--data", data]),
  ]);
  const services = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
  const refusals = starts.flatMap((start) => (start.status === "rejected" ? [String(start.reason)] : []));
  expect([services.length, refusals.length]).toEqual([1, 2]);
  for (const refusal of refusals) {
    expect(refusal.replace(/^Error: cairn ended with 3:\n/, "").replace(data, "DATA")).toMatch(
      new RegExp(
        `^cairn: \`DATA\` is in use by \`cairn (?:serve|dev)\` \\(process ${services[0]?.pid}, since 20\\d\\d-\\S+Z\\): one process ` +
          "at a time can use a data folder, so stop that one, or name another folder with `--data`\\.\n$",
      ),
    );
  }
  expect((await fetch(`${services[0]?.url}/versions`)).status).toBe(200);
});
