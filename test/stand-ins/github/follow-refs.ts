import { mergeArmed } from "./graphql.ts";
import { advanceQueue, dequeue } from "./merge-queue.ts";
import { closePull } from "./pull-routes.ts";
import { presentPull } from "./present.ts";
import type { Actor } from "./reply.ts";
import { type Pull, rulesOf, type State } from "./state.ts";

const NONE = "0".repeat(40);

/** Makes true what follows from what a request changed, whoever asked: pushes are told, pull requests follow their branches. */
export async function followRefs(state: State, actor: Actor): Promise<void> {
  await mergeArmed(state, actor);
  await advanceQueue(state, actor);
  const before = state.refs;
  const after = await state.git.refs();
  state.refs = after;
  const moved = [...new Set([...before.keys(), ...after.keys()])].filter(
    (ref) => /^refs\/(?:heads|tags)\//.test(ref) && before.get(ref) !== after.get(ref),
  );
  for (const ref of moved) {
    const [old, now] = [before.get(ref), after.get(ref)];
    const facts = { created: old === undefined, deleted: now === undefined };
    state.emit("push", { ref, before: old ?? NONE, after: now ?? NONE, ...facts }, actor);
    for (const pull of state.pulls) {
      if (pull.state !== "open") continue;
      if (ref === `refs/heads/${pull.head}`) followHead(state, pull, old, now, actor);
      else if (ref === `refs/heads/${pull.base}`) await followBase(state, pull, now, actor);
    }
  }
  for (const { number, headOid } of state.pulls) {
    const ref = `refs/pull/${number}/head`;
    if (after.get(ref) !== headOid) await state.git.git(["update-ref", ref, headOid]);
  }
  // What was armed may be ready now, and its landing moves refs again.
  if (moved.length > 0) await followRefs(state, actor);
}

function followHead(state: State, pull: Pull, old: string | undefined, now: string | undefined, actor: Actor): void {
  if (now === undefined) return closePull(state, pull, actor);
  if (now === pull.headOid) return undefined;
  pull.headOid = now;
  if (pull.queued !== undefined) dequeue(state, pull, "The head of the pull request was changed", "User");
  pull.removals = [];
  if (rulesOf(state, pull.base).dismisses === true) {
    pull.reviews = pull.reviews.map((one) => (one.state === "APPROVED" ? { ...one, state: "DISMISSED" } : one));
    pull.ownerApproves = false;
  }
  const payload = { action: "synchronize", number: pull.number, before: old, after: now };
  return state.emit("pull_request", { ...payload, pull_request: presentPull(state, pull) }, actor);
}

/** Commits that someone pushed to the base are merged. */
async function followBase(state: State, pull: Pull, now: string | undefined, actor: Actor): Promise<void> {
  if (now === undefined) return;
  const { code } = await state.git.attempt(["merge-base", "--is-ancestor", pull.headOid, now]);
  if (code !== 0) return;
  pull.mergedAs = now;
  closePull(state, pull, actor);
}
