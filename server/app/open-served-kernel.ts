import { type CapabilityOptions, openCapabilities } from "../capabilities/open-capabilities.ts";
import { createReadExport } from "../capabilities/lineage/read-export.ts";
import type { Upstreams } from "../capabilities/mcp/open-upstreams.ts";
import type { Ledgers } from "../capabilities/tuner/ledgers.ts";
import type { Renderer } from "../capabilities/tuner/plots/open-renderer.ts";
import type { Config } from "../config/config.ts";
import { toDataPaths } from "../config/data-folder.ts";
import { CairnError } from "../errors.ts";
import type { CallKernel } from "../http/destination.ts";
import type { Nodes } from "../instance/nodes.ts";
import { type Kernel, type KernelOptions, openKernel } from "../kernel/open-kernel.ts";
import { createWatchAddress } from "../protocol/address-watch.ts";
import { createEndpoints, type EndpointOptions } from "../protocol/endpoint.ts";
import { createRequestStates } from "../protocol/request-state.ts";
import { createSessions } from "../protocol/sessions.ts";
import type { OpenParent } from "../resources/compat.ts";
import { createReadCounter } from "../operations/count-reads.ts";
import { createProviders } from "../resources/providers.ts";
import { loadSecret } from "../store/secret.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import { defined } from "../json/defined.ts";
import { DAY_MS } from "../text/duration.ts";

/** Runs calls over one store, and speaks MCP about them. */
export interface ServedKernel extends CallKernel {
  readonly ledgers: Ledgers;
  readonly upstreams: Pick<Upstreams, "reports">;
  /** Resolves once the records of all calls that were answered are written. */
  readonly settled: () => Promise<void>;
  readonly lookAtLimits: Kernel["lookAtLimits"];
  /** Ends sessions, then lets go of connections, once what trails is written. The store stays open. */
  close(): Promise<void>;
}

export interface ServedKernelOptions
  extends
    Omit<KernelOptions, "capabilities" | "ceilings" | "durability" | "bodyTtl">,
    Pick<CapabilityOptions, "draftDefaults" | "findParent"> {
  readonly config: Pick<Config, "ceilings" | "durability" | "egressMap" | "mounts" | "recordDays" | "model">;
  readonly registry: Pick<Registry, "resolve" | "subscribe">;
  /** The folder for what the store is not for. */
  readonly data: string;
  readonly capabilities: Pick<
    CapabilityOptions,
    | "artifacts"
    | "commands"
    | "knowledge"
    | "landing"
    | "load"
    | "onComplaint"
    | "onDrift"
    | "onRunEnded"
    | "plan"
    | "policiesOf"
    | "revoked"
    | "secrets"
    | "storeTime"
    | "verify"
    | "workspaceNodes"
    | "workspaces"
  >;
  /** Nodes whose exported files are this service's, too; absent where there are none. */
  readonly nodes?: Nodes;
  readonly renderer: Pick<Renderer, "render">;
  readonly openParent: OpenParent;
  /** Sessions of MCP clients at once. Absent: the protocol's own limit. */
  readonly sessionLimit?: number;
  /** Ids of sessions, which nobody must guess. */
  readonly createSessionId: () => string;
  /** Streams that would stay open are ended when it aborts. */
  readonly closing: EndpointOptions["closing"];
  readonly onError: (error: unknown) => void;
}

/** Opens a kernel with the capabilities of this service, and the endpoints and sessions through which MCP reaches it. */
export async function openServedKernel(options: ServedKernelOptions): Promise<ServedKernel> {
  const { config, store, denied, now, log } = options;
  const exports = toDataPaths(options.data).exports;
  const { ledgers, upstreams, ...capabilities } = openCapabilities({
    ...options,
    ...options.capabilities,
    egressMap: config.egressMap,
    mounts: config.mounts,
    exports,
    ...defined({ model: config.model }),
  });
  const { invoke, settled, lookAtLimits, close } = openKernel({
    ...options,
    capabilities,
    ceilings: config.ceilings,
    durability: config.durability,
    bodyTtl: config.recordDays * DAY_MS,
  });
  const providers = createProviders({
    ...options,
    ledgers,
    settled,
    // Where there is one place for all, each node finds there what any has written.
    readExport: createReadExport(exports, options.nodes?.home === undefined ? options.nodes : undefined),
  });
  const states = createRequestStates(await loadSecret(store, "request-state", options.randomBytes), now);
  const sessions = createSessions({
    store,
    createId: options.createSessionId,
    now,
    log,
    onForeign: (seeker) => denied(new CairnError("SESSION_NOT_FOUND", "The session of another."), seeker),
    ...defined({ limit: options.sessionLimit }),
  });
  const reads = createReadCounter({ store, now, onError: options.onError });
  return Object.freeze<ServedKernel>({
    invoke,
    endpointOf: createEndpoints({ ...options, invoke, providers, states, onRead: reads.count }),
    sessions,
    onRead: reads.count,
    watchAddress: createWatchAddress(options.registry, store),
    ledgers,
    upstreams,
    providers,
    settled,
    lookAtLimits,
    async close() {
      await sessions.close();
      await reads.close();
      await close();
    },
  });
}
