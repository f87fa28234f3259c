import type { Forge } from "./forge.ts";
import { abandon } from "./github/abandon.ts";
import type { GitHubAccess } from "./github/access.ts";
import type { GitHubRepository } from "./github/configure-octokit.ts";
import { loadAllRuns } from "./github/checks.ts";
import { type Context, isOpen } from "./github/context.ts";
import type { ForgeTime } from "./github/forge-time.ts";
import { createGitHubApi } from "./github/github-api.ts";
import { land } from "./github/land.ts";
import { loadStatus } from "./github/load-status.ts";
import type { LocalCopy } from "./github/local-copy.ts";
import { openGitHub } from "./github/open-github.ts";
import { propose } from "./github/propose.ts";
import { refresh } from "./github/refresh.ts";
import { report } from "./github/report.ts";
import { tag } from "./github/tag.ts";

export interface GitHubForgeOptions extends GitHubRepository {
  readonly access: GitHubAccess;
  readonly copy: LocalCopy;
  readonly time: ForgeTime;
  /** How a change gets onto its base: as one commit, or with a merge commit. */
  readonly mergeMethod: "squash" | "merge";
  /**
   * Whether GitHub may land by itself what is not green yet. It then lands whatever the branch has once that is green, so
   * it is for branches that nobody else can push to.
   */
  readonly autoMerge: boolean;
}

/** A repository on GitHub, or on a server with GitHub's interface. What is green is decided by the rules of its branches. */
export function openGitHubForge(options: GitHubForgeOptions): Forge {
  const { owner, repo, copy, time, mergeMethod, autoMerge, access } = options;
  const api = createGitHubApi(openGitHub(options, access), time);
  const reportsAs = access.kind === "app" ? "check-run" : "status";
  const context: Context = { api, owner, repo, copy, time, reportsAs, mergeMethod, autoMerge };
  return Object.freeze<Forge>({
    sync: () => copy.sync(),
    propose: (proposal) => propose(context, proposal),
    status: (change) => loadStatus(context, change),
    checks: (oid) => loadAllRuns(context, oid),
    report: (head, check, result) => report(context, head, check, result),
    land: (change, landing) => land(context, change, landing),
    refresh: (change) => refresh(context, change),
    abandon: (change, reason) => abandon(context, change, reason),
    isOpen: (number) => isOpen(context, number),
    tag: (name, oid, message) => tag(context, name, oid, message),
  });
}
