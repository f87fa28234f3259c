import type { Audit } from "../kernel/audit/audit.ts";
import type { Config } from "../config/config.ts";
import { toDataPaths } from "../config/data-folder.ts";
import { CairnError } from "../errors.ts";
import type { CallKernel } from "../http/destination.ts";
import type { RandomBytes } from "../identifiers.ts";
import { createAdmission } from "../kernel/limits/admission.ts";
import type { Invoke } from "../kernel/call.ts";
import { createInvoke } from "../kernel/invoke.ts";
import type { Journal } from "../kernel/journal.ts";
import type { Log } from "../log/log.ts";
import { createWatchAddress } from "../protocol/address-watch.ts";
import { createEndpoints, type EndpointOptions } from "../protocol/endpoint.ts";
import { createRequestStates } from "../protocol/request-state.ts";
import { createSessions } from "../protocol/sessions.ts";
import type { Redactor } from "../log/redact.ts";
import type { OpenParent } from "../resources/compat.ts";
import type { Provider } from "../resources/provider.ts";
import { createProviders } from "../resources/providers.ts";
import type { Sandbox } from "../kernel/isolates/sandbox.ts";
import { loadSecret } from "../store/secret.ts";
import type { Store } from "../store/store.ts";
import { auditEgress } from "../capabilities/fetch/audit-egress.ts";
import type { Dispatch } from "../kernel/dispatch/dispatch.ts";
import { openSyscalls, type SyscallOptions } from "../capabilities/open-capabilities.ts";
import type { DraftDefaults } from "../capabilities/tuner/syscalls.ts";
import { createTuning } from "../capabilities/tuner/create-tuning.ts";
import type { FindParent, Ledgers } from "../capabilities/tuner/ledgers.ts";
import type { Renderer } from "../capabilities/tuner/plots/open-renderer.ts";
import type { Registry } from "../versions/registry/registry-types.ts";

/** All that runs calls over one store, with what they leave behind there. */
export interface Kernel extends CallKernel {
  readonly ledgers: Ledgers;
  readonly providers: Readonly<Record<string, Provider>>;
  /** Resolves once everything that trailed so far is written. */
  readonly settled: () => Promise<void>;
  /** Ends sessions, then lets go of connections, once what trails is written. The store stays open. */
  close(): Promise<void>;
}

export interface KernelOptions {
  readonly config: Pick<Config, "ceilings" | "durability" | "egressMap" | "recordDays" | "model">;
  readonly store: Store;
  readonly journal: Journal;
  readonly registry: Pick<Registry, "resolve" | "subscribe">;
  /** The folder for what the store is not for. */
  readonly data: string;
  readonly sandbox: Sandbox;
  readonly syscalls: Pick<
    SyscallOptions,
    "artifacts" | "knowledge" | "load" | "onRunEnded" | "revoked" | "storeTime" | "workspaces"
  >;
  /** Hears of what callers and handlers were kept from. */
  readonly denied: Audit["denied"];
  /** Put around what handlers ask for. */
  readonly aroundDispatch: (dispatch: Dispatch) => Dispatch;
  /** Put around every call. */
  readonly around: (invoke: Invoke) => Invoke;
  readonly renderer: Pick<Renderer, "render">;
  readonly findParent: FindParent;
  readonly draftDefaults: DraftDefaults;
  readonly openParent: OpenParent;
  readonly sessionLimit?: number;
  readonly createId: () => string;
  /** Ids of sessions, which nobody must guess. */
  readonly createSessionId: () => string;
  readonly randomBytes: RandomBytes;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds that nobody sets back. */
  readonly elapsed: () => number;
  /** Streams that would stay open are ended when it aborts. */
  readonly closing: EndpointOptions["closing"];
  readonly redactor: Redactor;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
}

export async function openKernel(options: KernelOptions): Promise<Kernel> {
  const { config, store, journal, denied, createId, randomBytes, now, log, onError } = options;
  const { findParent, draftDefaults } = options;
  const tuning = createTuning({ store, now, findParent, onError });
  const exports = toDataPaths(options.data).exports;
  const syscalls = openSyscalls({
    egressMap: config.egressMap,
    now,
    ...tuning,
    draftDefaults,
    settled: journal.settled,
    store,
    createId,
    exports,
    ...options.syscalls,
    ...(config.model === undefined ? {} : { model: config.model }),
  });
  const invoke = createInvoke({
    ...options,
    admit: createAdmission({ store, ceilings: config.ceilings, now, elapsed: options.elapsed, log }),
    onRefused: denied,
    ...tuning,
    dispatch: options.aroundDispatch(auditEgress(syscalls.dispatch, denied)),
    durability: config.durability,
    bodyTtl: config.recordDays * 24 * 60 * 60_000,
    modelAvailable: config.model !== undefined,
  });
  const providers = createProviders({ ...options, ...tuning, exports });
  const states = createRequestStates(await loadSecret(store, "request-state", randomBytes), now);
  const sessions = createSessions({
    store,
    createId: options.createSessionId,
    now,
    log,
    onForeign: (seeker) => denied(new CairnError("SESSION_NOT_FOUND", "The session of another."), seeker),
    ...(options.sessionLimit === undefined ? {} : { limit: options.sessionLimit }),
  });
  return Object.freeze<Kernel>({
    invoke,
    endpointOf: createEndpoints({ ...options, invoke, providers, states }),
    sessions,
    watchAddress: createWatchAddress(options.registry, store),
    ledgers: tuning.ledgers,
    providers,
    settled: journal.settled,
    async close() {
      await sessions.close();
      await journal.settled();
      await syscalls.close();
    },
  });
}
