import type { Forge } from "../forge.ts";
import { abandon } from "./abandon.ts";
import type { GitHubAccess } from "./access.ts";
import type { GitHubRepository } from "./configure-octokit.ts";
import { loadAllRuns } from "./checks.ts";
import { type Context, isOpen } from "./context.ts";
import type { ForgeTime } from "../forge-time.ts";
import { createGitHubApi } from "./github-api.ts";
import { inspectRules } from "./rules/inspect-rules.ts";
import { land } from "./land.ts";
import { loadStatus } from "./load-status.ts";
import type { LocalCopy } from "./local-copy.ts";
import type { MergeMethod } from "./config.ts";
import { openGitHub } from "./open-github.ts";
import { propose } from "./propose.ts";
import { refresh } from "./refresh.ts";
import { rerun } from "./rerun.ts";
import { report } from "./report.ts";
import { findChange, revise } from "./revise.ts";
import { tag } from "./tag.ts";

export interface GitHubForgeOptions extends GitHubRepository {
  readonly access: GitHubAccess;
  readonly copy: LocalCopy;
  readonly time: ForgeTime;
  /** How a change gets onto its base: as one commit, or with a merge commit. */
  readonly mergeMethod: MergeMethod;
  /**
   * Whether GitHub may land by itself what is not green yet. It then lands whatever the branch has once that is green, so
   * it is for branches that nobody else can push to.
   */
  readonly autoMerge: boolean;
  /** Logins, and teams as `organisation/team`, who are asked where rules want a review. Default: nobody. */
  readonly reviewers?: readonly string[];
}

/** A repository on GitHub, or on a server with GitHub's interface. What is green is decided by the rules of its branches. */
export function openGitHubForge(options: GitHubForgeOptions): Forge {
  const { owner, repo, copy, time, mergeMethod, autoMerge, access, reviewers = [] } = options;
  const api = createGitHubApi(openGitHub(options, access), time);
  const reportsAs = toReportsAs(access);
  const context: Context = { api, owner, repo, copy, time, reportsAs, mergeMethod, autoMerge, reviewers };
  return Object.freeze<Forge>({
    sync: (commits) => copy.fetch(commits),
    propose: (proposal) => propose(context, proposal),
    find: (key) => findChange(context, key),
    revise: (change, revision) => revise(context, change, revision),
    status: (change) => loadStatus(context, change),
    checks: (oid) => loadAllRuns(context, oid),
    report: (head, check, result) => report(context, head, check, result),
    land: (change, landing) => land(context, change, landing),
    refresh: (change) => refresh(context, change),
    rerun: (change, head) => rerun(context, change, head),
    abandon: (change, reason) => abandon(context, change, reason),
    isOpen: (number) => isOpen(context, number),
    inspect: (branch) => inspectRules(context, branch),
    tag: (name, oid, message) => tag(context, name, oid, message),
  });
}

/** Tells how Cairn reports its checks: only an app has check runs. */
export function toReportsAs({ kind }: Pick<GitHubAccess, "kind">): Context["reportsAs"] {
  return kind === "app" ? "check-run" : "status";
}
