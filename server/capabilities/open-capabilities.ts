import type { ModelConfig } from "../config/config.ts";
import { type ArtifactSyscallOptions, createArtifactSyscalls } from "./artifacts/syscalls.ts";
import { createDispatch, type Dispatch } from "../kernel/dispatch/dispatch.ts";
import { type FetchOptions, openFetchSyscall } from "./fetch/fetch.ts";
import { interactionSyscalls } from "./interaction/interaction.ts";
import { createLineageSyscalls, type LineageSyscallOptions } from "./lineage/lineage.ts";
import { createLogSyscalls } from "./log/log.ts";
import { createModelSyscalls } from "./model/model.ts";
import { createSessionSyscalls } from "./session/session.ts";
import { principalSyscalls } from "./principal/principal.ts";
import { createSchemaSyscalls } from "./schema/schema.ts";
import { createRepositorySyscalls, type RepositorySyscallOptions } from "./knowledge/syscalls.ts";
import { stateSyscalls } from "./state/state.ts";
import { toolsSyscalls } from "./tools/tools.ts";
import { createTunerSyscalls, type TunerSyscallOptions } from "./tuner/syscalls.ts";
import { createWorkSyscalls, type WorkSyscallOptions } from "./work/syscalls.ts";
import { createWorkspaceSyscalls, type WorkspaceSyscallOptions } from "./workspace/syscalls.ts";

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
