import { type Octokit, RequestError } from "octokit";
import type { GitHubAccess } from "./access.ts";
import { makeConditional } from "./conditional.ts";
import { configureOctokit, type GitHubRepository } from "./configure-octokit.ts";

export function openGitHub(place: GitHubRepository, access: GitHubAccess): Octokit {
  const octokit = new (configureOctokit(place))();
  sendToken(octokit, access);
  makeConditional(octokit);
  return octokit;
}

/** Sends a token with each request. One whose sender GitHub does not know had no effect, so it is repeated with a new token. */
function sendToken(octokit: Octokit, access: GitHubAccess): void {
  octokit.hook.wrap("request", async (request, options) => {
    const ask = (token: string) => {
      options.headers.authorization = `token ${token}`;
      return request(options);
    };
    const token = await access.loadToken();
    try {
      return await ask(token);
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 401) throw error;
      const next = await access.loadToken(token);
      if (next === token) throw error;
      return ask(next);
    }
  });
}
