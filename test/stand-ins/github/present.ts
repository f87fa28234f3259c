import type { Mergeability } from "./mergeability.ts";
import type { CheckRun, Comment, Pull, State, Status } from "./state.ts";

type Json = Readonly<Record<string, unknown>>;

/** How GitHub shows what there is. Members that nothing here has a value for are filled by form. */
export function presentPull(state: State, pull: Pull, found?: Mergeability): Json {
  return state.github.shape("pull-request", {
    ...common(state, pull),
    merged: pull.mergedAs !== undefined,
    mergeable: found === undefined ? null : found.state !== "dirty",
    mergeable_state: found?.state ?? "unknown",
    comments: pull.comments.length,
  });
}

export function presentSimplePull(state: State, pull: Pull): Json {
  return state.github.shape("pull-request-simple", common(state, pull));
}

function common(state: State, pull: Pull): Json {
  const { owner, repo, url } = state;
  return {
    id: pull.number,
    node_id: `PR_${pull.number}`,
    number: pull.number,
    title: pull.title,
    body: pull.body,
    state: pull.state,
    user: { login: pull.login },
    html_url: `${url}/${owner}/${repo}/pull/${pull.number}`,
    head: { ref: pull.head, sha: pull.headOid, label: `${owner}:${pull.head}` },
    base: { ref: pull.base, sha: state.refs.get(`refs/heads/${pull.base}`), label: `${owner}:${pull.base}` },
    labels: pull.labels.map((name) => ({ name })),
    requested_reviewers: pull.requested.users.map((login) => ({ login })),
    requested_teams: pull.requested.teams.map((slug) => ({ slug })),
    merge_commit_sha: pull.mergedAs ?? null,
    merged_at: pull.mergedAs === undefined ? null : "2026-01-01T00:00:00Z",
    closed_at: pull.state === "closed" ? "2026-01-01T00:00:00Z" : null,
    auto_merge: pull.armed === undefined ? null : { merge_method: pull.armed, enabled_by: { login: pull.login } },
  };
}

export function presentComment(state: State, comment: Comment): Json {
  return state.github.shape("issue-comment", {
    id: comment.id,
    body: comment.body,
    user: { login: comment.login },
    author_association: "CONTRIBUTOR",
  });
}

/** The app by which Actions reports, on github.com. */
const ACTIONS_APP = 15368;

/** The suite that the checks of a workflow's run are in. */
export function toSuite(workflow: number): number {
  return workflow + 1_000_000;
}

export function presentCheckRun(state: State, check: CheckRun): Json {
  const { owner, repo, url, app } = state;
  return state.github.shape("check-run", {
    id: check.id,
    name: check.name,
    head_sha: check.head,
    status: check.status,
    conclusion: check.conclusion ?? null,
    started_at: check.startedAt,
    completed_at: check.status === "completed" ? check.startedAt : null,
    html_url: `${url}/${owner}/${repo}/runs/${check.id}`,
    output: { ...check.output, text: null, annotations_count: 0 },
    ...(check.workflow === undefined
      ? { app: { id: app.id, slug: app.slug, permissions: {}, events: [] } }
      : {
          app: { id: ACTIONS_APP, slug: "github-actions", permissions: {}, events: [] },
          check_suite: { id: toSuite(check.workflow) },
        }),
  });
}

export function presentStatus(state: State, status: Status, schema: "status" | "simple-commit-status"): Json {
  return state.github.shape(schema, {
    id: status.id,
    state: status.state,
    context: status.context,
    description: status.description,
    target_url: status.url ?? null,
  });
}

export function presentRef(state: State, ref: string, sha: string, type: string): Json {
  return state.github.shape("git-ref", { ref, object: { sha, type } });
}

/** A commit of git itself, as text of `git cat-file commit`. */
export function presentCommit(state: State, sha: string, raw: string): Json {
  const [head = "", ...message] = raw.split("\n\n");
  const lines = head.split("\n").map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]);
  const value = (name: string) => lines.find(([key]) => key === name)?.[1] ?? "";
  return state.github.shape("git-commit", {
    sha,
    message: message.join("\n\n"),
    tree: { sha: value("tree") },
    parents: lines.filter(([name]) => name === "parent").map(([, parent]) => ({ sha: parent })),
    author: presentIdentity(value("author")),
    committer: presentIdentity(value("committer")),
  });
}

function presentIdentity(line: string): Json {
  const [, name = "", email = "", seconds = "0"] = /^(.*) <(.*)> (\d+)/.exec(line) ?? [];
  return { name, email, date: new Date(Number(seconds) * 1000).toISOString() };
}
