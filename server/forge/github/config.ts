import { type ConfigReader, readNumber, readSecret, readUrl } from "../../config/config-reader.ts";
import type { SecretReference } from "../../config/secret-reference.ts";
import { isSecureUrl } from "../../config/secure-url.ts";
import type { ForgeSettingsReader } from "../settings.ts";
import { defined } from "../../json/defined.ts";

/** A way by which changes get onto their base: as one commit, or with a merge commit. */
export type MergeMethod = "squash" | "merge";

/** The settings of a forge that changes the repository by pull requests. */
export interface GitHubForgeConfig {
  readonly kind: "github";
  readonly mergeMethod: MergeMethod;
  readonly autoMerge: boolean;
  /** Logins, and teams as `organisation/team`, who are asked where rules want a review. */
  readonly reviewers: readonly string[];
  /** Seconds between looks at a change that waits for checks or people. */
  readonly interval: number;
}

/** The place of a repository on GitHub, as far as something is set for it. */
export interface GitHubHostConfig {
  readonly kind: "github";
  /** Absent: no credentials are given. */
  readonly account?: GitHubConfig;
  /** Absent: nobody delivers. */
  readonly webhooks?: WebhookConfig;
}

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

/** The webhook by which GitHub reports what has changed. */
export interface WebhookConfig extends GitHubPlace {
  readonly secret: SecretReference;
}

const VARIABLES = {
  CAIRN_GITHUB_TOKEN:
    "Where a token for the repository on GitHub is: `env:NAME` or `file:/path`. Private repositories are fetched with it, too.",
  CAIRN_GITHUB_APP_ID: "Number of a GitHub App, instead of a token.",
  CAIRN_GITHUB_APP_KEY: "Where its private key (PEM) is: `file:/path` or `env:NAME`.",
  CAIRN_GITHUB_INSTALLATION: "Number of its installation. Default: the one in the repository.",
  CAIRN_GITHUB_API:
    "Base URL of GitHub's REST interface, of an Enterprise server for example `https://github.example.com/api/v3`. Default: that of github.com.",
  CAIRN_GITHUB_MERGE: "How changes land on GitHub: `squash` or `merge`. Default `squash`.",
  CAIRN_GITHUB_AUTO_MERGE: "`true`: GitHub may land by itself what only waits for checks. Default `false`.",
  CAIRN_GITHUB_REVIEWERS:
    "Who is asked where rules want a review: logins, and teams as `organisation/team`, with commas between. Default: the owners of code alone, where a rule wants their approval.",
  CAIRN_GITHUB_WEBHOOK_SECRET:
    "Where the secret of the webhook is: `env:NAME` or `file:/path`. Without it nothing answers at `/webhooks/github`.",
} as const;

/** GitHub asks no more people for one pull request. */
const MAX_REVIEWERS = 15;

type Variable = keyof typeof VARIABLES;
type GitHubReader = ConfigReader<Variable>;

const MISFIT =
  "it needs CAIRN_REPO to be on github.com, or CAIRN_GITHUB_API, and CAIRN_GITHUB_TOKEN, or CAIRN_GITHUB_APP_ID and CAIRN_GITHUB_APP_KEY";

export const GITHUB_SETTINGS: ForgeSettingsReader<Variable, GitHubForgeConfig, GitHubHostConfig> = Object.freeze({
  variables: VARIABLES,
  hint:
    "on GitHub, give CAIRN_GITHUB_TOKEN, or CAIRN_GITHUB_APP_ID and CAIRN_GITHUB_APP_KEY " +
    "(elsewhere than on github.com, with CAIRN_GITHUB_API)",
  read: (read, { repository, isRemote, interval }) => {
    const place = isRemote ? readGitHubPlace(repository) : undefined;
    const account = readAccount(read, place, repository);
    const secret = readSecret(read, "CAIRN_GITHUB_WEBHOOK_SECRET");
    const webhooks = secret === undefined || place === undefined ? undefined : { ...place, secret };
    const mergeMethod = read.oneOf("CAIRN_GITHUB_MERGE", ["squash", "merge"], "squash");
    const autoMerge = read.oneOf("CAIRN_GITHUB_AUTO_MERGE", ["true", "false"], "false") === "true";
    const reviewers = readReviewers(read);
    const host = {
      kind: "github",
      ...defined({ account, webhooks }),
    } as const;
    return {
      forge: { kind: "github", mergeMethod, autoMerge, reviewers, interval },
      ...(account === undefined ? { misfit: MISFIT } : {}),
      ...(account === undefined && webhooks === undefined ? {} : { host }),
    };
  },
  secretsOf: ({ account, webhooks }) => {
    const token = account?.identity.kind === "token" ? account.identity.token : undefined;
    return [token, webhooks?.secret].filter((secret) => secret !== undefined);
  },
} satisfies ForgeSettingsReader<Variable, GitHubForgeConfig, GitHubHostConfig>);

/**
 * Reads the account on GitHub, for a repository at `place`. Credentials for a repository elsewhere stay without use: `cairn dev`
 * serves folders beside.
 */
function readAccount(read: GitHubReader, place: GitHubPlace | undefined, repository: string): GitHubConfig | undefined {
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
  return { ...place, ...defined({ api }), identity };
}

function readReviewers({ get, wrong }: GitHubReader): readonly string[] {
  const names = (get("CAIRN_GITHUB_REVIEWERS") ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const isName = (name: string) => /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)?$/.test(name);
  if (names.length <= MAX_REVIEWERS && names.every(isName)) return names;
  wrong("CAIRN_GITHUB_REVIEWERS", `at most ${MAX_REVIEWERS} logins or \`organisation/team\`, with commas between`);
  return [];
}

function readIdentity(read: GitHubReader): GitHubIdentity | undefined {
  const { get, problem } = read;
  const token = readSecret(read, "CAIRN_GITHUB_TOKEN");
  const id = readNumber(read, "CAIRN_GITHUB_APP_ID");
  const key = readSecret(read, "CAIRN_GITHUB_APP_KEY");
  const installation = readNumber(read, "CAIRN_GITHUB_INSTALLATION");
  const has = (name: Variable) => get(name) !== undefined;
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
  return { kind: "app", id, key, ...defined({ installation }) };
}

/** The place of a repository on GitHub, or on a server like it. */
export interface GitHubPlace {
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
}

/** Reads `https://host/owner/repo.git`, `ssh://git@host/owner/repo` or `git@host:owner/repo.git`; else `undefined`. */
export function readGitHubPlace(address: string): GitHubPlace | undefined {
  const short = /^[^/\s@:]+@([^/\s:]+):(?!\/\/)(.+)$/.exec(address);
  const url = short === null ? URL.parse(address) : null;
  if (url !== null && !/^(?:https?|ssh):$/.test(url.protocol)) return undefined;
  const host = short?.[1] ?? url?.hostname ?? "";
  const path = short?.[2] ?? url?.pathname ?? "";
  const [, owner, repo] = /^\/?([A-Za-z0-9][A-Za-z0-9_-]*)\/((?!\.+$)[A-Za-z0-9._-]+?)(?:\.git)?\/?$/.exec(path) ?? [];
  if (host === "" || owner === undefined || repo === undefined) return undefined;
  return { host: host.toLowerCase(), owner, repo };
}
