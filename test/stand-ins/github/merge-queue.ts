import { findMissing, latestChecks, latestStatuses, workOutMergeability } from "./mergeability.ts";
import { commitTree } from "./merge-pull.ts";
import { presentPull } from "./present.ts";
import type { Actor } from "./reply.ts";
import { type Pull, rulesOf, type State } from "./state.ts";

const PREFIX = "refs/heads/gh-readonly-queue/";

/** Takes a pull request into the queue of its base; returns why not where it cannot. */
export async function enqueue(state: State, pull: Pull, actor: Actor): Promise<string | undefined> {
  if (rulesOf(state, pull.base).queue === undefined) return "The merge queue is not enabled for this branch";
  if (pull.queued !== undefined) return "Pull request is already in the queue";
  const found = await workOutMergeability(state, pull);
  if (found.tree === undefined || found.state === "blocked") return found.reason;
  pull.queued = { head: pull.headOid, group: "", base: "" };
  await advanceQueue(state, actor);
  return undefined;
}

/** Lets go of a pull request, which stays open. */
export function dequeue(state: State, pull: Pull, reason: string, by: "Bot" | "User"): void {
  delete pull.queued;
  pull.removals.push({ reason, by });
  state.emit("pull_request", { action: "dequeued", number: pull.number, pull_request: presentPull(state, pull) }, BOT);
}

const BOT: Actor = { login: "github-merge-queue[bot]", kind: "installation" };

/** Makes the commits that would land, lands the first whose checks are green, and lets go of what fails. One is tried at a time. */
export async function advanceQueue(state: State, actor: Actor): Promise<void> {
  const pull = state.pulls.find(({ queued }) => queued !== undefined);
  if (pull?.queued === undefined) return;
  const entry = pull.queued;
  const base = (await state.git.find(`refs/heads/${pull.base}`)) ?? "";
  const ref = `${PREFIX}${pull.base}/pr-${pull.number}-${base}`;
  const { queue, checks } = rulesOf(state, pull.base);
  if (entry.base !== base) {
    const { tree } = await workOutMergeability(state, pull);
    if (tree === undefined) return dequeue(state, pull, "Merge conflict", "Bot");
    const parents = queue === "MERGE" ? [base, pull.headOid] : [base];
    entry.group = await commitTree(state, tree, parents, `${pull.title} (#${pull.number})\n\nGroup ${state.nextId()}`);
    entry.base = base;
    await state.git.git(["update-ref", ref, entry.group]);
    state.emit(
      "merge_group",
      { action: "checks_requested", merge_group: { head_sha: entry.group, head_ref: ref } },
      actor,
    );
  }
  const ended = [...latestChecks(state, entry.group), ...latestStatuses(state, entry.group)];
  const isRed = ended.some((one) => ("context" in one ? one.state === "failure" : one.conclusion === "failure"));
  if (isRed) {
    await state.git.git(["update-ref", "-d", ref]);
    return dequeue(state, pull, "Failed status checks", "Bot");
  }
  if (findMissing(state, entry.group, checks) !== undefined) return;
  await state.git.git(["update-ref", `refs/heads/${pull.base}`, entry.group, base]);
  await state.git.git(["update-ref", "-d", ref]);
  pull.state = "closed";
  pull.mergedAs = entry.group;
  delete pull.queued;
  pull.removals.push({ reason: "merged", by: "Bot" });
  state.emit("pull_request", { action: "closed", number: pull.number, pull_request: presentPull(state, pull) }, actor);
  await advanceQueue(state, actor);
}
