import { commitTree, mergePull } from "./merge-pull.ts";
import { workOutMergeability } from "./mergeability.ts";
import type { Actor } from "./reply.ts";
import type { State } from "./state.ts";

type Input = Readonly<Record<string, unknown>>;
type Answer = { readonly data: unknown } | { readonly data: null; readonly errors: readonly unknown[] };

/** The mutations that have no counterpart in REST. GraphQL answers 200 whatever happens. */
export async function answerGraphql(state: State, body: Input, actor: Actor): Promise<Answer> {
  const query = String(body["query"]);
  const [, mutation = ""] = /\b(createCommitOnBranch|enablePullRequestAutoMerge)\s*\(/.exec(query) ?? [];
  const { input } = (body["variables"] ?? {}) as { readonly input?: Input };
  if (mutation === "" || input === undefined) return refused("NOT_IMPLEMENTED", `the stand-in has no ${query}`);
  return mutation === "createCommitOnBranch" ? createCommit(state, input) : enableAutoMerge(state, input, actor);
}

async function createCommit(state: State, input: Input): Promise<Answer> {
  const { git } = state;
  const branch = (input["branch"] as { readonly branchName: string }).branchName;
  const expected = String(input["expectedHeadOid"]);
  const ref = `refs/heads/${branch}`;
  if ((await git.find(ref)) !== expected) {
    return refused("STALE_DATA", `Expected branch to point to "${expected}" but it did not. Pull and try again.`);
  }
  const message = input["message"] as { readonly headline: string; readonly body?: string };
  const changes = input["fileChanges"] as {
    readonly additions?: readonly { readonly path: string; readonly contents: string }[];
    readonly deletions?: readonly { readonly path: string }[];
  };
  const environment = { GIT_INDEX_FILE: `${git.path}/index-${state.nextId()}` };
  await git.git(["read-tree", expected], "", environment);
  for (const { path, contents } of changes.additions ?? []) {
    const oid = await git.git(["hash-object", "-w", "--stdin"], Buffer.from(contents, "base64"));
    await git.git(["update-index", "-z", "--index-info"], `100644 ${oid}\t${path}\0`, environment);
  }
  const gone = (changes.deletions ?? []).map(({ path }) => `0 ${"0".repeat(40)}\t${path}\0`).join("");
  await git.git(["update-index", "-z", "--index-info"], gone, environment);
  const tree = await git.git(["write-tree"], "", environment);
  const oid = await commitTree(state, tree, [expected], [message.headline, message.body ?? ""].join("\n\n").trim());
  await git.git(["update-ref", ref, oid, expected]);
  return { data: { createCommitOnBranch: { commit: { oid, url: `${state.url}/commit/${oid}` } } } };
}

async function enableAutoMerge(state: State, input: Input, actor: Actor): Promise<Answer> {
  const pull = state.pulls.find(({ number }) => `PR_${number}` === input["pullRequestId"]);
  if (pull === undefined) return refused("NOT_FOUND", "Could not resolve to a node with the global id.");
  if (!state.allowAutoMerge) return refused("UNPROCESSABLE", "Auto merge is not allowed for this repository");
  if (input["expectedHeadOid"] !== undefined && input["expectedHeadOid"] !== pull.headOid) {
    return refused("UNPROCESSABLE", "Head branch was modified. Review and try the merge again.");
  }
  const found = await workOutMergeability(state, pull);
  if (found.state === "clean" || found.state === "unstable") {
    return refused("UNPROCESSABLE", `Pull request Pull request is in ${found.state} status`);
  }
  pull.armed = input["mergeMethod"] === "SQUASH" ? "squash" : "merge";
  const [title, body] = [input["commitHeadline"], input["commitBody"]];
  pull.armedWords = { ...(typeof title === "string" && { title }), ...(typeof body === "string" && { body }) };
  await mergeArmed(state, actor);
  return { data: { enablePullRequestAutoMerge: { pullRequest: { number: pull.number } } } };
}

/** Merges what was waiting for what has happened now. */
export async function mergeArmed(state: State, actor: Actor): Promise<void> {
  for (const pull of state.pulls) {
    if (pull.armed === undefined || pull.state !== "open") continue;
    const found = await workOutMergeability(state, pull);
    if (found.state === "clean" || found.state === "unstable")
      await mergePull(state, pull, pull.armed, pull.armedWords ?? {}, actor);
  }
}

function refused(type: string, message: string): Answer {
  return { data: null, errors: [{ type, message, path: [] }] };
}
