import { createPrivateKey } from "node:crypto";
import { App } from "octokit";
import type { GitHubIdentity } from "./config.ts";
import { CairnError } from "../../errors.ts";
import { loadReferencedSecret } from "../../config/secret-reference.ts";
import { configureOctokit, type GitHubRepository } from "./configure-octokit.ts";
import type { ForgeTime } from "../forge-time.ts";
import { createGitHubApi } from "./github-api.ts";

/** Credentials that show GitHub who Cairn is. */
export interface GitHubAccess {
  readonly kind: GitHubIdentity["kind"];
  /** A token that is good for some minutes: what was good last time, or another than one that was `refused`. */
  loadToken(refused?: string): Promise<string>;
}

export interface GitHubAccessOptions extends GitHubRepository {
  readonly identity: GitHubIdentity;
  readonly time: ForgeTime;
}

/** GitHub's tokens for installations are good for so long; whatever it says is not believed beyond, for clocks differ. */
const LIFE_MS = 60 * 60_000;
/** A fetch that begins with a token has to end with it. */
const RENEW_MS = 10 * 60_000;
const MIN_MS = 60_000;

/** Rejects where the token or key cannot be read. GitHub itself is asked when a token is wanted. */
export async function openGitHubAccess(options: GitHubAccessOptions): Promise<GitHubAccess> {
  const { identity } = options;
  if (identity.kind === "app") return createAppAccess(options, identity, await loadKey(identity));
  // Read each time, so that a new token needs no restart.
  const loadToken = () => loadReferencedSecret("CAIRN_GITHUB_TOKEN", identity.token);
  await loadToken();
  return Object.freeze({ kind: "token", loadToken });
}

function createAppAccess(
  options: GitHubAccessOptions,
  { id, installation }: GitHubIdentity & { readonly kind: "app" },
  privateKey: string,
): GitHubAccess {
  const { owner, repo, time } = options;
  const app = new App({ appId: id, privateKey, Octokit: configureOctokit(options) });
  const { apps } = app.octokit.rest;
  const api = createGitHubApi(app.octokit, time);
  let found: number | undefined;
  let known: { readonly token: string; readonly until: number } | undefined;
  let making: Promise<string> | undefined;

  async function findInstallation(): Promise<number> {
    const what = `find where the app ${id} is installed in \`${owner}/${repo}\``;
    return (await api.read(what, () => apps.getRepoInstallation({ owner, repo }))).id;
  }

  async function make(): Promise<string> {
    const where = installation ?? (found ??= await findInstallation());
    try {
      const made = await api.read(`give a token for the installation ${where}`, () =>
        apps.createInstallationAccessToken({ installation_id: where, repositories: [repo] }),
      );
      const life = Math.min(Date.parse(made.expires_at) - time.now(), LIFE_MS);
      known = { token: made.token, until: time.now() + Math.max(MIN_MS, life - RENEW_MS) };
      return made.token;
    } catch (error) {
      // It may have been taken away and installed again.
      found = undefined;
      throw error;
    }
  }

  return Object.freeze<GitHubAccess>({
    kind: "app",
    loadToken: async (refused) => {
      if (known !== undefined && known.token !== refused && time.now() < known.until) return known.token;
      making ??= make().finally(() => (making = undefined));
      return making;
    },
  });
}

async function loadKey({ key }: GitHubIdentity & { readonly kind: "app" }): Promise<string> {
  const pem = await loadReferencedSecret("CAIRN_GITHUB_APP_KEY", key);
  try {
    createPrivateKey(pem);
    return pem;
  } catch (cause) {
    throw new CairnError("BAD_REQUEST", "What CAIRN_GITHUB_APP_KEY names is no private key in PEM form.", { cause });
  }
}
