import { GITHUB_SETTINGS } from "../forge/github/config.ts";
import { LOCAL_SETTINGS } from "../forge/local/config.ts";
import { type ConfigReader, readNumber } from "./config-reader.ts";
import type { SecretReference } from "./secret-reference.ts";
import { defined } from "../json/defined.ts";

/** Every kind of forge, by its word for CAIRN_FORGE. The first that fits a repository is its default. */
const FORGES = { local: LOCAL_SETTINGS, github: GITHUB_SETTINGS } as const;

export type ForgeKind = keyof typeof FORGES;
const KINDS: readonly ForgeKind[] = ["local", "github"];
type SettingsRead = ReturnType<(typeof FORGES)[ForgeKind]["read"]>;

/** The forge that changes the served repository. */
export type ForgeConfig =
  | SettingsRead["forge"]
  /** Nothing does; `why` says what to set. */
  | { readonly kind: "none"; readonly why: string };

export interface ForgeSettings {
  readonly forge: ForgeConfig;
  /** The branch that changes land on; absent: the repository's default branch. */
  readonly baseBranch?: string;
  /** The place that the repository is at, where one of the forges has settings for it. */
  readonly forgeHost?: NonNullable<SettingsRead["host"]>;
}

export const FORGE_VARIABLES = {
  CAIRN_FORGE:
    "What changes the repository: `local` (git alone, for one on this machine), `github` (pull requests) or `none`. Default: `local` for the embedded or a bare repository on this machine, `github` where `CAIRN_REPO` is on GitHub and credentials are given, else `none` ([forge](forge.md)).",
  CAIRN_FORGE_BRANCH: "Branch that changes land on. Default: the repository's default branch.",
  ...LOCAL_SETTINGS.variables,
  CAIRN_FORGE_INTERVAL:
    "Seconds between looks at a change that waits on GitHub, besides being told by webhooks; from `1` to `3600`. Default `15`.",
  ...GITHUB_SETTINGS.variables,
} as const;

type ForgeReader = ConfigReader<keyof typeof FORGE_VARIABLES>;

/** Says what to set where nothing changes the repository. */
export const NO_FORGE = `Nothing here can change the repository: ${GITHUB_SETTINGS.hint}; or ${LOCAL_SETTINGS.hint}.`;

/** Reads the settings of every kind of forge, and chooses one. `repository` is a path or a URL; absent: the embedded one. */
export function readForgeConfig(read: ForgeReader, repository: string | undefined, isRemote: boolean): ForgeSettings {
  const branch = read.get("CAIRN_FORGE_BRANCH");
  if (branch !== undefined && !BRANCH.test(branch)) read.wrong("CAIRN_FORGE_BRANCH", "it must be the name of a branch");
  const shared = { repository: repository ?? "", isRemote, interval: readInterval(read) };
  const settings: Readonly<Record<ForgeKind, SettingsRead>> = {
    local: FORGES.local.read(read, shared),
    github: FORGES.github.read(read, shared),
  };
  const host = KINDS.map((kind) => settings[kind].host).find((one) => one !== undefined);
  return {
    forge: choose(read, settings),
    ...defined({ baseBranch: branch, forgeHost: host }),
  };
}

/** Finds the secrets among the settings, to be masked wherever they turn up. */
export function findForgeSecrets({ forgeHost: host }: ForgeSettings): readonly SecretReference[] {
  return host === undefined ? [] : FORGES[host.kind].secretsOf(host);
}

const BRANCH = /^(?!.*(?:\.\.|\/\/|\.lock$|[./]$))[A-Za-z0-9][A-Za-z0-9._/+-]{0,199}$/;

function choose(read: ForgeReader, settings: Readonly<Record<ForgeKind, SettingsRead>>): ForgeConfig {
  const fitting = KINDS.find((kind) => settings[kind].misfit === undefined) ?? "none";
  const kind = read.oneOf("CAIRN_FORGE", [...KINDS, "none"], fitting);
  if (kind === "none") {
    return { kind, why: read.get("CAIRN_FORGE") === undefined ? NO_FORGE : "CAIRN_FORGE is `none`." };
  }
  const { forge, misfit } = settings[kind];
  if (misfit !== undefined) read.wrong("CAIRN_FORGE", misfit);
  return forge;
}

const DEFAULT_INTERVAL_S = 15;
const LONGEST_INTERVAL_S = 3600;

function readInterval(read: ForgeReader): number {
  const seconds = readNumber(read, "CAIRN_FORGE_INTERVAL") ?? DEFAULT_INTERVAL_S;
  if (seconds <= LONGEST_INTERVAL_S) return seconds;
  read.wrong("CAIRN_FORGE_INTERVAL", `it must be ${LONGEST_INTERVAL_S} at most`);
  return DEFAULT_INTERVAL_S;
}
