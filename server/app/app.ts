import { randomUUID } from "node:crypto";
import { createDraftDefaults } from "../architect/draft-defaults.ts";
import type { DriftTime } from "../architect/renewals/open-drift-schedule.ts";
import type { Authenticate } from "../auth/caller.ts";
import { findHiddenData } from "../auth/hidden-data.ts";
import { createToPrincipal } from "../auth/to-principal.ts";
import { refuseRevoked } from "../capabilities/secrets/secrets.ts";
import { createApprovals } from "../capabilities/work/approvals/create-approvals.ts";
import { openApprovedCalls } from "../capabilities/work/approvals/open-approved-calls.ts";
import { openRenderer } from "../capabilities/tuner/plots/open-renderer.ts";
import { probeSandbox } from "../capabilities/workspace/sandbox/probe-sandbox.ts";
import type { Environment } from "../config/config.ts";
import { assertTemporary } from "../config/temporary-folder.ts";
import type { ForgeTime } from "../forge/forge-time.ts";
import { RELEASE } from "../config/optional-package.ts";
import type { Audit } from "../kernel/audit/audit.ts";
import type { Redactor } from "../log/redact.ts";
import { createCallMetrics } from "../operations/call-metrics.ts";
import { createDrain, type Drain } from "../operations/drain.ts";
import { createLogCalls } from "../operations/log-calls.ts";
import type { ShowCalls } from "../operations/show-calls.ts";
import { createTracer } from "../operations/traces/create-tracer.ts";
import { openTraceExport } from "../operations/traces/open-export.ts";
import { createTraceCalls, findTracer, type TraceCalls } from "../operations/traces/trace-calls.ts";
import { toSessionId } from "../protocol/session-id.ts";
import { type Git, loadGit } from "../versions/git/git.ts";
import { createLoader } from "../versions/load-version.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import type { Version } from "../versions/version.ts";
import { openServiceArchitect } from "./open-architect.ts";
import { openServiceDrift } from "./open-drift.ts";
import { openEntrance } from "./open-entrance.ts";
import { followRepository } from "./follow-repository.ts";
import type { OpenedForge } from "./open-forge.ts";
import { type Closing, type Foundation, type FoundationOptions, openFoundation } from "./open-foundation.ts";
import { findServedParent, openParent } from "./open-parent.ts";
import type { SharedOptions } from "./open-preview.ts";
import { openRepository } from "./open-repository.ts";
import { openServedKernel } from "./open-served-kernel.ts";
import { openServicePreviews } from "./open-service-previews.ts";
import { toUpstreamOptions } from "./upstreams.ts";
import { openWork } from "./open-work.ts";
import { defined } from "../json/defined.ts";

export interface Service {
  readonly url: string;
  readonly registry: Registry;
  readonly forge: OpenedForge;
  /** Sentence on how pushes are noticed, and how soon, without its end. */
  readonly delay: string;
  /** Says whether callers need no token. */
  readonly isOpen: boolean;
  /** Says whether browsers get the console. */
  readonly hasConsole: boolean;
  /** Sentence on data that no token leads to, where there is such data. */
  readonly hiddenData: string | undefined;
  readonly audit: Audit;
  /** Finishes what is under way, then lets go of everything. */
  close(): Promise<void>;
}

export interface ServiceOptions extends FoundationOptions {
  readonly environment: Environment;
  /** The folder that relative paths of repositories start from. */
  readonly folder: string;
  /** The checkout whose history the embedded repository begins with. */
  readonly checkout: string;
  /** A checkout whose uncommitted files are served as `dev`. */
  readonly workTree?: string;
  /** Hears of each state of that checkout that can be served. */
  readonly onWorkTree?: (version: Version) => Promise<void>;
  /** Absent: as the configuration has it. */
  readonly authenticate?: Authenticate;
  /** The time by which requests to a forge wait. Absent: the machine's own. */
  readonly forgeTime?: ForgeTime;
  /** The time by which sources of imports are asked. Absent: the machine's own. */
  readonly driftTime?: DriftTime;
  /** Shows calls and the work tree to people, in place of the log. */
  readonly show?: ShowCalls;
  /** Masks secrets in what is logged, kept and answered. */
  readonly redactor: Redactor;
}

/** Puts everything together and starts answering. What was opened before a failure is closed again. */
export async function openService(options: ServiceOptions): Promise<Service> {
  // Both are checked before the data folder is made: what is missing on the machine leaves nothing behind.
  await assertTemporary();
  const git = await loadGit({ environment: options.environment, signal: options.starting });
  const closing: Closing = [];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    return { ...(await openParts(options, git, closing)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens one part after the other, each on those before it; `closing` takes what closes them, in that order. */
async function openParts(options: ServiceOptions, git: Git, closing: Closing): Promise<Omit<Service, "close">> {
  const { config, redactor } = options;
  // It takes a moment, in which other things can be done.
  const probing = probeSandbox();
  const foundation = await openFoundation(options, closing);
  const { instance, store, storeTime, auth, audit, sandboxes, secrets, onIncident } = foundation;
  const loader = createLoader();
  const repository = await openRepository({ ...options, ...foundation, git, loader });
  closing.push(repository.close);
  const { registry, forge } = repository;
  const { revoked } = registry;
  const toPrincipal = createToPrincipal(revoked);
  await followRepository(options, foundation, repository, git, closing);
  const commands = await probing;
  const callers = options.authenticate === undefined ? { toPrincipal } : {};
  const work = await openWork({ ...options, ...foundation, ...repository, git, loader, commands, ...callers });
  closing.push(() => work.close());
  const drain = createDrain();
  const traces = await openTraces(options, foundation, closing);
  const shared = openShared(options, foundation, registry, drain, closing, traces);
  const ending = new AbortController();
  const own = { revoked, storeTime, secrets: refuseRevoked(secrets, revoked), artifacts: sandboxes.artifacts };
  const kernel = await openServedKernel({
    ...shared,
    store,
    audit,
    ...(foundation.nodes && { nodes: foundation.nodes, sharedTime: storeTime }),
    retirements: registry.retirements,
    data: foundation.common,
    sandbox: sandboxes.handlers,
    capabilities: { ...own, ...toUpstreamOptions(registry, commands, options.log), ...work.capabilities },
    denied: audit.denied,
    closing: ending.signal,
    approvals: createApprovals({ ...foundation, ...work.capabilities }),
  });
  const approved = openApprovedCalls({ ...foundation, ...kernel, resolve: registry.resolve, toPrincipal });
  closing.push(kernel.close, approved.close);
  const previews = config.previews
    ? await openServicePreviews({ shared, registry, forge, data: config.data, storeTime, audit, revoked, onIncident })
    : undefined;
  closing.push(async () => previews?.close());
  const { architect, close: closeArchitect } = await openServiceArchitect({
    ...foundation,
    ...repository,
    config,
    git,
    toPrincipal,
    loader,
    work,
    ...kernel,
    redactor,
  });
  closing.push(closeArchitect, openServiceDrift({ ...options, ...foundation, ...repository, git, architect }).close);
  options.starting?.throwIfAborted();
  const listening = await openEntrance({
    ...options,
    ...foundation,
    ...repository,
    authenticate: options.authenticate ?? auth.authenticate,
    toPrincipal,
    commands,
    kernel,
    upstreams: kernel.upstreams,
    architect,
    drain,
    answerWorkspaces: work.answerNodes,
    ...defined({ previews, login: auth.login }),
  });
  closing.push(async () => {
    await letCallsEnd(options, foundation, drain, ending);
    // Their streams hold the listener, too.
    await previews?.close();
    await listening.close();
  });
  closing.push(async () => approved.stop());
  await instance.announce({ url: listening.url, repository: repository.shown });
  const hiddenData = await findHiddenData(store);
  const { url, hasConsole } = listening;
  return { url, registry, delay: repository.delay, forge, isOpen: auth.isOpen, hasConsole, hiddenData, audit };
}

/** Opens what previews have in common with the live kernel. */
function openShared(
  options: ServiceOptions,
  { metrics, elapsed, createId, randomBytes, now, nodes, onError }: Foundation,
  registry: Registry,
  drain: Drain,
  closing: Closing,
  traces: TraceCalls | undefined,
): SharedOptions {
  const measure = createCallMetrics(metrics, elapsed);
  const logCalls = options.show?.around ?? createLogCalls(options.log);
  const renderer = openRenderer();
  closing.push(() => renderer.close());
  return {
    ...options,
    registry,
    aroundDispatch: (dispatch) => traces?.dispatch(dispatch) ?? dispatch,
    around: (bare) => {
      const inner = drain.around(logCalls(measure(bare)));
      return traces?.around(inner) ?? inner;
    },
    renderer,
    openParent: openParent(registry),
    findParent: findServedParent(registry),
    draftDefaults: createDraftDefaults(registry.readText),
    createId,
    createSessionId: () => toSessionId(randomUUID(), nodes?.self.id),
    randomBytes,
    now,
    elapsed,
    onError,
  };
}

/** Opens the traces of an SDK that was loaded before Cairn, or those that the configuration exports. */
async function openTraces(
  { config, log }: ServiceOptions,
  { now, elapsed, randomBytes }: Foundation,
  closing: Closing,
): Promise<TraceCalls | undefined> {
  const registered = findTracer(RELEASE);
  if (registered !== undefined) return createTraceCalls(registered);
  if (config.traces === undefined) return undefined;
  const exported = await openTraceExport({ config: config.traces, release: RELEASE, log });
  closing.push(() => exported.close());
  const { sampler } = config.traces;
  return createTraceCalls(createTracer({ sampler, now, elapsed, randomBytes, onEnd: (span) => exported.add(span) }));
}

/** Takes no more calls, and gives those under way some time. `ending` ends the streams that would stay open. */
async function letCallsEnd(
  { config, log }: ServiceOptions,
  { sandboxes }: Foundation,
  drain: Drain,
  ending: AbortController,
): Promise<void> {
  drain.begin();
  // Streams that stay open until someone ends them would otherwise hold the listener.
  ending.abort();
  if (await drain.settled(config.drainGrace * 1000)) return;
  log.warn({ running: drain.running() }, "calls did not end in time and are ended");
  // What waits for its handler is answered with UNAVAILABLE.
  await sandboxes.handlers.close();
}
