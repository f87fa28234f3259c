import type { GitHubConfig } from "./config.ts";
import { type GitHubAccess, openGitHubAccess } from "./access.ts";
import type { GitHubRepository } from "./configure-octokit.ts";
import type { ForgeTime } from "./forge-time.ts";

/** The repository on GitHub, with the credentials that let Cairn in there. */
export interface GitHubAccount {
  readonly repository: GitHubRepository;
  readonly access: GitHubAccess;
}

/** Milliseconds for one request to GitHub. */
const TIMEOUT_MS = 30_000;

export async function openGitHubAccount(
  { owner, repo, api, identity }: GitHubConfig,
  time: ForgeTime,
): Promise<GitHubAccount> {
  const repository = { owner, repo, ...(api === undefined ? {} : { baseUrl: api }), timeoutMs: TIMEOUT_MS };
  return { repository, access: await openGitHubAccess({ ...repository, identity, time }) };
}
