import type { GitHubConfig } from "../config/config-forge.ts";
import { type GitHubAccess, openGitHubAccess } from "../forge/github/access.ts";
import type { GitHubRepository } from "../forge/github/configure-octokit.ts";
import type { ForgeTime } from "../forge/github/forge-time.ts";

/** The repository on GitHub, and what lets Cairn in there. */
export interface GitHub {
  readonly repository: GitHubRepository;
  readonly access: GitHubAccess;
}

/** Milliseconds for one request to GitHub. */
const TIMEOUT_MS = 30_000;

export async function openGitHub({ owner, repo, api, identity }: GitHubConfig, time: ForgeTime): Promise<GitHub> {
  const repository = { owner, repo, ...(api === undefined ? {} : { baseUrl: api }), timeoutMs: TIMEOUT_MS };
  return { repository, access: await openGitHubAccess({ ...repository, identity, time }) };
}
