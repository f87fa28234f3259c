import type { Handler, State, Context } from "../../server/host-api.ts";
import { DRIFT_EPSILON, toNodeDrift } from "../_lib/beliefs/ethical-vector.ts";
import { loadHead, type Head, NODES, type Page } from "../_lib/beliefs/graph-state.ts";
import { judge, isConserved } from "../_lib/beliefs/judge.ts";
import { toNode } from "../_lib/beliefs/open-graph.ts";
import { readAll } from "../_lib/beliefs/run-step.ts";
import { toTimestamp } from "../_lib/beliefs/to-state.ts";

const governanceStatus: Handler = async (_input, ctx) => {
  const isValid = await checkLineage(ctx);
  const head = await loadHead(ctx.state);
  const { drift, isWhole } = await auditGraph(ctx.state, head);
  const isAnchored = drift <= DRIFT_EPSILON;
  return {
    checksum_valid: isValid,
    drift,
    esv_valid: isAnchored,
    coherent: isValid && isAnchored && isWhole && judge(head).coherent,
    timestamp: toTimestamp(ctx.now()),
  };
};

export default governanceStatus;

/**
 * Counts a graph anew, node by node: how far the one that is furthest off its anchor is, and whether there are as many nodes,
 * and as much energy, as the head says.
 */
async function auditGraph(state: State, head: Head): Promise<{ readonly drift: number; readonly isWhole: boolean }> {
  const pages = (await readAll<Page>(state, NODES)).map(({ value }) => value);
  let [nodes, held, drift] = [0, 0n, 0];
  for (const row of pages.flatMap((page) => page.rows)) {
    const node = toNode(row);
    nodes += 1;
    held += node.energy;
    drift = Math.max(drift, toNodeDrift(node));
  }
  return { drift, isWhole: nodes === head.nodes && String(held) === head.allocated && isConserved(head) };
}

/**
 * Checks that the newest 1,000 entries of the lineage verify, and that there are as many as mutations. Both are read
 * until no mutation came between.
 */
async function checkLineage({ state, lineage }: Pick<Context, "state" | "lineage">): Promise<boolean> {
  for (;;) {
    const { mutations } = await loadHead(state);
    const newest = await readNewest(lineage);
    if ((await loadHead(state)).mutations === mutations) return newest === mutations - 1;
  }
}

/** The number of the newest entry, -1 if there is none, nothing if the chain is broken. */
async function readNewest(lineage: Context["lineage"]): Promise<number | undefined> {
  try {
    return (await lineage.read({ from: -1_000 })).at(-1)?.seq ?? -1;
  } catch (error) {
    if (error instanceof Error && error.name === "INVARIANT_VIOLATION") return undefined;
    throw error;
  }
}
