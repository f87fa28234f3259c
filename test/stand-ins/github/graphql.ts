import { execute, GraphQLError, type GraphQLFormattedError } from "graphql";
import { GRAPHQL_SCHEMA, readDocument } from "./graphql-interface.ts";
import { enqueue } from "./merge-queue.ts";
import { commitTree, mergePull } from "./merge-pull.ts";
import { workOutMergeability } from "./mergeability.ts";
import type { Actor } from "./reply.ts";
import { type Pull, rulesOf, type State } from "./state.ts";

type Input = Readonly<Record<string, unknown>>;

interface Answer {
  readonly data: unknown;
  readonly errors?: readonly unknown[];
  /** What of the question is not as GitHub describes it. */
  readonly wrong?: string;
}

/** Answers what has no counterpart in REST, by the schema that GitHub publishes; with 200, whatever happens. */
export async function answerGraphql(state: State, body: Input, actor: Actor): Promise<Answer> {
  const [text, variables] = [String(body["query"]), (body["variables"] ?? {}) as Input];
  if (!state.knowsMergeQueues && text.includes("isMergeQueueEnabled")) {
    const message = "Field 'isMergeQueueEnabled' doesn't exist on type 'PullRequest'";
    return { data: null, errors: [{ path: [], extensions: { code: "undefinedField" }, message }] };
  }
  const read = readDocument(text, variables);
  if ("wrong" in read) return { data: null, errors: [{ message: read.wrong }], wrong: read.wrong };
  const { data = null, errors } = await execute({
    schema: GRAPHQL_SCHEMA,
    document: read.document,
    variableValues: variables,
    rootValue: toRoot(state, actor),
  });
  return { data, ...(errors !== undefined && { errors: errors.map((error) => toError(error.toJSON())) }) };
}

function toRoot(state: State, actor: Actor): Input {
  return {
    viewer: { login: actor.login },
    repository: ({ owner, name }: Input) => {
      if (`${String(owner)}/${String(name)}` !== `${state.owner}/${state.repo}`) {
        throw refused("NOT_FOUND", "Could not resolve to a Repository.");
      }
      return {
        pullRequest: ({ number }: Input) => {
          const pull = state.pulls.find((one) => one.number === number);
          if (pull === undefined) throw refused("NOT_FOUND", "Could not resolve to a PullRequest.");
          return presentReview(state, pull);
        },
        ref: ({ qualifiedName }: Input) => presentRef(state, String(qualifiedName)),
        object: ({ expression }: Input) => presentObject(state, String(expression)),
      };
    },
    createCommitOnBranch: ({ input }: { readonly input: Input }) => createCommit(state, input),
    enqueuePullRequest: ({ input }: { readonly input: Input }) => enqueuePull(state, input, actor),
    enablePullRequestAutoMerge: ({ input }: { readonly input: Input }) => enableAutoMerge(state, input, actor),
  };
}

async function presentRef(state: State, name: string): Promise<Input | null> {
  if ((await state.git.find(name)) === undefined) return null;
  const classic = state.protections.get(name.replace("refs/heads/", ""));
  if (classic === undefined) return { refUpdateRule: null };
  return {
    refUpdateRule: {
      requiredApprovingReviewCount: classic.reviews,
      requiresCodeOwnerReviews: classic.codeOwners === true,
      requiresConversationResolution: classic.conversations === true,
      requiresLinearHistory: classic.linear === true,
      requiresSignatures: classic.signatures === true,
    },
  };
}

/** A file by `<ref>:<path>`. */
async function presentObject({ git }: State, expression: string): Promise<Input | null> {
  const oid = await git.find(expression);
  if (oid === undefined) return null;
  if ((await git.git(["cat-file", "-t", oid])) !== "blob") return { __typename: "Tree", oid };
  return { __typename: "Blob", oid, byteSize: Number(await git.git(["cat-file", "-s", oid])) };
}

function presentReview(state: State, pull: Pull): Input {
  const rules = rulesOf(state, pull.base);
  const isNeeded = rules.reviews > 0 || rules.codeOwners === true;
  const approvals = pull.reviews.filter((review) => review.state === "APPROVED").length;
  const isGiven = approvals >= rules.reviews && (rules.codeOwners !== true || pull.ownerApproves === true);
  const queued = state.pulls.filter((one) => one.queued !== undefined);
  return {
    isMergeQueueEnabled: rules.queue !== undefined,
    mergeQueueEntry:
      pull.queued === undefined
        ? null
        : { position: queued.indexOf(pull) + 1, state: "AWAITING_CHECKS", headCommit: toOid(pull.queued.group) },
    reviewDecision: isNeeded ? (isGiven ? "APPROVED" : "REVIEW_REQUIRED") : null,
    reviewThreads: { nodes: pull.threads.map((isResolved) => ({ isResolved })) },
    latestOpinionatedReviews: {
      nodes: pull.reviews.map(({ login, state: opinion }) => ({
        state: opinion,
        author: { __typename: "User", login },
      })),
    },
    timelineItems: {
      nodes: [
        { __typename: "PullRequestCommit" },
        ...pull.removals.map(({ reason, by }) => ({
          __typename: "RemovedFromMergeQueueEvent",
          reason,
          actor: { __typename: by },
        })),
      ],
    },
  };
}

function toOid(oid: string): Input | null {
  return oid === "" ? null : { oid };
}

function findPull(state: State, input: Input): Pull {
  const pull = state.pulls.find(({ number }) => `PR_${number}` === input["pullRequestId"]);
  if (pull === undefined) throw refused("NOT_FOUND", "Could not resolve to a node with the global id.");
  if (input["expectedHeadOid"] !== undefined && input["expectedHeadOid"] !== pull.headOid) {
    throw refused("UNPROCESSABLE", "Head branch was modified. Review and try the merge again.");
  }
  return pull;
}

async function enqueuePull(state: State, input: Input, actor: Actor): Promise<Input> {
  const pull = findPull(state, input);
  const reason = await enqueue(state, pull, actor);
  if (reason !== undefined) throw refused("UNPROCESSABLE", reason);
  return { mergeQueueEntry: presentReview(state, pull)["mergeQueueEntry"] };
}

async function createCommit(state: State, input: Input): Promise<Input> {
  const { git } = state;
  const branch = (input["branch"] as { readonly branchName: string }).branchName;
  const expected = String(input["expectedHeadOid"]);
  const ref = `refs/heads/${branch}`;
  if ((await git.find(ref)) !== expected) {
    throw refused("STALE_DATA", `Expected branch to point to "${expected}" but it did not. Pull and try again.`);
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
  const signature = { __typename: "GpgSignature", isValid: true };
  return { commit: { oid, url: `${state.url}/commit/${oid}`, tree: { oid: tree }, signature } };
}

async function enableAutoMerge(state: State, input: Input, actor: Actor): Promise<Input> {
  const pull = findPull(state, input);
  if (!state.allowAutoMerge) throw refused("UNPROCESSABLE", "Auto merge is not allowed for this repository");
  const found = await workOutMergeability(state, pull);
  if (found.state === "clean" || found.state === "unstable") {
    throw refused("UNPROCESSABLE", `Pull request Pull request is in ${found.state} status`);
  }
  pull.armed = input["mergeMethod"] === "SQUASH" ? "squash" : "merge";
  const [title, body] = [input["commitHeadline"], input["commitBody"]];
  pull.armedWords = { ...(typeof title === "string" && { title }), ...(typeof body === "string" && { body }) };
  await mergeArmed(state, actor);
  return { pullRequest: { number: pull.number } };
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

function refused(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } });
}

/** An error in GitHub's form, which names its kind beside the message. */
function toError({ message, path = [], extensions }: GraphQLFormattedError): Input {
  return { type: extensions?.["type"], message, path };
}
