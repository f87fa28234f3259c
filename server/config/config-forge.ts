import { type ConfigReader, readNumber, readSecret } from "./config-reader.ts";
import {
  GITHUB_ACCESS_VARIABLES,
  GITHUB_WEBHOOK_VARIABLES,
  type GitHubConfig,
  readGitHub,
  type WebhookConfig,
} from "../forge/github/config.ts";
import { readGitHubPlace } from "../forge/github/place.ts";

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
  ...GITHUB_ACCESS_VARIABLES,
  CAIRN_GITHUB_MERGE: "How changes land on GitHub: `squash` or `merge`. Default `squash`.",
  CAIRN_GITHUB_AUTO_MERGE: "`true`: GitHub may land by itself what only waits for checks. Default `false`.",
  ...GITHUB_WEBHOOK_VARIABLES,
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
