import { auditChanges } from "../kernel/audit/audit-changes.ts";
import type { Git } from "../versions/git/git.ts";
import { followWorkTree } from "../versions/registry/follow-work-tree.ts";
import { logEvents } from "../versions/registry/log-events.ts";
import type { Log } from "../log/log.ts";
import type { ShowCalls } from "../operations/show-calls.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import { logRules, type OpenedForge } from "./open-forge.ts";
import type { Closing, Foundation } from "./open-foundation.ts";

export interface FollowOptions extends Omit<
  Parameters<typeof followWorkTree>[0],
  "git" | "checkout" | "registry" | "onError"
> {
  readonly log: Log;
  readonly show?: ShowCalls;
  /** A checkout whose uncommitted files are served as `dev`. */
  readonly workTree?: string;
}

/** Logs and audits what happens to the repository, and follows a work tree where one is served. */
export async function followRepository(
  options: FollowOptions,
  { audit, isFirst, onError }: Foundation,
  { registry, forge }: { readonly registry: Registry; readonly forge: OpenedForge },
  git: Git,
  closing: Closing,
): Promise<void> {
  if (isFirst) {
    logEvents(registry, options.log, options.show?.reloaded);
    void logRules(forge, options.log);
    auditChanges(registry, audit, onError);
  }
  if (options.workTree === undefined) return;
  const workTree = await followWorkTree({ ...options, git, checkout: options.workTree, registry, onError });
  closing.push(() => workTree.close());
}
