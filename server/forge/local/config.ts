import type { ConfigReader } from "../../config/config-reader.ts";
import type { ForgeSettingsReader } from "../settings.ts";

/** The settings of a forge on this machine. */
export interface LocalForgeConfig {
  readonly kind: "local";
  /** Checks without which nothing lands. */
  readonly required: readonly string[];
  /** Says whether it was asked for; else only a bare repository is changed. */
  readonly isChosen: boolean;
}

const VARIABLES = {
  CAIRN_FORGE_CHECKS:
    "Comma-separated checks without which a `local` forge lands nothing; on GitHub, the rules of the branch say. Default `cairn`.",
} as const;

type Variable = keyof typeof VARIABLES;

export const LOCAL_SETTINGS: ForgeSettingsReader<Variable, LocalForgeConfig, never> = Object.freeze({
  variables: VARIABLES,
  hint: "serve a bare repository on this machine",
  read: (read, { isRemote }) => ({
    forge: { kind: "local", required: readChecks(read), isChosen: read.get("CAIRN_FORGE") !== undefined },
    ...(isRemote ? { misfit: "it takes a repository on this machine, and CAIRN_REPO is elsewhere" } : {}),
  }),
  secretsOf: () => [],
} satisfies ForgeSettingsReader<Variable, LocalForgeConfig, never>);

const DEFAULT_CHECK = "cairn";

function readChecks({ get, wrong }: ConfigReader<Variable>): readonly string[] {
  const text = get("CAIRN_FORGE_CHECKS");
  if (text === undefined) return [DEFAULT_CHECK];
  const names = [...new Set(text.split(",").map((name) => name.trim()))];
  if (names.every((name) => /^[\x21-\x7e](?:[\x20-\x7e]{0,98}[\x21-\x7e])?$/.test(name))) return names;
  wrong("CAIRN_FORGE_CHECKS", "it must be names of checks, of 1 to 100 printable characters, with commas between them");
  return [DEFAULT_CHECK];
}
