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

/** What GitHub does not know the sender of has had no effect, so it is asked again where there is another token. */
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
