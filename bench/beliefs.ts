/**
 * What the belief graph costs at 100,000 nodes and 300,000 edges: `node bench/beliefs.ts [nodes] [edges]`. The graph is put
 * into the store as its tools would have left it; everything measured goes over HTTP to a service in a process of its own.
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLmdbStore } from "../server/store/lmdb/lmdb.ts";
import { stateKey } from "../server/store/keys.ts";
import type { Json, Write } from "../server/store/store.ts";
import { PARTS, TOTAL_ENERGY } from "../tools/_lib/beliefs/energy.ts";
import { toDeviation } from "../tools/_lib/beliefs/ethical-vector.ts";
import { type EdgeRow, PAGE_SIZE, SEGMENT_SIZE, toRow } from "../tools/_lib/beliefs/graph-state.ts";
import { startCairn } from "../test/helpers/cairn.ts";
import { createCheckoutRepository } from "../test/helpers/checkout-repository.ts";
import { createShared } from "../test/helpers/temporary.ts";

const STEP_GOAL_MS = 5_000;
const MUTATION_GOAL_MS = 5;
const CALLS = 200;
/** A call of another server, to see what waits. */
const DECISION = { states: [{ name: "rain" }], alternatives: [{ name: "wait", payoffs: [1] }] };

const [nodes = 100_000, edges = 300_000] = process.argv.slice(2).map(Number);
const { atEnd, undoAll } = createShared();
const folder = await mkdtemp(join(tmpdir(), "cairn-bench-"));
try {
  const data = join(folder, "data");
  await seed(join(data, "store"));
  const { repository } = await createCheckoutRepository(join(folder, "agent"));
  const cairn = await startCairn(["serve", repository.path, "--data", data], {}, atEnd);
  const call = async (tool: string, input: object): Promise<number> => {
    const began = performance.now();
    const response = await fetch(`${cairn.url}/agent/0.1.0/api/tools/${tool}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${tool}: ${text}`);
    return performance.now() - began;
  };
  const any = () => String(Math.floor(Math.random() * nodes));
  const inputs = {
    "governor.status": () => ({}),
    "node.query": () => ({ node_id: any() }),
    "node.mutate": () => ({ node_id: any(), delta: Math.random() - 0.5 }),
    "node.create": () => ({ belief: 0.5, energy: 1 }),
    "edge.bind": () => {
      const [a, b] = [Number(any()), Number(any())];
      return { src: String(Math.min(a, b)), dst: String(Math.max(a, b, 1)), weight: 1 };
    },
  };
  const medians = new Map<string, number>();
  for (const [tool, toInput] of Object.entries(inputs)) {
    const times: number[] = [];
    for (let count = 0; count < CALLS; count += 1) times.push(await call(tool, toInput()));
    times.sort((a, b) => a - b);
    medians.set(tool, times[CALLS / 2] ?? 0);
    write(`${tool}: ${show(times[CALLS / 2])} ms in the middle, ${show(times[Math.floor(CALLS * 0.95)])} ms at 95 %`);
  }
  await call("edge.propagate", { edge_id: "0" });
  const step = () => call("edge.propagate", { edge_id: "0" });
  const first = await during(step, () => call("decide_evaluate", DECISION));
  const second = await during(step, () => call("node.query", { node_id: any() }));
  const took = Math.max(first.took, second.took);
  write(
    `edge.propagate: ${show(took)} ms; meanwhile ${first.times.length} decide_evaluate took ${show(first.longest)} ms at most`,
  );
  write(`edge.propagate again; meanwhile ${second.times.length} node.query took ${show(second.longest)} ms at most`);
  write(`memory: ${memoryOf(cairn.pid)} MB of the service and its sandbox together`);
  const mutation = medians.get("node.mutate") ?? Infinity;
  const isFast = took < STEP_GOAL_MS && mutation < MUTATION_GOAL_MS;
  write(`a step under ${STEP_GOAL_MS} ms and a mutation under ${MUTATION_GOAL_MS} ms: ${isFast ? "pass" : "FAIL"}`);
  process.exitCode = isFast ? 0 : 1;
} finally {
  await undoAll();
  await rm(folder, { recursive: true });
}

/** Edges lead from lower numbers to higher ones; levels are as low as can be. */
async function seed(directory: string): Promise<void> {
  const bound: EdgeRow[] = [];
  while (bound.length < edges) {
    const [a, b] = [Math.floor(Math.random() * nodes), Math.floor(Math.random() * nodes)];
    if (a !== b) bound.push([Math.min(a, b), Math.max(a, b), Math.random() * 20 - 10]);
  }
  const levels = new Uint32Array(nodes);
  for (const [source, target] of bound.toSorted(([a], [b]) => a - b)) {
    levels[target] = Math.max(levels[target] ?? 0, (levels[source] ?? 0) + 1);
  }
  const rows = Array.from(levels, (level) => toRow(Math.random(), 100n * PARTS, level));
  const bySource = Map.groupBy(bound, ([source]) => Math.floor(source / PAGE_SIZE));
  const writes: Write[] = [];
  const put = (key: (string | number)[], value: unknown) =>
    void writes.push({ key: stateKey("local", "beliefs", "beliefs", key), value: value as Json });
  for (let page = 0; page * PAGE_SIZE < nodes; page += 1) {
    const own = bySource.get(page) ?? [];
    put(["nodes", page], { rows: rows.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE), edges: own.length });
    for (let segment = 0; segment * SEGMENT_SIZE < own.length; segment += 1) {
      put(["edges", page, segment], own.slice(segment * SEGMENT_SIZE, (segment + 1) * SEGMENT_SIZE));
    }
  }
  const allocated = BigInt(nodes) * 100n * PARTS;
  put(["head"], {
    nodes,
    edges,
    mutations: 0,
    reservoir: String(TOTAL_ENERGY - allocated),
    allocated: String(allocated),
    deviation: rows.reduce((sum, [belief, energy]) => sum + toDeviation(belief, BigInt(energy)), 0),
  });
  const store = await openLmdbStore({ directory, now: Date.now });
  for (let from = 0; from < writes.length; from += 500) await store.commit({ set: writes.slice(from, from + 500) });
  await store.admin.close();
}

/** How long `work` takes, and what is asked one after another until it is done. */
async function during(work: () => Promise<number>, ask: () => Promise<number>) {
  const state = { isOver: false };
  const working = work().finally(() => void (state.isOver = true));
  const times: number[] = [];
  while (!state.isOver) times.push(await ask());
  return { took: await working, times, longest: Math.max(...times) };
}

function memoryOf(pid: number): number {
  const own = execFileSync("ps", ["-o", "rss=", "--pid", String(pid), "--ppid", String(pid)]).toString();
  return Math.round(
    own
      .trim()
      .split(/\s+/)
      .map(Number)
      .reduce((a, b) => a + b, 0) / 1024,
  );
}

function show(milliseconds = 0): string {
  return milliseconds.toFixed(1);
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
