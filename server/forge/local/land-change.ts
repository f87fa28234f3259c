import type { Landing } from "../forge.ts";
import { quote } from "../../capabilities/workspace/check-path.ts";
import { explainChecks, explainWait } from "../to-checks.ts";
import type { KnownChange } from "./change-book.ts";
import { mergeTrees } from "./merge-trees.ts";
import { type Parts, readChecks } from "./parts.ts";

const MAX_NAMED = 10;

/**
 * Moves the base forward to the head of a change: what is on the base then is what was checked, to the bit. Between the
 * look at the refs and the move nothing can slip in, because the move names where the base has to be.
 */
export async function landChange(
  parts: Parts,
  change: KnownChange,
  options: { readonly expectHead: string; readonly mode: "now" | "when-green" },
): Promise<Landing> {
  const { changes, checks } = parts;
  const { key, state, head, refs, at } = change;
  const refuse = (outcome: "stale" | "blocked" | "conflict" | "behind", reason: string) => ({ outcome, reason });
  if (state === "closed")
    return refuse("blocked", `The change is closed: ${change.record.reason ?? "its branch is gone"}`);
  if (head !== options.expectHead) return refuse("stale", `The change is at \`${head}\`.`);
  if (state === "merged") {
    // A person's push has landed it, or a loss of power left something to be done.
    if (change.record.state === "open" || at.branch === head) await changes.close(change, { state: "merged" });
    return { outcome: "merged", oid: head };
  }
  const missing = await findObstacle(parts, change);
  if (missing !== undefined) return missing;
  const { checks: result, runs } = await readChecks(parts, head);
  if (result !== "green") {
    if (options.mode === "now" || result === "red") {
      return refuse("blocked", explainChecks(parts.required, runs));
    }
    await checks.arm(head, key);
    return { outcome: "armed", reason: explainWait(parts.required) };
  }
  try {
    const move = { ref: refs.base, to: head, ...(at.base !== undefined && { from: at.base }) };
    await changes.close(change, { state: "merged" }, [move]);
  } catch (cause) {
    const now = await changes.find(key);
    if (now?.head !== head) return refuse("stale", `The change is at \`${now?.head ?? "no commit"}\`.`);
    if (now.state === "open" && now.at.base !== at.base) return refuse("behind", "The base has moved just now.");
    throw cause;
  }
  await checks.disarm(head, key);
  return { outcome: "merged", oid: head };
}

async function findObstacle(
  { repository }: Parts,
  { head, refs, at, record }: KnownChange,
): Promise<Exclude<Landing, { outcome: "merged" }> | undefined> {
  if (at.base === undefined) return { outcome: "blocked", reason: `The branch \`${record.base}\` is gone.` };
  if (!(await repository.isAncestor(at.base, head))) {
    const merged = await mergeTrees(repository, head, at.base);
    if (merged.ok) return { outcome: "behind", reason: `The branch \`${record.base}\` has moved to \`${at.base}\`.` };
    const named = merged.paths.slice(0, MAX_NAMED).map(quote).join(", ");
    const more = merged.paths.length > MAX_NAMED ? `, and ${merged.paths.length - MAX_NAMED} more` : "";
    return { outcome: "conflict", reason: `The branch \`${record.base}\` has other changes in ${named}${more}.` };
  }
  // Files and index there would look as if somebody wanted to take the change back.
  const place = await repository.findCheckout([refs.base, refs.branch]);
  if (place === undefined) return undefined;
  const reason = `\`${place}\` has \`${record.base}\` or the change checked out; have another branch there, or none, as by \`git switch --detach\`.`;
  return { outcome: "blocked", reason };
}
