import type { ModelConfig } from "../config.ts";
import { type ArtifactSyscallOptions, createArtifactSyscalls } from "./artifacts.ts";
import { createDispatch, type Dispatch } from "./dispatch.ts";
import { type FetchOptions, openFetchSyscall } from "./fetch.ts";
import { interactionSyscalls } from "./interaction.ts";
import { createLineageSyscalls, type LineageSyscallOptions } from "./lineage.ts";
import { createLogSyscalls } from "./log.ts";
import { createModelSyscalls } from "./model.ts";
import { createSessionSyscalls } from "./session.ts";
import { principalSyscalls } from "./principal.ts";
import { createSchemaSyscalls } from "./schema.ts";
import { createRepositorySyscalls, type RepositorySyscallOptions } from "./repository.ts";
import { stateSyscalls } from "./state.ts";
import { toolsSyscalls } from "./tools.ts";
import { createTunerSyscalls, type TunerSyscallOptions } from "./tuner.ts";
import { createWorkSyscalls, type WorkSyscallOptions } from "./work.ts";
import { createWorkspaceSyscalls, type WorkspaceSyscallOptions } from "./workspace.ts";

export interface SyscallOptions
  extends
    FetchOptions,
    LineageSyscallOptions,
    ArtifactSyscallOptions,
    TunerSyscallOptions,
    WorkSyscallOptions,
    WorkspaceSyscallOptions,
    RepositorySyscallOptions {
  readonly model?: ModelConfig;
}

/** Everything that handlers may ask for, behind the one dispatch; `close` lets go of connections. */
export function openSyscalls({ model, ...options }: SyscallOptions): {
  readonly dispatch: Dispatch;
  readonly close: () => Promise<void>;
} {
  const { now } = options;
  const fetch = openFetchSyscall(options);
  const notes = createLogSyscalls(now);
  const dispatch = createDispatch(
    notes,
    createSessionSyscalls(now),
    stateSyscalls,
    createLineageSyscalls(options),
    createArtifactSyscalls(options, notes),
    createSchemaSyscalls(),
    principalSyscalls,
    fetch.table,
    toolsSyscalls,
    interactionSyscalls,
    createModelSyscalls(model, now),
    createTunerSyscalls(options),
    createWorkSyscalls(options),
    createWorkspaceSyscalls(options),
    createRepositorySyscalls(options),
  );
  return { dispatch, close: fetch.close };
}
