import type { Context, Pull } from "./context.ts";
import type { MergeMethod } from "./config.ts";

/** The message of the commit that lands. */
export interface LandingMessage {
  /** Absent: GitHub's own. */
  readonly title?: string;
  readonly body: string;
}

/**
 * The message of the commit that was proposed, which says where the change comes from. GitHub left to itself would take
 * what the repository's settings say: the pull request's text, all messages, or nothing.
 */
export async function loadLandingMessage(context: Context, pull: Pull, method: MergeMethod): Promise<LandingMessage> {
  const { api, owner, repo } = context;
  // The oldest comes first.
  const query = { owner, repo, basehead: `${pull.base.ref}...${pull.head.sha}`, per_page: 1 };
  const { commits } = await api.read(`read the commits of pull request ${pull.number}`, () =>
    api.octokit.rest.repos.compareCommitsWithBasehead(query),
  );
  const [, ...rest] = (commits[0]?.commit.message ?? "").split("\n");
  const body = rest.join("\n").trim();
  if (method === "merge") return { body: `${pull.title}\n\n${body}`.trim() };
  return { title: `${pull.title} (#${pull.number})`, body };
}
