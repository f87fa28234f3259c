/** An issue as GitHub shows it; members that no tool reads are left out. */
export interface GitHubIssue {
  readonly number: number;
  readonly title: string;
  readonly body?: string | null;
  readonly state: string;
  readonly html_url: string;
  readonly user: { readonly login: string } | null;
  readonly labels: readonly (string | { readonly name?: string })[];
  readonly comments: number;
  /** Present where the issue is a pull request. */
  readonly pull_request?: unknown;
}

export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: string;
  readonly author: string;
  readonly labels: readonly string[];
  readonly comments: number;
  readonly url: string;
}

/** An issue as the tools show it. */
export function toIssue({ number, title, body, state, html_url: url, user, labels, comments }: GitHubIssue): Issue {
  return {
    number,
    title,
    body: body ?? "",
    state,
    author: user?.login ?? "ghost",
    labels: labels.map((label) => (typeof label === "string" ? label : (label.name ?? ""))),
    comments,
    url,
  };
}
