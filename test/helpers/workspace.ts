import { join } from "node:path";
import { loadGit } from "../../server/versions/git/git.ts";
import { type Workspaces, openWorkspaces } from "../../server/capabilities/workspace/open-workspaces.ts";
import type { Workspace } from "../../server/capabilities/workspace/workspace.ts";
import type { Network } from "../../server/capabilities/workspace/sandbox/network.ts";
import type { Sandbox } from "../../server/capabilities/workspace/sandbox/probe-sandbox.ts";
import { type TestRepository, createRepository } from "./repository.ts";
import { temporaryFolder } from "./temporary.ts";

export const NO_SANDBOX: Sandbox = { available: false, reason: "none in this test" };
/** When everything in workspaces of tests is committed. */
export const COMMITTED_AT = Date.UTC(2026, 5, 1);

export interface TestWorkspace {
  readonly repository: TestRepository;
  readonly workspaces: Workspaces;
  readonly workspace: Workspace;
  readonly commit: string;
  /** Where its files are on the disk. */
  readonly tree: string;
  readonly folder: string;
}

/** The workspace of the run `run` at a commit of these files, or at what `prepare` makes of them. */
export async function openTestWorkspace(
  files: Readonly<Record<string, string>> = { "a.txt": "one\n" },
  options: {
    readonly sandbox?: Sandbox;
    readonly network?: Network;
    readonly prepare?: (repository: TestRepository) => Promise<unknown>;
  } = {},
): Promise<TestWorkspace> {
  const repository = await createRepository();
  await repository.commit(files);
  await options.prepare?.(repository);
  const commit = await repository.git("rev-parse", "HEAD");
  const folder = join(await temporaryFolder(), "workspaces");
  const workspaces = await openTestWorkspaces(repository.path, folder, options.sandbox, options.network);
  const workspace = await workspaces.create("run", commit);
  return { repository, workspaces, workspace, commit, folder, tree: join(folder, "run", "tree") };
}

export async function openTestWorkspaces(
  repository: string,
  folder: string,
  sandbox = NO_SANDBOX,
  network?: Network,
): Promise<Workspaces> {
  const git = await loadGit({ environment: process.env });
  const reached = network === undefined ? {} : { network };
  return openWorkspaces({ git, repository, folder, sandbox, ...reached, now: () => COMMITTED_AT });
}
