/**
 * How fast recorded calls are replayed, as a ratio to the same calls made live: `node bench/replay.ts`. The calls are those of
 * the ticket desk in `test/agents/desk` that need no host, through the kernel as the service has it, but for HTTP.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTrial } from "../server/examples/open-trial.ts";
import { readPages } from "../server/examples/recorded-calls.ts";
import { createReplay, replayCalls } from "../server/examples/replay.ts";
import { createTally } from "../server/examples/tally-replays.ts";
import { openSandbox } from "../server/kernel/isolates/open-sandbox.ts";
import { LOCAL_PRINCIPAL } from "../server/principal.ts";
import { openLmdbStore } from "../server/store/lmdb/lmdb.ts";
import { loadDirectoryTree } from "../server/versions/git/directory-tree.ts";
import { createLoader } from "../server/versions/load-version.ts";
import { openTestKernel } from "../test/helpers/kernel.ts";

const CALLS = 2_000;
const TICKETS = 40;
/** Live calls side by side, as replays are. */
const AT_ONCE = 32;
const HOUR = 3_600_000;

const folder = await mkdtemp(join(tmpdir(), "cairn-bench-"));
const now = Date.now;
const store = await openLmdbStore({ directory: folder, now });
const sandbox = await openSandbox({ spare: false, now });
const trial = await openTrial({ egressMap: new Map(), now });
try {
  const [before, after] = [await loadDesk("a"), await loadDesk("b")];
  const { invoke, settled } = openTestKernel({ store, sandbox, now, bodyTtl: HOUR });
  const call = async (name: string, input: object) => {
    const tool = before.tools.get(name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    const result = await invoke({ version: before, tool, input, principal: LOCAL_PRINCIPAL });
    if (!result.ok) throw new Error(`${name}: ${result.error.message}`);
    return result.output as { readonly ticket?: { readonly id: string } };
  };
  const ids: string[] = [];
  for (let count = 0; count < TICKETS; count++) ids.push((await call("desk.open", { title: "T" })).ticket?.id ?? "");
  const live = await measure(async () => {
    let next = 0;
    const work = async () => {
      for (let at = next++; at < CALLS; at = next++) await act(at, ids[at % TICKETS] ?? "");
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await settled();
  });
  const tally = createTally();
  const replayed = await measure(async () => {
    const replay = createReplay(before, after, trial);
    for await (const page of readPages(store, LOCAL_PRINCIPAL.tenant, before.commit)) {
      for (const [, result] of await replayCalls(replay, page, LOCAL_PRINCIPAL.tenant)) tally.add(result);
    }
  });
  const rows = [
    ["live, taped", CALLS, live],
    ["replayed", CALLS + TICKETS, replayed],
  ] as const;
  for (const [what, count, ms] of rows) {
    process.stdout.write(
      `${what.padEnd(12)} ${count} calls in ${ms.toFixed(0)} ms, ${((count / ms) * 1_000).toFixed(0)} a second\n`,
    );
  }
  const ratio = (CALLS + TICKETS) / replayed / (CALLS / live);
  process.stdout.write(
    `replays are ${ratio.toFixed(1)} times as fast as live calls; ${JSON.stringify(tally.counts())}\n`,
  );

  async function act(at: number, id: string): Promise<void> {
    if (at % 4 === 0) await call("desk.list", {});
    else if (at % 4 === 1) await call("desk.comment", { id, text: "More." });
    else await call("desk.read", { id });
  }
} finally {
  await trial.close();
  await sandbox.close();
  await store.admin.close();
  await rm(folder, { recursive: true, force: true });
}

async function measure(act: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

async function loadDesk(digit: string) {
  const read = await loadDirectoryTree("test/agents/desk");
  if (!read.ok) throw new Error("The desk cannot be read.");
  const loaded = await createLoader().load(read.tree, digit.repeat(40));
  if (!loaded.ok) throw new Error("The desk is not valid.");
  return loaded.version;
}
