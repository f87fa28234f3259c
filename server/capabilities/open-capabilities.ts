import type { ModelConfig } from "../config/config-model.ts";
import type { SyscallTable } from "../kernel/dispatch.ts";
import type { SyscallName } from "./declarations.ts";
import type { Capabilities } from "../kernel/open-kernel.ts";
import { type ArtifactSyscallOptions, createArtifactSyscalls } from "./artifacts/syscalls.ts";
import { type FetchOptions, openFetchSyscall } from "./fetch/fetch.ts";
import { openFetcher } from "./fetch/open-fetcher.ts";
import { interactionSyscalls } from "./interaction/interaction.ts";
import { createRepositorySyscalls, type RepositorySyscallOptions } from "./knowledge/syscalls.ts";
import { createLineageSyscalls, type LineageSyscallOptions } from "./lineage/lineage.ts";
import { createLogSyscalls } from "./log/log.ts";
import { createConnect, type ConnectOptions } from "./mcp/create-connect.ts";
import { openUpstreams, type Upstreams, type UpstreamsOptions } from "./mcp/open-upstreams.ts";
import { createMcpSyscalls, type McpSyscallOptions } from "./mcp/syscalls.ts";
import { createModelSyscalls } from "./model/model.ts";
import { principalSyscalls } from "./principal/principal.ts";
import { assertSecrets } from "./secrets/secrets.ts";
import { createSchemaSyscalls } from "./schema/schema.ts";
import { createSessionSyscalls } from "./session/session.ts";
import { createSleepSyscalls } from "./sleep/sleep.ts";
import { stateSyscalls } from "./state/state.ts";
import { toolsSyscalls } from "./tools/tools.ts";
import { type AssignerOptions, createAssigner } from "./tuner/assigner.ts";
import { createLedgers, type Ledgers, type LedgersOptions } from "./tuner/ledgers.ts";
import { createTunerSyscalls, type TunerSyscallOptions } from "./tuner/syscalls.ts";
import { createWorkSyscalls, type WorkSyscallOptions } from "./work/syscalls.ts";
import type { WorkspaceSyscallOptions } from "./workspace/prepare.ts";
import { createWorkspaceSyscalls } from "./workspace/syscalls.ts";

export interface CapabilityOptions
  extends
    FetchOptions,
    Omit<ConnectOptions, "fetcher">,
    Pick<UpstreamsOptions, "onDrift">,
    Pick<McpSyscallOptions, "aroundUpstream">,
    LineageSyscallOptions,
    ArtifactSyscallOptions,
    Omit<TunerSyscallOptions, "ledgers">,
    Pick<LedgersOptions, "findParent">,
    Pick<AssignerOptions, "onError">,
    WorkSyscallOptions,
    Omit<WorkspaceSyscallOptions, "ledgers">,
    RepositorySyscallOptions {
  /** Absent: handlers have no model. */
  readonly model?: ModelConfig;
}

/** Opens all that handlers can ask for; `close` lets go of connections. The one place that lists the capabilities. */
export function openCapabilities(
  options: CapabilityOptions,
): Capabilities & { readonly ledgers: Ledgers; readonly upstreams: Pick<Upstreams, "reports"> } {
  const { model, secrets, now } = options;
  const ledgers = createLedgers(options);
  const fetch = openFetchSyscall(options);
  const fetcher = openFetcher(options);
  const upstreams = openUpstreams({ ...options, connect: createConnect({ ...options, fetcher }) });
  const notes = createLogSyscalls(now);
  // What an artifact asks is answered by the call that runs it.
  const syscalls: SyscallTable<Exclude<SyscallName, "artifacts.ask">> = {
    ...notes,
    ...createSessionSyscalls(now),
    ...stateSyscalls,
    ...createLineageSyscalls(options),
    ...createArtifactSyscalls(options, notes),
    ...createSchemaSyscalls(),
    ...createSleepSyscalls(now),
    ...principalSyscalls,
    ...fetch.table,
    ...createMcpSyscalls({ ...options, upstreams }),
    ...toolsSyscalls,
    ...interactionSyscalls,
    ...createModelSyscalls(model, now),
    ...createTunerSyscalls({ ...options, ledgers }),
    ...createWorkSyscalls(options),
    ...createWorkspaceSyscalls({ ...options, ledgers }),
    ...createRepositorySyscalls(options),
  };
  const assigner = createAssigner({ ...options, ledgers });
  return {
    syscalls,
    assigner,
    ledgers,
    upstreams,
    hasModel: model !== undefined,
    ...(secrets && { assertSecrets: (version, tool, principal) => assertSecrets(secrets, version, tool, principal) }),
    async close() {
      await upstreams.close();
      await Promise.all([fetch.close(), fetcher.close()]);
    },
  };
}
