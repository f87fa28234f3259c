import type { ConfigReader } from "./config-reader.ts";
import { isSecureUrl } from "./secure-url.ts";
import { readGitHubPlace, type GitHubPlace } from "./github-place.ts";
import { readSecretReference, type SecretReference } from "./secret-reference.ts";

/** What changes the served repository. */
export type ForgeConfig =
  | {
      readonly kind: "local";
      /** Checks without which nothing lands. */
      readonly required: readonly string[];
      /** Whether it was asked for; else only a bare repository is changed. */
      readonly isChosen: boolean;
    }
  | {
      readonly kind: "github";
      readonly mergeMethod: "squash" | "merge";
      readonly autoMerge: boolean;
      /** Seconds between looks at a change that waits for checks or people. */
      readonly interval: number;
    }
  /** Nothing does; `why` says what to set. */
  | { readonly kind: "none"; readonly why: string };

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

export interface ForgeSettings {
  readonly forge: ForgeConfig;
  /** The branch that changes land on; absent: the repository's default branch. */
  readonly baseBranch?: string;
  readonly github?: GitHubConfig;
  readonly webhooks?: WebhookConfig;
}

const DEFAULT_CHECK = "cairn";

export const FORGE_VARIABLES = {
  CAIRN_FORGE:
    "What changes the repository: `local` (git alone, for one on this machine), `github` (pull requests) or `none`. Default: `local` for the embedded or a bare repository on this machine, `github` where `CAIRN_REPO` is on GitHub and credentials are given, else `none` ([forge](forge.md)).",
  CAIRN_FORGE_BRANCH: "Branch that changes land on. Default: the repository's default branch.",
  CAIRN_FORGE_CHECKS:
    "Comma-separated checks without which a `local` forge lands nothing; on GitHub, the rules of the branch say. Default `cairn`.",
  CAIRN_FORGE_INTERVAL:
    "Seconds between looks at a change that waits on GitHub, besides being told by webhooks; from `1` to `3600`. Default `15`.",
  CAIRN_GITHUB_TOKEN:
    "Where a token for the repository on GitHub is: `env:NAME` or `file:/path`. Private repositories are fetched with it, too.",
  CAIRN_GITHUB_APP_ID: "Number of a GitHub App, instead of a token.",
  CAIRN_GITHUB_APP_KEY: "Where its private key (PEM) is: `file:/path` or `env:NAME`.",
  CAIRN_GITHUB_INSTALLATION: "Number of its installation. Default: the one in the repository.",
  CAIRN_GITHUB_API:
    "Base URL of GitHub's REST interface, of an Enterprise server for example `https://github.example.com/api/v3`. Default: that of github.com.",
  CAIRN_GITHUB_MERGE: "How changes land on GitHub: `squash` or `merge`. Default `squash`.",
  CAIRN_GITHUB_AUTO_MERGE: "`true`: GitHub may land by itself what only waits for checks. Default `false`.",
  CAIRN_GITHUB_WEBHOOK_SECRET:
    "Where the secret of the webhook is: `env:NAME` or `file:/path`. Without it nothing answers at `/webhooks/github`.",
} as const;

type ForgeVariable = keyof typeof FORGE_VARIABLES;
type ForgeReader = ConfigReader<ForgeVariable>;

const FORGES = ["local", "github", "none"] as const;
const BOOLEANS = ["true", "false"] as const;

/** `repository` is a path or an URL; absent: the embedded one. */
export function readForgeConfig(read: ForgeReader, repository: string | undefined, isRemote: boolean): ForgeSettings {
  const place = isRemote ? readGitHubPlace(repository ?? "") : undefined;
  const github = readGitHub(read, place, repository ?? "");
  const branch = read.get("CAIRN_FORGE_BRANCH");
  if (branch !== undefined && !BRANCH.test(branch)) read.wrong("CAIRN_FORGE_BRANCH", "it must be the name of a branch");
  const secret = readSecret(read, "CAIRN_GITHUB_WEBHOOK_SECRET");
  return {
    forge: readForge(read, github, isRemote),
    ...(branch === undefined ? {} : { baseBranch: branch }),
    ...(github === undefined ? {} : { github }),
    ...(secret === undefined || place === undefined ? {} : { webhooks: { ...place, secret } }),
  };
}

const BRANCH = /^(?!.*(?:\.\.|\/\/|\.lock$|[./]$))[A-Za-z0-9][A-Za-z0-9._/+-]{0,199}$/;

function readForge(read: ForgeReader, github: GitHubConfig | undefined, isRemote: boolean): ForgeConfig {
  const { get, wrong, oneOf } = read;
  const asked = get("CAIRN_FORGE");
  const fitting = isRemote ? (github === undefined ? "none" : "github") : "local";
  const kind = oneOf("CAIRN_FORGE", FORGES, fitting);
  const required = readChecks(read);
  const mergeMethod = oneOf("CAIRN_GITHUB_MERGE", ["squash", "merge"], "squash");
  const autoMerge = oneOf("CAIRN_GITHUB_AUTO_MERGE", BOOLEANS, "false") === "true";
  const interval = readInterval(read);
  if (kind === "none") return { kind, why: asked === undefined ? NO_FORGE : "CAIRN_FORGE is `none`." };
  if (kind === "local") {
    if (isRemote) wrong("CAIRN_FORGE", "it takes a repository on this machine, and CAIRN_REPO is elsewhere");
    return { kind, required, isChosen: asked !== undefined };
  }
  if (github === undefined) wrong("CAIRN_FORGE", NEEDS_GITHUB);
  return { kind, mergeMethod, autoMerge, interval };
}

const DEFAULT_INTERVAL_S = 15;
const LONGEST_INTERVAL_S = 3600;

function readInterval(read: ForgeReader): number {
  const seconds = readNumber(read, "CAIRN_FORGE_INTERVAL") ?? DEFAULT_INTERVAL_S;
  if (seconds <= LONGEST_INTERVAL_S) return seconds;
  read.wrong("CAIRN_FORGE_INTERVAL", `it must be ${LONGEST_INTERVAL_S} at most`);
  return DEFAULT_INTERVAL_S;
}

const NEEDS_GITHUB =
  "it needs CAIRN_REPO to be on github.com, or CAIRN_GITHUB_API, and CAIRN_GITHUB_TOKEN, or CAIRN_GITHUB_APP_ID and CAIRN_GITHUB_APP_KEY";
/** What to set where nothing changes the repository. */
export const NO_FORGE =
  "Nothing here can change the repository: on GitHub, give CAIRN_GITHUB_TOKEN, or CAIRN_GITHUB_APP_ID and CAIRN_GITHUB_APP_KEY " +
  "(elsewhere than on github.com, with CAIRN_GITHUB_API); or serve a bare repository on this machine.";

function readChecks({ get, wrong }: ForgeReader): readonly string[] {
  const text = get("CAIRN_FORGE_CHECKS");
  if (text === undefined) return [DEFAULT_CHECK];
  const names = [...new Set(text.split(",").map((name) => name.trim()))];
  if (names.every((name) => /^[\x21-\x7e](?:[\x20-\x7e]{0,98}[\x21-\x7e])?$/.test(name))) return names;
  wrong("CAIRN_FORGE_CHECKS", "it must be names of checks, of 1 to 100 printable characters, with commas between them");
  return [DEFAULT_CHECK];
}

/** What is given for a repository that is not on GitHub stays without use: `cairn dev` serves folders beside. */
function readGitHub(read: ForgeReader, place: GitHubPlace | undefined, repository: string): GitHubConfig | undefined {
  const { get, problem } = read;
  const api = readApi(read);
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

function readApi({ get, wrong }: ForgeReader): string | undefined {
  const url = get("CAIRN_GITHUB_API")?.replace(/\/+$/, "");
  if (url === undefined || (isSecureUrl(url) && !/[?#]/.test(url))) return url;
  return wrong("CAIRN_GITHUB_API", "it must be an https URL without query or fragment (http only for this machine)");
}

function readIdentity(read: ForgeReader): GitHubIdentity | undefined {
  const { get, problem } = read;
  const token = readSecret(read, "CAIRN_GITHUB_TOKEN");
  const id = readNumber(read, "CAIRN_GITHUB_APP_ID");
  const key = readSecret(read, "CAIRN_GITHUB_APP_KEY");
  const installation = readNumber(read, "CAIRN_GITHUB_INSTALLATION");
  const has = (name: ForgeVariable) => get(name) !== undefined;
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

function readSecret({ get, problem, environment }: ForgeReader, name: ForgeVariable): SecretReference | undefined {
  return readSecretReference(name, get(name), environment, problem);
}

function readNumber({ get, wrong }: ForgeReader, name: ForgeVariable): number | undefined {
  const text = get(name);
  if (text === undefined || (/^[1-9]\d{0,14}$/.test(text) && Number.isSafeInteger(Number(text)))) {
    return text === undefined ? undefined : Number(text);
  }
  return wrong(name, "it must be a whole number from 1");
}
