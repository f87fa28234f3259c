/**
 * What invoking an artifact costs, as ratios to calling the same function in an isolate: `node bench/artifacts.ts`. All of
 * it goes through the tools as the service calls them, but for HTTP; absolute figures depend on the machine, ratios less so.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LOCAL_PRINCIPAL } from "../server/principal.ts";
import { openArtifactSandbox } from "../server/kernel/isolates/open-artifact-sandbox.ts";
import { openSandbox } from "../server/kernel/isolates/open-sandbox.ts";
import { openLmdbStore } from "../server/store/lmdb/lmdb.ts";
import { loadDirectoryTree } from "../server/versions/git/directory-tree.ts";
import { createLoader } from "../server/versions/load-version.ts";
import { openTestKernel } from "../test/helpers/kernel.ts";
import { toCall, toHandler } from "../test/server/kernel/isolates/program.ts";

const ROUNDS = 3;
const CALLS = 600;

const body = "return { count: input.items.length, sum: input.items.reduce((sum, item) => sum + item.value, 0) }";
const code = `export default function (input) { ${body} }`;
const input = { items: Array.from({ length: 20 }, (_, value) => ({ name: `item ${value}`, value })) };

const folder = await mkdtemp(join(tmpdir(), "cairn-bench-"));
const now = Date.now;
const store = await openLmdbStore({ directory: folder, now });
const sandbox = await openSandbox({ spare: false, now });
const artifacts = openArtifactSandbox({ now });
try {
  const call = await openCalls();
  const schema = { type: "object", required: ["items"], properties: { items: { type: "array" } } };
  const spoken = { description: "Adds up.", inputSchema: schema };
  await call("artifact_create", { name: "plain", code, interface: spoken });
  const nested = `export default (input, ctx) => ctx.invoke("plain", input)`;
  await call("artifact_create", { name: "nested", code: nested, interface: spoken, uses: ["invoke"] });
  const stateful = `export default async (input, ctx) => { await ctx.state.set(["n"], ((await ctx.state.get(["n"])) ?? 0) + 1); ${body} }`;
  const uses = ["state.read", "state.write"];
  await call("artifact_create", { name: "stateful", code: stateful, interface: spoken, uses });

  const inside = toCall(toHandler(body), { input });
  const direct = await measure(1, () => sandbox.run(inside));
  const rows: [string, number][] = [["the function in an isolate", direct]];
  rows.push(["the same in the artifacts' process", await measure(1, () => artifacts.run(inside))]);
  rows.push([
    "a tool without effects",
    await measure(1, () => call("genesis_ledger.get_balance", { principal_id: "a" })),
  ]);
  rows.push(["a tool with effects", await measure(1, () => call("ledger_issue", { to: "a", amount: 1 }))]);
  for (const name of ["plain", "stateful", "nested"]) {
    rows.push([
      `artifact_invoke, ${name}`,
      await measure(1, () => call("artifact_invoke", { name, arguments: input })),
    ]);
  }
  const many = await measure(16, () => sandbox.run(inside));
  rows.push(["the function in an isolate, 16 at a time", many]);
  const plain = { name: "plain", arguments: input };
  rows.push(["artifact_invoke, plain, 16 at a time", await measure(16, () => call("artifact_invoke", plain))]);
  for (const [what, cost] of rows) {
    const ratio = cost / (what.includes("16 at a time") ? many : direct);
    process.stdout.write(`${what.padEnd(42)} ${cost.toFixed(0).padStart(7)} us ${ratio.toFixed(1).padStart(7)} x\n`);
  }
} finally {
  await sandbox.close();
  await artifacts.close();
  await store.admin.close();
  await rm(folder, { recursive: true, force: true });
}

/** Microseconds a call, the best of some rounds, with `concurrency` of them at a time. */
async function measure(concurrency: number, act: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    let left = CALLS;
    const work = async () => {
      while ((left -= 1) >= 0) await act();
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: concurrency }, work));
    best = Math.min(best, ((performance.now() - start) * 1_000) / CALLS);
  }
  return best;
}

/** Calls tools of this checkout as the service does. */
async function openCalls(): Promise<(tool: string, given: object) => Promise<void>> {
  const read = await loadDirectoryTree(".");
  if (!read.ok) throw new Error("The checkout cannot be read.");
  const { load } = createLoader();
  const loaded = await load(read.tree, "a".repeat(40));
  if (!loaded.ok) throw new Error("The checkout is not valid.");
  const { version } = loaded;
  const { invoke } = openTestKernel({ store, sandbox, now, capabilities: { artifacts } });
  return async (name, given) => {
    const tool = version.tools.get(name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    const result = await invoke({ version, tool, input: given, principal: LOCAL_PRINCIPAL });
    if (!result.ok) throw new Error(`${name}: ${result.error.message}`);
  };
}
