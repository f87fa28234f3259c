import type { Context } from "../../../server/host-api.ts";
import { loadHead } from "./graph-state.ts";

/**
 * Checks that the newest 1,000 entries of the lineage verify, and that there are as many as mutations. Both are read
 * until no mutation came between.
 */
export async function checkLineage({ state, lineage }: Pick<Context, "state" | "lineage">): Promise<boolean> {
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
