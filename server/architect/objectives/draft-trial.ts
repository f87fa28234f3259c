import type { Workspaces } from "../../capabilities/workspace/open-workspaces.ts";
import type { Workspace } from "../../capabilities/workspace/workspace.ts";
import { CairnError } from "../../errors.ts";
import type { Readable } from "../../versions/read-text-of.ts";
import { isFragmentPath, isPartOfVersion } from "../../versions/tree.ts";
import type { FileChanges } from "../pipeline/merge-files.ts";
import { toWorkspaceName } from "../pipeline/run.ts";
import type { Verify } from "../pipeline/verify/create-verify.ts";

export interface DraftTrialOptions {
  readonly workspaces: Workspaces;
  readonly verify: Verify;
  readonly before: Readable;
  readonly runId: string;
  readonly tenant: string;
  readonly signal: AbortSignal;
}

/** Drafts of a run's change, each in a workspace that is gone afterwards. */
export interface DraftTrial {
  /** Lists what is wrong with a draft, in sentences; none: it holds. */
  findFaults(files: FileChanges): Promise<readonly string[]>;
  /** Shows a draft as a unified diff. @throws PAYLOAD_TOO_LARGE where that would be cut off. */
  toDiff(files: FileChanges): Promise<string>;
}

/**
 * Creates trials of drafts. A run releases nothing, so no number is held against a draft. Recorded calls and declared commands
 * take long, and follow when the run is verified.
 */
export function createDraftTrial({ workspaces, verify, before, ...request }: DraftTrialOptions): DraftTrial {
  const { runId, tenant, signal } = request;
  const name = toWorkspaceName(runId, "draft");

  async function withDraft<T>(
    files: FileChanges,
    wants: (path: string) => boolean,
    use: (workspace: Workspace) => Promise<T>,
  ): Promise<T> {
    // A crash may have left one.
    await workspaces.remove(name);
    try {
      const workspace = await workspaces.create(name, before.version.commit, wants);
      for (const [path, text] of files) {
        if (text === null) await workspace.fs.remove(path);
        else await workspace.fs.write(path, text);
      }
      return await use(workspace);
    } finally {
      await workspaces.remove(name);
    }
  }

  return {
    findFaults: (files) => {
      const wants = (path: string) => isPartOfVersion(path) || isFragmentPath(path) || files.has(path);
      return withDraft(files, wants, async (workspace) => {
        const changed = [...files.keys()];
        const { checks } = await verify({ before, workspace, changed, tenant, isDraft: true, signal });
        return checks.flatMap(({ name: check, status, message }) =>
          status === "failed" && check !== "semver" ? [`${check}: ${message}`] : [],
        );
      });
    },
    toDiff: (files) =>
      withDraft(
        files,
        (path) => files.has(path),
        async ({ git }) => {
          const { diff, truncated } = await git.diff([...files.keys()]);
          if (!truncated) return diff;
          throw new CairnError("PAYLOAD_TOO_LARGE", "The planned change is larger than a run's evidence may be.");
        },
      ),
  };
}
