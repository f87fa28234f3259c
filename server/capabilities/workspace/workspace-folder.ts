import { join } from "node:path";

/** Paths of the parts of a run's workspace. Commands see only `tree`. */
export interface WorkspaceFolder {
  readonly root: string;
  /** The files. */
  readonly tree: string;
  /** A repository of Cairn's own, outside of the files. */
  readonly git: string;
  /** A repository with nothing but the commit, for commands that ask git. */
  readonly lent: string;
  /** Unfinished files, on the same file system. */
  readonly temporary: string;
  /** A patch that is being put in place. */
  readonly pending: string;
  /** Record of the workspace's origin; written last. */
  readonly record: string;
}

export function toWorkspaceFolder(root: string): WorkspaceFolder {
  return Object.freeze({
    root,
    tree: join(root, "tree"),
    git: join(root, "git"),
    lent: join(root, "lent"),
    temporary: join(root, "temporary"),
    pending: join(root, "pending"),
    record: join(root, "workspace.json"),
  });
}
