import { workOutMergeability } from "./mergeability.ts";
import { commitTree, mergePull } from "./merge-pull.ts";
import { presentComment, presentPull, presentSimplePull } from "./present.ts";
import { type Actor, type Asked, notFound, optionalText, refuse, type Routes, text } from "./reply.ts";
import type { Pull, State } from "./state.ts";

const REPOSITORY = "/repos/{owner}/{repo}";
const ONE = `${REPOSITORY}/pulls/{pull_number}`;
const ISSUE = `${REPOSITORY}/issues/{issue_number}`;

/** Pull requests, and the labels and comments that they have as issues. */
export function pullRoutes(state: State): Routes {
  const { git, github, owner } = state;
  const find = ({ param }: Asked, name = "pull_number"): Pull => {
    const pull = state.pulls.find(({ number }) => String(number) === param(name));
    if (pull === undefined) throw notFound();
    return pull;
  };

  return {
    [`POST ${REPOSITORY}/pulls`]: async ({ body, actor }) => {
      const [title, base] = [text(body, "title"), text(body, "base")];
      const head = text(body, "head").replace(`${owner}:`, "");
      const headOid = await git.find(`refs/heads/${head}`);
      const baseOid = await git.find(`refs/heads/${base}`);
      const invalid = (field: string) =>
        refuse(422, "Validation Failed", [{ resource: "PullRequest", field, code: "invalid" }]);
      if (headOid === undefined) throw invalid("head");
      if (baseOid === undefined) throw invalid("base");
      const custom = (message: string) =>
        refuse(422, "Validation Failed", [{ resource: "PullRequest", code: "custom", message }]);
      if (state.pulls.some((pull) => pull.state === "open" && pull.head === head && pull.base === base)) {
        throw custom(`A pull request already exists for ${owner}:${head}.`);
      }
      if ((await git.git(["rev-list", "--count", `${baseOid}..${headOid}`])) === "0") {
        throw custom(`No commits between ${base} and ${head}`);
      }
      const pull: Pull = {
        number: state.pulls.length + 1,
        title,
        body: optionalText(body, "body") ?? "",
        head,
        base,
        headOid,
        login: actor.login,
        state: "open",
        labels: [],
        comments: [],
        threads: [],
        reviews: [],
        requested: { users: [], teams: [] },
        removals: [],
      };
      state.pulls.push(pull);
      emit(state, pull, "opened", actor);
      return { status: 201, body: presentPull(state, pull) };
    },

    [`GET ${REPOSITORY}/pulls`]: ({ query }) => {
      const wanted = query.get("state") ?? "open";
      const items = state.pulls
        .filter((pull) => wanted === "all" || pull.state === wanted)
        .filter((pull) => !query.has("head") || query.get("head") === `${owner}:${pull.head}`)
        .filter((pull) => !query.has("base") || query.get("base") === pull.base)
        .toReversed();
      return { status: 200, items: items.map((pull) => presentSimplePull(state, pull)) };
    },

    [`GET ${ONE}`]: async (asked) => {
      const pull = find(asked);
      const pair = `${state.refs.get(`refs/heads/${pull.base}`)} ${pull.headOid}`;
      const isWorkedOut = pull.worked === pair && pull.state === "open";
      // The first who asks starts the work, which is done by the next time.
      pull.worked = pair;
      return {
        status: 200,
        body: presentPull(state, pull, isWorkedOut ? await workOutMergeability(state, pull) : undefined),
      };
    },

    [`PATCH ${ONE}`]: (asked) => {
      const pull = find(asked);
      pull.title = optionalText(asked.body, "title") ?? pull.title;
      pull.body = optionalText(asked.body, "body") ?? pull.body;
      const wanted = optionalText(asked.body, "state");
      if (wanted === "open" && pull.state === "closed") throw refuse(422, "Validation Failed", [{ code: "invalid" }]);
      if (wanted === "closed" && pull.state === "open") closePull(state, pull, asked.actor);
      return { status: 200, body: presentPull(state, pull) };
    },

    [`GET ${ONE}/files`]: async (asked) => {
      const pull = find(asked);
      const range = `refs/heads/${pull.base}...${pull.headOid}`;
      const lines = (await git.git(["diff", "--name-status", "--no-renames", "-z", range])).split("\0").filter(Boolean);
      const names: Record<string, string> = { A: "added", D: "removed", M: "modified", T: "changed" };
      const items = Array.from({ length: lines.length / 2 }, (_, index) =>
        github.shape("diff-entry", { filename: lines[index * 2 + 1], status: names[lines[index * 2] ?? ""] }),
      );
      return { status: 200, items };
    },

    [`PUT ${ONE}/merge`]: async (asked) => {
      const pull = find(asked);
      const method = optionalText(asked.body, "merge_method") ?? "merge";
      if (pull.state === "closed") throw refuse(405, "Pull Request is not mergeable");
      if (method === "rebase") throw refuse(405, "Rebase merges are not allowed on this repository.");
      const sha = optionalText(asked.body, "sha");
      if (sha !== undefined && sha !== pull.headOid) {
        throw refuse(409, "Head branch was modified. Review and try the merge again.");
      }
      const [title, words] = [optionalText(asked.body, "commit_title"), optionalText(asked.body, "commit_message")];
      const said = { ...(title !== undefined && { title }), ...(words !== undefined && { body: words }) };
      const oid = await mergePull(state, pull, method === "squash" ? "squash" : "merge", said, asked.actor);
      return { status: 200, body: { sha: oid, merged: true, message: "Pull Request successfully merged" } };
    },

    [`PUT ${ONE}/update-branch`]: async (asked) => {
      const pull = find(asked);
      const expected = optionalText(asked.body, "expected_head_sha") ?? pull.headOid;
      if (pull.state === "closed") throw refuse(422, "Cannot update a closed pull request's branch.");
      if (expected !== pull.headOid) throw refuse(422, "expected head sha didn't match current head ref.");
      const { tree, base, head } = await workOutMergeability(state, pull);
      if (tree === undefined) throw refuse(422, "merge conflict between base and head");
      if ((await git.attempt(["merge-base", "--is-ancestor", base, head])).code === 0) {
        throw refuse(422, "There are no new commits on the base branch.");
      }
      const oid = await commitTree(state, tree, [head, base], `Merge branch '${pull.base}' into ${pull.head}`);
      await git.git(["update-ref", `refs/heads/${pull.head}`, oid, head]);
      return { status: 202, body: { message: "Updating pull request branch.", url: state.url } };
    },

    [`POST ${ONE}/requested_reviewers`]: (asked) => {
      const pull = find(asked);
      const { reviewers = [], team_reviewers: teams = [] } = asked.body as Readonly<Record<string, readonly string[]>>;
      if (reviewers.includes(pull.login)) throw refuse(422, "Review cannot be requested from pull request author.");
      if ([...reviewers, ...teams].some((name) => name.startsWith("no-"))) {
        throw refuse(
          422,
          "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the acme/tools repository.",
        );
      }
      addMissing(pull.requested.users, reviewers);
      addMissing(pull.requested.teams, teams);
      return { status: 201, body: presentSimplePull(state, pull) };
    },

    [`POST ${ISSUE}/labels`]: (asked) => {
      const { labels } = find(asked, "issue_number");
      addMissing(labels, asked.body["labels"] as readonly string[]);
      return { status: 200, body: labels.map((name) => github.shape("label", { name })) };
    },
    [`POST ${ISSUE}/comments`]: (asked) => {
      const { comments } = find(asked, "issue_number");
      const comment = { id: state.nextId(), body: text(asked.body, "body"), login: asked.actor.login };
      comments.push(comment);
      return { status: 201, body: presentComment(state, comment) };
    },
    [`GET ${ISSUE}/comments`]: (asked) => ({
      status: 200,
      items: find(asked, "issue_number").comments.map((comment) => presentComment(state, comment)),
    }),
  };
}

function addMissing(list: string[], names: readonly string[]): void {
  list.push(...names.filter((name) => !list.includes(name)));
}

export function closePull(state: State, pull: Pull, actor: Actor): void {
  pull.state = "closed";
  delete pull.armed;
  delete pull.queued;
  emit(state, pull, "closed", actor);
}

function emit(state: State, pull: Pull, action: string, actor: Actor): void {
  state.emit("pull_request", { action, number: pull.number, pull_request: presentPull(state, pull) }, actor);
}
