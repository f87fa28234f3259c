import { NO_FORGE } from "../config/config-forge.ts";
import type { Config } from "../config/config.ts";
import { CairnError } from "../errors.ts";
import type { ForgeConnection, OpenForgeOptions } from "../forge/adapter.ts";
import type { Forge } from "../forge/forge.ts";
import type { Nudges } from "../forge/nudges.ts";
import type { Log } from "../log/log.ts";
import { findDefaultBranch } from "../versions/mirror/default-branch.ts";
import { defined } from "../json/defined.ts";

/** The forge of the repository that is served, or why there is none. */
export interface OpenedForge {
  /** Absent: nothing does, and `why` says what to set. */
  readonly forge?: Forge;
  readonly why?: string;
  /** True where a forge was assumed, and something keeps it from working. */
  readonly isFault?: true;
  /** The name of the branch that changes land on. */
  readonly baseBranch: string;
  /** The repository's name where others report checks of its commits; absent: nobody else does. */
  readonly reporter?: string;
  /** Milliseconds between looks at a change that waits. */
  readonly pollMs: number;
  /** The checks without which nothing lands. Absent: the host has rules of its own, or there is no forge. */
  readonly required?: readonly string[];
  /** Passes on where the forge says that something has moved. Asking `forge` now and then stays enough. Returns "stop". */
  readonly onNudge: Nudges["onNudge"];
}

export interface ForgeOptions extends OpenForgeOptions {
  readonly config: Pick<Config, "forge" | "baseBranch">;
  readonly connection: ForgeConnection;
  readonly onNudge: Nudges["onNudge"];
}

/**
 * Logs the rules that a host has for changes, and what of them will keep changes from landing. Nobody waits for it: a host
 * that cannot be reached is asked again when a change is proposed.
 */
export async function logRules(opened: OpenedForge, log: Log): Promise<void> {
  const { forge, required, baseBranch: branch, why, isFault } = opened;
  if (isFault) log.warn({ reason: why }, "the Architect changes nothing");
  // Without rules of its own there is nothing to find out.
  if (forge === undefined || required !== undefined) return;
  try {
    const { rules, problems } = await forge.inspect(branch);
    log.info({ branch, rules }, "rules of the forge");
    for (const problem of problems) log.warn({ branch }, problem);
  } catch (error) {
    const reason = error instanceof CairnError ? error.message : String(error);
    log.warn({ branch, reason }, "the rules of the forge could not be read");
  }
}

/** Longest wait of work that needs a forge while there is none, in milliseconds. */
const IDLE_MS = 250;

/** Opens the forge that the configuration chose. Rejects where it was asked for and cannot be had; one only assumed is left out. */
export async function openForge(options: ForgeOptions): Promise<OpenedForge> {
  const { config, git, registry, connection, onNudge } = options;
  const { opener } = connection;
  const baseBranch = config.baseBranch ?? (await findDefaultBranch(git, registry.mirror)) ?? "main";
  const why = config.forge.kind === "none" ? config.forge.why : NO_FORGE;
  if (opener === undefined) return Object.freeze({ why, baseBranch, pollMs: IDLE_MS, onNudge });
  const { pollMs, required } = opener;
  const opened = await opener.open(options);
  return Object.freeze({ ...opened, baseBranch, pollMs, ...defined({ required }), onNudge });
}

const UNSIGNED =
  "Tags need a signature here (CAIRN_REQUIRE_SIGNED_TAGS), and Cairn has no key to make one, so what it landed would not be served.";

/** Finds the forge by which changes can land and be served, or why there is none. */
export function findUsableForge(
  { tagSigners }: Pick<Config, "tagSigners">,
  { forge, why = NO_FORGE }: Pick<OpenedForge, "forge" | "why">,
): { readonly forge: Forge; readonly why?: never } | { readonly forge?: never; readonly why: string } {
  if (forge === undefined) return { why };
  return tagSigners === undefined ? { forge } : { why: UNSIGNED };
}
