import { workOutMergeability } from "./mergeability.ts";
import { presentPull } from "./present.ts";
import { type Actor, refuse } from "./reply.ts";
import { rulesOf, type Pull, type State } from "./state.ts";

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
  const rules = rulesOf(state, pull.base);
  if (rules.queue !== undefined) {
    throw refuse(405, "Repository rule violations found\n\nChanges must be made through the merge queue");
  }
  const name = method === "squash" ? "Squash merges" : "Merge commits";
  if (!state.methods.has(method)) throw refuse(405, `${name} are not allowed on this repository.`);
  if (rules.methods?.includes(method) === false || (rules.linear === true && method === "merge")) {
    throw refuse(405, `Repository rule violations found\n\n${name} are not allowed on this branch.`);
  }
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

/** Makes a commit as the host does, which signs it. */
export async function commitTree(
  state: State,
  tree: string,
  parents: readonly string[],
  message: string,
): Promise<string> {
  const oid = await state.git.git(["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])], message, {
    GIT_AUTHOR_NAME: IDENTITY.name,
    GIT_AUTHOR_EMAIL: IDENTITY.email,
    GIT_COMMITTER_NAME: IDENTITY.name,
    GIT_COMMITTER_EMAIL: IDENTITY.email,
  });
  state.signed.add(oid);
  return oid;
}
