import { CairnError } from "../../../errors.ts";
import { loadDirectoryTree } from "../../../versions/git/directory-tree.ts";
import type { RunVerification } from "../../knowledge/api.ts";
import type { Tree } from "../../../versions/tree.ts";
import type { Loaded } from "../../../versions/version.ts";
import type { VerifyWorkspace, Workspace } from "../workspace.ts";

/** The workspace of a run as syscalls use it, wherever its files are. */
export interface RunWorkspace extends Omit<Workspace, "inspect" | "fs" | "git"> {
  readonly fs: Omit<Workspace["fs"], "remove">;
  readonly git: {
    status: Workspace["git"]["status"];
    diff(): ReturnType<Workspace["git"]["diff"]>;
    commit: Workspace["git"]["commit"];
  };
  /** Loads the files as a version; resolves to what is wrong with them, in sentences. */
  validate(): Promise<readonly string[]>;
  /** Tries the files as changes of the Architect are tried. */
  verify(request: VerifyRequest): Promise<RunVerification>;
}

/** The parts of a service that look at what a workspace holds. */
export interface WorkspaceTools {
  /** Loads a tree as a version, or says why it makes none. */
  readonly load?: (tree: Tree, commit: string) => Promise<Loaded>;
  /** Tries a workspace as changes of the Architect are tried. */
  readonly verify?: VerifyWorkspace;
}

export interface VerifyRequest {
  readonly tenant: string;
  readonly signal: AbortSignal;
  /** Hears of each check, in words; of a workspace of another node it hears nothing. */
  readonly onCheck: (message: string) => void;
}

/** Problems that one validation lists. */
const LISTED_PROBLEMS = 100;

/** Creates the workspace of a run out of one of this machine. */
export function createRunWorkspace(workspace: Workspace, { load, verify }: WorkspaceTools): RunWorkspace {
  return {
    ...workspace,
    async validate() {
      if (load === undefined) throw new CairnError("UNAVAILABLE", "Nothing here reads trees.");
      return workspace.inspect(async (folder) => {
        const read = await loadDirectoryTree(folder);
        const loaded = read.ok ? await load(read.tree, workspace.base) : read;
        if (!("problems" in loaded)) return [];
        return loaded.problems
          .slice(0, LISTED_PROBLEMS)
          .map(({ file, line, column, rule, message }) => `${file}:${line}:${column}: ${message} (${rule})`);
      });
    },
    async verify(request) {
      if (verify === undefined) throw new CairnError("UNAVAILABLE", "Nothing here tries changes.");
      return verify({ workspace, ...request });
    },
  };
}
