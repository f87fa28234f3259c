import { join } from "node:path";
import { createPlanners } from "../../server/app/create-planners.ts";
import { createPlanObjective } from "../../server/architect/objectives/create-plan-objective.ts";
import { createCommitFiles } from "../../server/architect/pipeline/commit-files.ts";
import { createVerify } from "../../server/architect/pipeline/verify/create-verify.ts";
import type { FindTestResult } from "../../server/architect/pipeline/verify/find-test-result.ts";
import { createSharedTrial } from "../../server/architect/pipeline/verify/shared-trial.ts";
import { createVerifyWorkspace } from "../../server/architect/pipeline/verify/verify-workspace.ts";
import { openTrial } from "../../server/examples/open-trial.ts";
import { toTestResult } from "../../server/examples/test-results.ts";
import type { ModelConfig } from "../../server/config/config-model.ts";
import { defined } from "../../server/json/defined.ts";
import { SHAPES_ONLY } from "../../server/log/redact.ts";
import type { Store } from "../../server/store/store.ts";
import type { Version } from "../../server/versions/version.ts";
import { loader } from "../helpers/loader.ts";
import { openKnowledge } from "../../server/capabilities/knowledge/open-knowledge.ts";
import type { CapabilityOptions } from "../../server/capabilities/open-capabilities.ts";
import { loadGit } from "../../server/versions/git/git.ts";
import { openObjectReader } from "../../server/versions/git/object-reader.ts";
import { openWorkspaces } from "../../server/capabilities/workspace/open-workspaces.ts";
import { probeSandbox } from "../../server/capabilities/workspace/sandbox/probe-sandbox.ts";
import { createCheckoutRepository } from "../helpers/checkout-repository.ts";
import type { AtEnd } from "../helpers/temporary.ts";

type Found = NonNullable<Awaited<ReturnType<FindTestResult>>>;

export interface RepositoryParts {
  /** The one commit, of this checkout's agent. */
  readonly commit: string;
  readonly syscalls: Pick<CapabilityOptions, "workspaces" | "knowledge" | "onRunEnded">;
  /** Verifies and plans runs against the version of that commit, whose examples have all passed. */
  openVerify(version: Version, store: Store, model?: ModelConfig): Required<Pick<CapabilityOptions, "verify" | "plan">>;
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
    openVerify(version, store, model) {
      const trial = createSharedTrial(() => openTrial({ egressMap: new Map(), now: Date.now }));
      atEnd(() => trial.close());
      const shown = [...version.tools.keys()];
      const known: Found = { ...toTestResult(commit, { examples: [], untested: [] }, 0), shown };
      const judge = async () => ({ problems: [], bases: [], presumed: [] });
      const findResult = async () => known;
      const verify = createVerify({ loader, store, findResult, trial, judge, now: Date.now });
      const read = async () => version;
      const filesOf = createCommitFiles({ git, gitDir, reader });
      const redactor = SHAPES_ONLY;
      const planners = createPlanners({ config: defined({ model }), now: Date.now, redactor });
      return {
        verify: createVerifyWorkspace({ verify, read, filesOf }),
        plan: createPlanObjective({ planners, read, filesOf, workspaces, verify, redactor, now: Date.now }),
      };
    },
  };
}
