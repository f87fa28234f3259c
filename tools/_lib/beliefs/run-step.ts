import type { State } from "../../../server/host-api.ts";
import { toDeviation } from "./ethical-vector.ts";
import {
  type EdgeRow,
  EDGES,
  type Head,
  loadHead,
  NODES,
  type NodeRow,
  type Page,
  PAGE_SIZE,
  saveHead,
  savePage,
  toRow,
} from "./graph-state.ts";
import { isConserved, judge } from "./judge.ts";
import { assertAnchored, type Ground, toNode } from "./open-graph.ts";
import { type Propagated, propagate } from "./propagate.ts";

/** Keys read or written at a stretch, so that messages stay small. */
const BATCH = 100;

/** One step of all nodes at once, in one transaction. Returns the head after it. */
export async function runStep({ state, lineage, fail }: Ground): Promise<Head> {
  const before = await loadHead(state);
  const pages = (await readAll<Page>(state, NODES)).map(({ value }) => value);
  const edges = (await readAll<readonly EdgeRow[]>(state, EDGES)).flatMap(({ value }) => value);
  const rows = pages.flatMap((page) => page.rows);
  for (const row of rows) assertAnchored(toNode(row), fail);
  const network = {
    beliefs: Float64Array.from(rows, ([belief]) => belief),
    energies: rows.map(([, energy]) => BigInt(energy)),
    sources: Uint32Array.from(edges, ([source]) => source),
    targets: Uint32Array.from(edges, ([, target]) => target),
    weights: Float64Array.from(edges, ([, , weight]) => weight),
  };
  // Any request to the host lets the isolate's other calls in.
  const pause = () => loadHead(state);
  await pause();
  const next = await propagate(network, pause);
  await pause();
  const after: Head = { ...before, mutations: before.mutations + 1, ...sumUp(next) };
  if (!isConserved(after)) throw fail("INVARIANT_VIOLATION", "This step would make or lose energy.");
  await writeAll(state, pages, (node, row) => toRow(next.beliefs[node] ?? row[0], next.energies[node] ?? 0n, row[2]));
  await saveHead(state, after);
  await lineage.append({ op: "edge.propagate", ...judge(after) });
  return after;
}

export async function readAll<Value>(state: State, family: string) {
  const all: { readonly key: readonly (string | number)[]; readonly value: Value }[] = [];
  for (;;) {
    const after = all.at(-1)?.key;
    const found = await state.scan<Value>([family], { limit: BATCH, ...(after === undefined ? {} : { after }) });
    all.push(...found);
    if (found.length < BATCH) return all;
  }
}

/** Pages whose rows all stay as they were are not written. */
async function writeAll(state: State, pages: readonly Page[], toNext: (node: number, row: NodeRow) => NodeRow) {
  let writing: Promise<void>[] = [];
  for (const [number, page] of pages.entries()) {
    const rows = page.rows.map((row, place) => toNext(number * PAGE_SIZE + place, row));
    const isSame = rows.every(([belief, energy], at) => belief === page.rows[at]?.[0] && energy === page.rows[at][1]);
    if (!isSame) writing.push(savePage(state, number, { ...page, rows }));
    if (writing.length < BATCH) continue;
    await Promise.all(writing);
    writing = [];
  }
  await Promise.all(writing);
}

function sumUp({ beliefs, energies }: Propagated): Pick<Head, "allocated" | "deviation"> {
  const allocated = energies.reduce((sum, energy) => sum + energy, 0n);
  const deviation = energies.reduce((sum, energy, node) => sum + toDeviation(beliefs[node] ?? 0, energy), 0);
  return { allocated: String(allocated), deviation };
}
