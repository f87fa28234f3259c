import { type CommitFiles, createCommitFiles } from "../architect/pipeline/commit-files.ts";
import { createFindTestResult } from "../architect/pipeline/verify/find-test-result.ts";
import { createSharedTrial, type SharedTrial } from "../architect/pipeline/verify/shared-trial.ts";
import { createVerify, type Verify } from "../architect/pipeline/verify/create-verify.ts";
import { createVerifyWorkspace } from "../architect/pipeline/verify/verify-workspace.ts";
import type { VerifyWorkspace } from "../capabilities/workspace/workspace.ts";
import type { Config } from "../config/config.ts";
import { openTrial } from "../examples/open-trial.ts";
import type { Store } from "../store/store.ts";
import type { Git } from "../versions/git/git.ts";
import type { ObjectReader } from "../versions/git/object-reader.ts";
import type { Loader } from "../versions/load-version.ts";
import type { Registry } from "../versions/registry/registry-types.ts";

/** The one verification of changes, whether the Architect has planned them or a worker has made them. */
export interface Verification {
  readonly verify: Verify;
  readonly verifyWorkspace: VerifyWorkspace;
  readonly trial: SharedTrial;
  readonly filesOf: (commit: string) => Promise<CommitFiles>;
}

export function openVerify(options: {
  readonly config: Pick<Config, "egressMap">;
  readonly git: Git;
  readonly store: Store;
  readonly registry: Registry;
  readonly loader: Loader;
  /** Of the local copy. */
  readonly reader: ObjectReader;
  readonly now: () => number;
}): Verification {
  const { config, git, store, registry, loader, reader, now } = options;
  const { mirror: gitDir, judge, revoked, read } = registry;
  const trial = createSharedTrial(() => openTrial({ egressMap: config.egressMap, now }));
  const filesOf = createCommitFiles({ git, gitDir, reader });
  const findResult = createFindTestResult({ git, gitDir, store });
  const verify = createVerify({ loader, store, findResult, trial, judge, revoked, now });
  return { verify, verifyWorkspace: createVerifyWorkspace({ verify, read, filesOf }), trial, filesOf };
}
