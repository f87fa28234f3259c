// What tuning costs: node bench/tuner.ts [fold|restart|rewards]
import { Agent, request } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLmdbStore } from "../server/store/lmdb/lmdb.ts";
import { tuningKey, tuningLog } from "../server/store/keys.ts";
import type { Json } from "../server/store/store.ts";
import { createLedgers } from "../server/capabilities/tuner/ledgers.ts";
import { foldEvent } from "../server/capabilities/tuner/state/fold-event.ts";
import { toTunedSet } from "../server/capabilities/tuner/state/tuned-set.ts";
import type { TuningEvent } from "../server/capabilities/tuner/state/tuning-event.ts";
import { createTuningState, RULES } from "../server/capabilities/tuner/state/tuning-state.ts";
import type { BanditStrategy } from "../server/versions/experiment.ts";
import type { Version } from "../server/versions/version.ts";
import { tunedAgentFiles } from "../test/fixtures/tuned-agent.ts";
import { startCairn } from "../test/helpers/cairn.ts";
import { createRepository } from "../test/helpers/repository.ts";
import { createTestVersion } from "../test/helpers/test-version.ts";
import { toneSet } from "../test/server/capabilities/tuner/tuned-set.ts";

const EVENTS = 1_000_000;
const CONNECTIONS = 64;
const REWARDS = 6_000;
const ROUNDS = 5;
const ARMS = ["dry", "kind", "loud"];
const STOP = { delta: 0.05, epsilon: 0, minSamples: 30, maxSamples: 1_000_000, promote: true };
const GUARDRAIL = { maxErrorRate: 0.1, maxDrop: 0.1, delta: 0.05 };

const atEnd: (() => Promise<unknown>)[] = [];

/** One conversation after another, each of which is rewarded at once. */
function eventAt(index: number): TuningEvent {
  const arm = ARMS[(index >> 1) % 3] ?? "";
  const at = 1_700_000_000_000 + index;
  const given = { conversation: "01234567-89ab-7def-8123-456789abcdef", arm, at };
  if (index % 2 === 0) return { kind: "assigned", ...given };
  const scaled = ((index * 7919) % 1000) / 1000;
  const propensities = { dry: 0.2, kind: 0.6, loud: 0.2 };
  return { kind: "rewarded", ...given, propensities, reward: scaled, scaled, assignedAt: at - 1, actor: "ada" };
}

function fold(strategy: BanditStrategy): void {
  const set = toTunedSet(toneSet(strategy, { stop: STOP, guardrail: GUARDRAIL }), "t", "c".repeat(40));
  if (set === undefined) throw new Error("no experiment");
  let state = foldEvent(set, createTuningState(set), { kind: "opened", rules: RULES, at: 0 });
  const start = performance.now();
  for (let index = 0; index < EVENTS; index += 1) state = foldEvent(set, state, eventAt(index));
  const seconds = (performance.now() - start) / 1000;
  say(
    `fold of ${EVENTS} events, ${strategy.kind}: ${seconds.toFixed(2)} s, state ${JSON.stringify(state).length} bytes`,
  );
}

async function restart(): Promise<void> {
  const store = await openLmdbStore({ directory: join(await folder(), "store"), now: Date.now });
  atEnd.push(() => store.admin.close());
  const version: Version = { ...createTestVersion(), parameters: new Map([["style", toneSet({ kind: "thompson" })]]) };
  const log = tuningLog("t", version.commit, "style");
  for (let from = 0; from < 100_000; from += 1000) {
    const append = Array.from({ length: 1000 }, (_, index) => ({
      log,
      entry: eventAt(from + index) as unknown as Json,
    }));
    await store.commit({ append });
  }
  const open = async (what: string) => {
    const start = performance.now();
    await createLedgers({ store, now: Date.now }).open("t", version, "style");
    say(`${what}: ${(performance.now() - start).toFixed(1)} ms`);
  };
  await open("100,000 events read from the store, checked and folded, without a snapshot");
  const tail = Array.from({ length: 999 }, (_, index) => ({ log, entry: eventAt(100_000 + index) as unknown as Json }));
  await store.commit({ append: tail });
  if ((await store.get(tuningKey("t", version.commit, "style"))) === undefined) throw new Error("no snapshot");
  await open("restart from a snapshot, and 999 events after it");
  const next: Version = { ...version, commit: "d".repeat(40) };
  const ledgers = createLedgers({ store, now: Date.now, findParent: async () => version });
  await ledgers.open("t", version, "style");
  const start = performance.now();
  await (await ledgers.open("t", next, "style"))?.begin();
  const took = (performance.now() - start).toFixed(1);
  const bytes = (await store.head(tuningLog("t", next.commit, "style")))?.bytes.length;
  say(`a version begins with what one of 100,999 events has learnt: ${took} ms, ${bytes} bytes`);
}

async function rewards(): Promise<void> {
  const repository = await createRepository(await folder());
  const style = `parameters: { tone: { type: categorical, values: [dry, kind, loud], default: dry } }
experiment: { strategy: { kind: thompson } }
`;
  const files = {
    "manifests/tuner/write.yaml": `name: tuner.write
version: 1.0.0
description: A plain committed write, to compare with.
sideEffect: true
uses: [state.read, state.write]
input: { type: object, required: [key], properties: { key: { type: string } }, additionalProperties: false }
output: { type: object, properties: { status: { type: string } }, additionalProperties: false }
`,
    "tools/tuner/write.ts":
      "export default async ({ key }, ctx) => { await ctx.state.get([key]); await ctx.state.set([key], { reward: 0.5 }); return { status: 'success' }; };\n",
  };
  await repository.commit(tunedAgentFiles({ version: "1.0.0", style, files }));
  await repository.tag("v1.0.0");
  const cairn = await startCairn(["serve", repository.path, "--data", await folder()], {}, (undo) => atEnd.push(undo));
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  atEnd.push(async () => agent.destroy());
  const url = (server: string) => `${cairn.url}/agent/1.0.0/${server}`;

  const begin = async (): Promise<string> => {
    const { structuredContent } = await call(agent, url("runner"), "runner.get", {});
    return String(structuredContent["conversation_id"]);
  };
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const ids = await inParallel(REWARDS, begin);
    const plain = await rateOf((index) => call(agent, url("tuner"), "tuner.write", { key: `${round}/${index}` }));
    const rewarded = await rateOf((index) =>
      call(agent, url("tuner"), "tuner.bandit_reward", { conversation_id: ids[index], reward: 0.5 }),
    );
    ratios.push(rewarded / plain);
    say(`${plain.toFixed(0)} plain writes/s, ${rewarded.toFixed(0)} rewards/s: ${(rewarded / plain).toFixed(2)}`);
  }
  say(`median ratio ${ratios.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]?.toFixed(2)}`);
}

async function rateOf(work: (index: number) => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await inParallel(REWARDS, work);
  return REWARDS / ((performance.now() - start) / 1000);
}

async function inParallel<Value>(count: number, work: (index: number) => Promise<Value>): Promise<Value[]> {
  const results: Value[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return results;
}

function call(agent: Agent, url: string, name: string, input: object) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } });
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "content-length": Buffer.byteLength(body),
  };
  return new Promise<{ readonly structuredContent: Readonly<Record<string, unknown>> }>((resolve, reject) => {
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => {
        const { result } = JSON.parse(text) as {
          readonly result?: {
            readonly structuredContent?: Readonly<Record<string, unknown>>;
            readonly isError?: boolean;
          };
        };
        if (result?.structuredContent === undefined || result.structuredContent["status"] === "failure") {
          reject(new Error(text));
        } else resolve({ structuredContent: result.structuredContent });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "cairn-bench-"));
  atEnd.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

try {
  const [what] = process.argv.slice(2);
  if (what === undefined || what === "fold") {
    for (const kind of ["thompson", "ucb1_tuned"] as const) fold({ kind });
    fold({ kind: "sw_ucb", window: 1000, xi: 0.5 });
    fold({ kind: "d_ucb", discount: 0.9975, xi: 0.5 });
  }
  if (what === undefined || what === "restart") await restart();
  if (what === undefined || what === "rewards") await rewards();
} finally {
  for (const undo of atEnd.reverse()) await undo();
}
