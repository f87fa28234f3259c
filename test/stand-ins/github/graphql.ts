import { enqueue } from "./merge-queue.ts";
import { commitTree, mergePull } from "./merge-pull.ts";
import { workOutMergeability } from "./mergeability.ts";
import type { Actor } from "./reply.ts";
import { type Pull, rulesOf, type State } from "./state.ts";

type Input = Readonly<Record<string, unknown>>;
type Answer = { readonly data: unknown } | { readonly data: null; readonly errors: readonly unknown[] };

/** What has no counterpart in REST. GraphQL answers 200 whatever happens. */
export async function answerGraphql(state: State, body: Input, actor: Actor): Promise<Answer> {
  const query = String(body["query"]);
  const [, mutation] = /\b(createCommitOnBranch|enablePullRequestAutoMerge|enqueuePullRequest)\s*\(/.exec(query) ?? [];
  const variables = (body["variables"] ?? {}) as Input;
  if (mutation === undefined) return answerQuery(state, query, variables, actor);
  const input = variables["input"] as Input;
  if (mutation === "createCommitOnBranch") return createCommit(state, input);
  return mutation === "enqueuePullRequest" ? enqueuePull(state, input, actor) : enableAutoMerge(state, input, actor);
}

function answerQuery(state: State, query: string, variables: Input, actor: Actor): Answer {
  if (query.includes("pullRequest(")) {
    const pull = state.pulls.find(({ number }) => number === variables["number"]);
    if (pull === undefined) return refused("NOT_FOUND", "Could not resolve to a PullRequest.");
    if (!state.knowsMergeQueues && query.includes("isMergeQueueEnabled")) {
      return refused("undefinedField", "Field 'isMergeQueueEnabled' doesn't exist on type 'PullRequest'");
    }
    return { data: { repository: { pullRequest: presentReview(state, pull) } } };
  }
  if (query.includes("refUpdateRule")) {
    const classic = state.protections.get(String(variables["ref"]).replace("refs/heads/", ""));
    const refUpdateRule =
      classic === undefined
        ? null
        : {
            requiredApprovingReviewCount: classic.reviews,
            requiresCodeOwnerReviews: classic.codeOwners === true,
            requiresConversationResolution: classic.conversations === true,
            requiresLinearHistory: classic.linear === true,
            requiresSignatures: classic.signatures === true,
          };
    return { data: { repository: { ref: { refUpdateRule } } } };
  }
  if (query.includes("viewer")) return { data: { viewer: { login: actor.login } } };
  return refused("NOT_IMPLEMENTED", `the stand-in has no ${query}`);
}

function presentReview(state: State, pull: Pull): Input {
  const rules = rulesOf(state, pull.base);
  const isNeeded = rules.reviews > 0 || rules.codeOwners === true;
  const isGiven = (pull.approvals ?? 0) >= rules.reviews && (rules.codeOwners !== true || pull.ownerApproves === true);
  const queued = state.pulls.filter((one) => one.queued !== undefined);
  return {
    isMergeQueueEnabled: rules.queue !== undefined,
    mergeQueueEntry:
      pull.queued === undefined
        ? null
        : { position: queued.indexOf(pull) + 1, state: "AWAITING_CHECKS", headCommit: toOid(pull.queued.group) },
    reviewDecision: isNeeded ? (isGiven ? "APPROVED" : "REVIEW_REQUIRED") : null,
    reviewThreads: { nodes: pull.threads.map((isResolved) => ({ isResolved })) },
    timelineItems: {
      nodes: [
        { type: "PullRequestCommit" },
        ...pull.removals.map(({ reason, by }) => ({
          type: "RemovedFromMergeQueueEvent",
          reason,
          actor: { kind: by },
        })),
      ],
    },
  };
}

function toOid(oid: string): Input | null {
  return oid === "" ? null : { oid };
}

function findPull(state: State, input: Input): Pull | Answer {
  const pull = state.pulls.find(({ number }) => `PR_${number}` === input["pullRequestId"]);
  if (pull === undefined) return refused("NOT_FOUND", "Could not resolve to a node with the global id.");
  if (input["expectedHeadOid"] !== undefined && input["expectedHeadOid"] !== pull.headOid) {
    return refused("UNPROCESSABLE", "Head branch was modified. Review and try the merge again.");
  }
  return pull;
}

async function enqueuePull(state: State, input: Input, actor: Actor): Promise<Answer> {
  const pull = findPull(state, input);
  if (!("number" in pull)) return pull;
  const reason = await enqueue(state, pull, actor);
  if (reason !== undefined) return refused("UNPROCESSABLE", reason);
  return { data: { enqueuePullRequest: { mergeQueueEntry: presentReview(state, pull)["mergeQueueEntry"] } } };
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
  const signature = { isValid: true };
  return {
    data: {
      createCommitOnBranch: { commit: { oid, url: `${state.url}/commit/${oid}`, tree: { oid: tree }, signature } },
    },
  };
}

async function enableAutoMerge(state: State, input: Input, actor: Actor): Promise<Answer> {
  const pull = findPull(state, input);
  if (!("number" in pull)) return pull;
  if (!state.allowAutoMerge) return refused("UNPROCESSABLE", "Auto merge is not allowed for this repository");
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
