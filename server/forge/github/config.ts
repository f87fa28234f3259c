import { type ConfigReader, readNumber, readSecret, readUrl } from "../../config/config-reader.ts";
import type { SecretReference } from "../../config/secret-reference.ts";
import { isSecureUrl } from "../../config/secure-url.ts";
import type { GitHubPlace } from "./place.ts";

/** Who Cairn is on GitHub. Only an app can report checks of its own; with a token they become commit statuses. */
export type GitHubIdentity =
  | { readonly kind: "token"; readonly token: SecretReference }
  /** Without `installation`, the one in the repository is looked for. */
  | { readonly kind: "app"; readonly id: number; readonly key: SecretReference; readonly installation?: number };

/** The repository on GitHub, where credentials for it are given. */
export interface GitHubConfig extends GitHubPlace {
  /** Base URL of the REST interface; absent: that of github.com. */
  readonly api?: string;
  readonly identity: GitHubIdentity;
}

/** What GitHub tells of by itself. */
export interface WebhookConfig extends GitHubPlace {
  readonly secret: SecretReference;
}

export const GITHUB_ACCESS_VARIABLES = {
  CAIRN_GITHUB_TOKEN:
    "Where a token for the repository on GitHub is: `env:NAME` or `file:/path`. Private repositories are fetched with it, too.",
  CAIRN_GITHUB_APP_ID: "Number of a GitHub App, instead of a token.",
  CAIRN_GITHUB_APP_KEY: "Where its private key (PEM) is: `file:/path` or `env:NAME`.",
  CAIRN_GITHUB_INSTALLATION: "Number of its installation. Default: the one in the repository.",
  CAIRN_GITHUB_API:
    "Base URL of GitHub's REST interface, of an Enterprise server for example `https://github.example.com/api/v3`. Default: that of github.com.",
} as const;

export const GITHUB_WEBHOOK_VARIABLES = {
  CAIRN_GITHUB_WEBHOOK_SECRET:
    "Where the secret of the webhook is: `env:NAME` or `file:/path`. Without it nothing answers at `/webhooks/github`.",
} as const;

type GitHubVariable = keyof typeof GITHUB_ACCESS_VARIABLES | keyof typeof GITHUB_WEBHOOK_VARIABLES;
type GitHubReader = ConfigReader<GitHubVariable>;

/**
 * Reads the account on GitHub, for a repository at `place`. Credentials for a repository elsewhere stay without use: `cairn dev`
 * serves folders beside.
 */
export function readGitHub(
  read: GitHubReader,
  place: GitHubPlace | undefined,
  repository: string,
): GitHubConfig | undefined {
  const { get, problem } = read;
  const api = readUrl(read, "CAIRN_GITHUB_API")?.replace(/\/+$/, "");
  const identity = readIdentity(read);
  if (place === undefined || identity === undefined) return undefined;
  if (place.host !== "github.com" && get("CAIRN_GITHUB_API") === undefined) return undefined;
  const url = URL.parse(repository);
  if (url?.password) {
    return problem("CAIRN_REPO has a password in it, beside the credentials for GitHub; give only one of them");
  }
  // Anybody on the way could read the token.
  if (url?.protocol === "http:" && !isSecureUrl(`http://${url.host}`)) {
    return problem("CAIRN_REPO must be an https URL where there are credentials for GitHub");
  }
  return { ...place, ...(api === undefined ? {} : { api }), identity };
}

function readIdentity(read: GitHubReader): GitHubIdentity | undefined {
  const { get, problem } = read;
  const token = readSecret(read, "CAIRN_GITHUB_TOKEN");
  const id = readNumber(read, "CAIRN_GITHUB_APP_ID");
  const key = readSecret(read, "CAIRN_GITHUB_APP_KEY");
  const installation = readNumber(read, "CAIRN_GITHUB_INSTALLATION");
  const has = (name: GitHubVariable) => get(name) !== undefined;
  if (has("CAIRN_GITHUB_TOKEN") && has("CAIRN_GITHUB_APP_ID")) {
    return problem("CAIRN_GITHUB_TOKEN and CAIRN_GITHUB_APP_ID are both set; Cairn can be only one of them on GitHub");
  }
  if (has("CAIRN_GITHUB_APP_ID") !== has("CAIRN_GITHUB_APP_KEY")) {
    return problem("CAIRN_GITHUB_APP_ID and CAIRN_GITHUB_APP_KEY need each other");
  }
  if (has("CAIRN_GITHUB_INSTALLATION") && !has("CAIRN_GITHUB_APP_ID")) {
    return problem("CAIRN_GITHUB_INSTALLATION is set but CAIRN_GITHUB_APP_ID is not; it says whose installation it is");
  }
  if (token !== undefined) return { kind: "token", token };
  if (id === undefined || key === undefined) return undefined;
  return { kind: "app", id, key, ...(installation === undefined ? {} : { installation }) };
}
