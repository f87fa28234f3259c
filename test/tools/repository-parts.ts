import { join } from "node:path";
import { openKnowledge } from "../../server/capabilities/knowledge/open-knowledge.ts";
import type { CapabilityOptions } from "../../server/capabilities/open-capabilities.ts";
import { loadGit } from "../../server/versions/git/git.ts";
import { openObjectReader } from "../../server/versions/git/object-reader.ts";
import { openWorkspaces } from "../../server/capabilities/workspace/open-workspaces.ts";
import { probeSandbox } from "../../server/capabilities/workspace/sandbox/probe-sandbox.ts";
import { createCheckoutRepository } from "../helpers/checkout-repository.ts";
import type { AtEnd } from "../helpers/temporary.ts";

export interface RepositoryParts {
  /** The one commit, of this checkout's agent. */
  readonly commit: string;
  readonly syscalls: Pick<CapabilityOptions, "workspaces" | "knowledge" | "onRunEnded">;
  /** Whether commands can be run on this machine. */
  readonly hasSandbox: boolean;
}

const NO_COMMANDS = { available: false, reason: "this test runs none" } as const;

/** A repository with what a version of this checkout is made of, and what a service has for its runs. */
export async function openRepositoryParts(folder: string, commands: boolean, atEnd: AtEnd): Promise<RepositoryParts> {
  const path = join(folder, "repository");
  const { commit } = await createCheckoutRepository(path);
  const git = await loadGit({ environment: process.env });
  const sandbox = commands ? await probeSandbox() : NO_COMMANDS;
  const workspaces = await openWorkspaces({
    git,
    repository: path,
    folder: join(folder, "workspaces"),
    sandbox,
    now: Date.now,
  });
  atEnd(() => workspaces.close());
  const gitDir = join(path, ".git");
  const reader = openObjectReader(git, gitDir);
  atEnd(async () => reader.close());
  const removed = (runId: string) => void workspaces.remove(runId);
  return {
    commit,
    syscalls: { workspaces, knowledge: openKnowledge({ git, gitDir, reader }), onRunEnded: removed },
    hasSandbox: sandbox.available,
  };
}
