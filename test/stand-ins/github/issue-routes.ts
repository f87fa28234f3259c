import type { Interface } from "./interface.ts";
import { type Asked, notFound, optionalText, refuse, type Routes, text } from "./reply.ts";

export interface Issue {
  readonly number: number;
  readonly author: string;
  title: string;
  body: string;
  state: "open" | "closed";
  reason: string | null;
  readonly labels: string[];
  readonly comments: { readonly id: number; readonly body: string; readonly login: string }[];
  /** True if it is a pull request, which GitHub lists among the issues. */
  readonly isPull: boolean;
  isDeleted: boolean;
}

/** A repository, as far as its issues. */
export interface IssueRepository {
  readonly id: number;
  /** `owner/name`. */
  readonly name: string;
  /** Logins that see it; absent: everybody does. */
  readonly readers?: readonly string[];
  /** Logins that may push. */
  readonly writers: readonly string[];
  readonly hasIssues: boolean;
  readonly issues: Issue[];
}

const REPOSITORY = "/repos/{owner}/{repo}";
const ISSUE = `${REPOSITORY}/issues/{issue_number}`;
const WHEN = "2026-01-01T00:00:00Z";

/** Issues, their labels and comments. `find` is of a repository by its name. */
export function issueRoutes(
  github: Interface,
  url: string,
  find: (name: string) => IssueRepository | undefined,
): Routes {
  const findRepository = ({ param, actor }: Asked): IssueRepository => {
    const found = find(`${param("owner")}/${param("repo")}`);
    // A repository that somebody may not see is not there.
    if (found === undefined || found.readers?.includes(actor.login) === false) throw notFound();
    if (!found.hasIssues) throw refuse(410, "Issues has been disabled in this repository.");
    return found;
  };
  const findIssue = (asked: Asked): { readonly repository: IssueRepository; readonly issue: Issue } => {
    const repository = findRepository(asked);
    const issue = repository.issues.find(({ number }) => String(number) === asked.param("issue_number"));
    if (issue === undefined) throw notFound();
    if (issue.isDeleted) throw refuse(410, "This issue was deleted");
    return { repository, issue };
  };
  const show = (repository: IssueRepository, issue: Issue) => presentIssue(github, url, repository, issue);

  return {
    [`GET ${REPOSITORY}/issues`]: (asked) => {
      const repository = findRepository(asked);
      const state = asked.query.get("state") ?? "open";
      const labels = asked.query.get("labels")?.split(",") ?? [];
      const items = repository.issues
        .filter((issue) => !issue.isDeleted && (state === "all" || issue.state === state))
        .filter((issue) => labels.every((label) => issue.labels.includes(label)))
        .toReversed()
        .map((issue) => show(repository, issue));
      return { status: 200, items };
    },
    [`POST ${REPOSITORY}/issues`]: (asked) => {
      const repository = findRepository(asked);
      checkMayWrite(asked);
      if (text(asked.body, "title").trim() === "") throw invalid("Issue", "title", "missing_field");
      const mayPush = repository.writers.includes(asked.actor.login);
      const issue: Issue = {
        number: repository.issues.length + 1,
        author: asked.actor.login,
        title: text(asked.body, "title"),
        body: optionalText(asked.body, "body") ?? "",
        state: "open",
        reason: null,
        // Labels of people who may not push are dropped, and nothing says so.
        labels: mayPush ? [...((asked.body["labels"] ?? []) as readonly string[])] : [],
        comments: [],
        isPull: false,
        isDeleted: false,
      };
      repository.issues.push(issue);
      return { status: 201, body: show(repository, issue) };
    },
    [`GET ${ISSUE}`]: (asked) => {
      const { repository, issue } = findIssue(asked);
      return { status: 200, body: show(repository, issue) };
    },
    [`PATCH ${ISSUE}`]: (asked) => {
      const { repository, issue } = findIssue(asked);
      checkMayWrite(asked);
      const { login } = asked.actor;
      if (!repository.writers.includes(login) && issue.author !== login)
        throw refuse(403, "Must have admin rights to Repository.");
      issue.title = optionalText(asked.body, "title") ?? issue.title;
      issue.state = (optionalText(asked.body, "state") as Issue["state"] | undefined) ?? issue.state;
      issue.reason = optionalText(asked.body, "state_reason") ?? issue.reason;
      return { status: 200, body: show(repository, issue) };
    },
    [`POST ${ISSUE}/labels`]: (asked) => {
      const { repository, issue } = findIssue(asked);
      checkMayWrite(asked);
      if (!repository.writers.includes(asked.actor.login)) throw refuse(403, "Must have admin rights to Repository.");
      for (const label of asked.body["labels"] as readonly string[])
        if (!issue.labels.includes(label)) issue.labels.push(label);
      return { status: 200, body: issue.labels.map((name) => github.shape("label", { name })) };
    },
    [`GET ${ISSUE}/comments`]: (asked) => {
      const { issue } = findIssue(asked);
      return { status: 200, items: issue.comments.map((comment) => presentComment(github, url, comment)) };
    },
    [`POST ${ISSUE}/comments`]: (asked) => {
      const { repository, issue } = findIssue(asked);
      checkMayWrite(asked);
      const id = repository.id * 1000 + issue.number * 100 + issue.comments.length + 1;
      const comment = { id, body: text(asked.body, "body"), login: asked.actor.login };
      issue.comments.push(comment);
      return { status: 201, body: presentComment(github, url, comment) };
    },
  };
}

function checkMayWrite({ actor }: Asked): void {
  if (actor.isReadOnly === true) throw refuse(403, "Resource not accessible by personal access token");
}

function invalid(resource: string, field: string, code: string): Error {
  return refuse(422, "Validation Failed", [{ resource, field, code }]);
}

function presentIssue(github: Interface, url: string, { id, name }: IssueRepository, issue: Issue): unknown {
  return github.shape("issue", {
    id: id * 1000 + issue.number,
    number: issue.number,
    title: issue.title,
    body: issue.body,
    state: issue.state,
    state_reason: issue.reason,
    user: { login: issue.author },
    labels: issue.labels.map((label) => ({ name: label })),
    comments: issue.comments.length,
    html_url: `${url}/${name}/issues/${issue.number}`,
    created_at: WHEN,
    updated_at: WHEN,
    ...(issue.isPull && { pull_request: { html_url: `${url}/${name}/pull/${issue.number}` } }),
  });
}

function presentComment(github: Interface, url: string, { id, body, login }: Issue["comments"][number]): unknown {
  return github.shape("issue-comment", {
    id,
    body,
    user: { login },
    html_url: `${url}/comments/${id}`,
    author_association: "NONE",
  });
}
