import { workOutMergeability } from "./mergeability.ts";
import { presentPull } from "./present.ts";
import { type Actor, refuse } from "./reply.ts";
import type { Pull, State } from "./state.ts";

const IDENTITY = { name: "GitHub", email: "noreply@github.test" };

/** What whoever merges has the commit say; else it says what GitHub has it say. */
export interface LandingWords {
  readonly title?: string;
  readonly body?: string;
}

/** Merges for real: a commit on the base branch, which moves only if it is still where the decision found it. */
export async function mergePull(
  state: State,
  pull: Pull,
  method: "merge" | "squash",
  said: LandingWords,
  actor: Actor,
): Promise<string> {
  const found = await workOutMergeability(state, pull);
  if (found.tree === undefined || !["clean", "unstable"].includes(found.state)) throw refuse(405, found.reason);
  const before = state.beforeMerge;
  state.beforeMerge = undefined;
  await before?.();
  const message =
    method === "squash"
      ? `${said.title ?? `${pull.title} (#${pull.number})`}\n\n${said.body ?? pull.body}`
      : `${said.title ?? `Merge pull request #${pull.number} from ${state.owner}/${pull.head}`}\n\n${said.body ?? pull.title}`;
  const parents = method === "squash" ? [found.base] : [found.base, found.head];
  const oid = await commitTree(state, found.tree, parents, message);
  const moved = await state.git.attempt(["update-ref", `refs/heads/${pull.base}`, oid, found.base]);
  if (moved.code !== 0) throw refuse(405, "Base branch was modified. Review and try the merge again.");
  pull.state = "closed";
  pull.mergedAs = oid;
  delete pull.armed;
  state.emit("pull_request", { action: "closed", number: pull.number, pull_request: presentPull(state, pull) }, actor);
  return oid;
}

export function commitTree(state: State, tree: string, parents: readonly string[], message: string): Promise<string> {
  return state.git.git(["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])], message, {
    GIT_AUTHOR_NAME: IDENTITY.name,
    GIT_AUTHOR_EMAIL: IDENTITY.email,
    GIT_COMMITTER_NAME: IDENTITY.name,
    GIT_COMMITTER_EMAIL: IDENTITY.email,
  });
}
