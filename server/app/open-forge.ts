import type { Config } from "../config/config.ts";
import { type ForgeConfig, NO_FORGE } from "../config/config-forge.ts";
import { CairnError } from "../errors.ts";
import type { Forge } from "../forge/forge.ts";
import type { ForgeTime } from "../forge/github/forge-time.ts";
import { createMirrorCopy } from "../forge/github/local-copy.ts";
import { openLocalRepository } from "../forge/local/local-repository.ts";
import type { Nudges } from "../forge/nudges.ts";
import { openGitHubForge } from "../forge/github/open-github-forge.ts";
import { openLocalForge } from "../forge/local/open-local-forge.ts";
import type { Store } from "../store/store.ts";
import type { Git } from "../versions/git/git.ts";
import type { Upstream } from "../versions/git/upstream.ts";
import { findDefaultBranch } from "../versions/mirror/default-branch.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import type { GitHubAccount } from "../forge/github/open-account.ts";

/** What changes the repository that is served. */
export interface OpenedForge {
  /** Absent: nothing does, and `why` says what to set. */
  readonly forge?: Forge;
  readonly why?: string;
  /** The name of the branch that changes land on. */
  readonly baseBranch: string;
  /** What the repository is called where others report checks of its commits; absent: nobody else does. */
  readonly reporter?: string;
  /** Hears what has moved at the forge, where it tells. Asking `forge` now and then stays enough. Returns "stop". */
  readonly onNudge: Nudges["onNudge"];
}

export interface ForgeOptions {
  readonly config: Pick<Config, "forge" | "baseBranch">;
  readonly git: Git;
  readonly store: Store;
  readonly upstream: Upstream;
  readonly registry: Registry;
  readonly github: GitHubAccount | undefined;
  readonly onNudge: Nudges["onNudge"];
  readonly now: () => number;
  readonly time: ForgeTime;
}

/** Rejects where what was asked for cannot be had; what was only assumed is left out, and says why. */
export async function openForge(options: ForgeOptions): Promise<OpenedForge> {
  const { config, git, registry, upstream, github, onNudge } = options;
  const { forge } = config;
  const baseBranch = config.baseBranch ?? (await findDefaultBranch(git, registry.mirror)) ?? "main";
  const opened = (found: Pick<OpenedForge, "forge" | "reporter"> | { readonly why: string }) =>
    Object.freeze({ ...found, baseBranch, onNudge });
  if (forge.kind === "github" && github !== undefined) {
    const { owner, repo } = github.repository;
    return opened({ forge: await openGitHub(options, forge, github), reporter: `${owner}/${repo}` });
  }
  if (forge.kind !== "local" || upstream.path === undefined) {
    return opened({ why: forge.kind === "none" ? forge.why : NO_FORGE });
  }
  if (!forge.isChosen && !(await isBare(git, upstream.path))) {
    return opened({
      why: `People work in \`${upstream.path}\`, so it is changed only where CAIRN_FORGE=local says so.`,
    });
  }
  try {
    return opened({ forge: await openLocal(options, forge, upstream.path) });
  } catch (error) {
    // An old git can serve, and not change.
    if (forge.isChosen || !(error instanceof CairnError)) throw error;
    return opened({ why: error.message });
  }
}

type Kind<Name extends ForgeConfig["kind"]> = Extract<ForgeConfig, { readonly kind: Name }>;

async function isBare(git: Git, path: string): Promise<boolean> {
  return (await git.run(["-C", path, "rev-parse", "--is-bare-repository"])).trim() === "true";
}

function openLocal({ git, store, now }: ForgeOptions, { required }: Kind<"local">, path: string): Promise<Forge> {
  return openLocalForge({ git, store, path, required, now });
}

async function openGitHub(
  { git, registry, now, time }: ForgeOptions,
  { mergeMethod, autoMerge }: Kind<"github">,
  { repository, access }: GitHubAccount,
): Promise<Forge> {
  const copy = createMirrorCopy(await openLocalRepository(git, registry.mirror, now), registry);
  return openGitHubForge({ ...repository, access, copy, time, mergeMethod, autoMerge });
}
