import type { VerifyWorkspace } from "../../../capabilities/workspace/workspace.ts";
import type { Version } from "../../../versions/version.ts";
import type { CommitFiles } from "../commit-files.ts";
import type { Verify } from "./create-verify.ts";

export interface VerifyWorkspaceOptions {
  readonly verify: Verify;
  readonly read: (commit: string) => Promise<Version>;
  readonly filesOf: (commit: string) => Promise<CommitFiles>;
}

/**
 * Creates what `ctx.repository.verify` asks: the checks of a change of the Architect, for what a worker has made of a workspace. The
 * number is not held against it, because nothing is released here: what `semver` finds is a warning.
 */
export function createVerifyWorkspace({ verify, read, filesOf }: VerifyWorkspaceOptions): VerifyWorkspace {
  return async ({ workspace, tenant, signal, onCheck }) => {
    const [version, { readText }] = await Promise.all([read(workspace.base), filesOf(workspace.base)]);
    const { files, unfit } = await workspace.git.status();
    const { checks } = await verify({
      before: { version, readText },
      workspace,
      changed: [...files, ...unfit].map(({ path }) => path).toSorted(),
      tenant,
      onlyAffected: true,
      signal,
      onCheck: ({ name, status }) => onCheck(`${name}: ${status}`),
    });
    const isHeld = checks.some(({ name, status }) => status === "failed" && name !== "semver");
    return {
      status: isHeld ? "failed" : "passed",
      checks: checks.map(({ name, status, message, tried }) => {
        const isWarning = name === "semver" && status === "failed";
        return { name, status: isWarning ? "warning" : status, message, ...tried };
      }),
    };
  };
}
