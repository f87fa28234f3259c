import type { ModelConfig } from "../../config/config.ts";
import { type ArtifactSyscallOptions, createArtifactSyscalls } from "../../capabilities/artifacts/syscalls.ts";
import { createDispatch, type Dispatch } from "./dispatch.ts";
import { type FetchOptions, openFetchSyscall } from "../../capabilities/fetch/fetch.ts";
import { interactionSyscalls } from "../../capabilities/interaction/interaction.ts";
import { createLineageSyscalls, type LineageSyscallOptions } from "../../capabilities/lineage/lineage.ts";
import { createLogSyscalls } from "../../capabilities/log/log.ts";
import { createModelSyscalls } from "../../capabilities/model/model.ts";
import { createSessionSyscalls } from "../../capabilities/session/session.ts";
import { principalSyscalls } from "../../capabilities/principal/principal.ts";
import { createSchemaSyscalls } from "../../capabilities/schema/schema.ts";
import { createRepositorySyscalls, type RepositorySyscallOptions } from "../../capabilities/knowledge/syscalls.ts";
import { stateSyscalls } from "../../capabilities/state/state.ts";
import { toolsSyscalls } from "../../capabilities/tools/tools.ts";
import { createTunerSyscalls, type TunerSyscallOptions } from "../../capabilities/tuner/syscalls.ts";
import { createWorkSyscalls, type WorkSyscallOptions } from "../../capabilities/work/syscalls.ts";
import { createWorkspaceSyscalls, type WorkspaceSyscallOptions } from "../../capabilities/workspace/syscalls.ts";

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
