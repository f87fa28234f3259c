import { randomBytes, randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { createOpenHost } from "./create-open-host.ts";
import { openOwnData, warnOfOthers } from "./open-data.ts";
import { findServedParent, openParent } from "./open-parent.ts";
import { openServiceArchitect } from "./open-architect.ts";
import { openEntrance } from "./open-entrance.ts";
import { openServedKernel } from "./open-served-kernel.ts";
import type { OpenedForge } from "./open-forge.ts";
import type { SharedOptions } from "./open-preview.ts";
import { openServicePreviews } from "./open-service-previews.ts";
import { openRepository } from "./open-repository.ts";
import { openSandboxes } from "./open-sandboxes.ts";
import { openWork } from "./open-work.ts";
import { createDraftDefaults } from "../architect/draft-defaults.ts";
import type { Audit } from "../kernel/audit/audit.ts";
import { auditChanges } from "../kernel/audit/audit-changes.ts";
import { openAudit } from "../kernel/audit/open-audit.ts";
import { loadServiceSigner } from "../kernel/audit/signing-key.ts";
import type { Authenticate } from "../auth/caller.ts";
import { openAuthentication } from "../auth/open-authentication.ts";
import { createToPrincipal } from "../auth/to-principal.ts";
import { Registry as Metrics } from "prom-client";
import type { Config, Environment } from "../config/config.ts";
import type { ForgeTime } from "../forge/github/forge-time.ts";
import { HOST_API_VERSION } from "../host-api.ts";
import { createIdentifiers } from "../identifiers.ts";
import type { Log } from "../log/log.ts";
import { createCallMetrics } from "../operations/call-metrics.ts";
import { createDrain } from "../operations/drain.ts";
import { createLogCalls } from "../operations/log-calls.ts";
import { observeProcess } from "../operations/process-metrics.ts";
import { measureStore } from "../operations/store-metrics.ts";
import { createTraceCalls, findTracer } from "../operations/trace-calls.ts";
import type { Redactor } from "../log/redact.ts";
import { openRenderer } from "../capabilities/tuner/plots/open-renderer.ts";
import { isLoopback } from "../config/secure-url.ts";
import { followWorkTree } from "../versions/registry/follow-work-tree.ts";
import { loadGit } from "../versions/git/git.ts";
import { createLoader } from "../versions/load-version.ts";
import { logEvents } from "../versions/registry/log-events.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import { createRandomPool } from "./random-pool.ts";
import { probeSandbox } from "../capabilities/workspace/sandbox/probe-sandbox.ts";

export interface Service {
  readonly url: string;
  readonly registry: Registry;
  readonly forge: OpenedForge;
  /** Whether callers need no token. */
  readonly isOpen: boolean;
  readonly audit: Audit;
  /** Finishes what is under way, then lets go of everything. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly config: Config;
  /** What people typed behind `cairn`, for those who find the data folder in use. Absent: `serve`. */
  readonly command?: string;
  readonly environment: Environment;
  /** What relative paths of repositories are relative to. */
  readonly folder: string;
  /** The checkout whose history the embedded repository begins with. */
  readonly checkout: string;
  /** A checkout whose uncommitted files are served as `dev`. */
  readonly workTree?: string;
  /** Ends the start, and is of no meaning after it. */
  readonly starting?: AbortSignal;
  /** Absent: as the configuration has it. */
  readonly authenticate?: Authenticate;
  /** What requests to GitHub wait by. Absent: the machine's own time. */
  readonly forgeTime?: ForgeTime;
  readonly log: Log;
  /** Masks secrets in what is logged, kept and answered. */
  readonly redactor: Redactor;
}

/** Puts everything together and starts answering. What was opened before a failure is closed again. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { config, log, redactor, command = "serve" } = options;
  const now = Date.now;
  const clock = () => performance.now();
  const metrics = new Metrics();
  const drain = createDrain();
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  const onError = (error: unknown) => log.error({ err: error }, "failed in the background");

  try {
    await mkdir(config.data, { recursive: true, mode: 0o700 });
    await warnOfOthers(config.data, log);
    // It takes a moment, in which other things can be done.
    const probing = probeSandbox();
    const onWait = (holder: string) => log.info(`waiting for ${holder} to let go of the data folder`);
    const { instance, storeTime, ...opened } = await openOwnData({
      data: config.data,
      command,
      now,
      onWait,
      signal: options.starting,
    });
    const store = measureStore(opened.store, metrics, clock);
    closing.push(instance.release, store.admin.close);
    closing.push(await instance.answer(store, onError));
    const stopObserving = observeProcess(metrics, now());
    closing.push(async () => stopObserving());
    const auth = await openAuthentication({ config: config.auth, store, fetch, now, uptime: clock, log });
    if (auth.isOpen && !isLoopback(config.host)) throw createOpenHost(config.host);
    const random = createRandomPool(randomBytes);
    const createId = createIdentifiers(now, random);
    const signer = await loadServiceSigner(config, randomBytes);
    const audit = await openAudit({ store, signer, createId, randomBytes: random, now, log });
    closing.push(() => audit.close());
    const onIncident = (incident: string) => log.warn({ incident }, "sandbox");
    const sandboxes = await openSandboxes({ now, elapsed: clock, onIncident, log });
    const { handlers: sandbox, artifacts } = sandboxes;
    closing.push(sandbox.close, artifacts.close);

    const git = await loadGit({ environment: options.environment, signal: options.starting });
    const loader = createLoader();
    const repository = await openRepository({ ...options, git, store, loader, now, onError });
    closing.push(repository.close);
    const { registry } = repository;
    logEvents(registry, log);
    auditChanges(registry, audit, onError);
    const toPrincipal = createToPrincipal(registry.revoked);
    if (options.workTree !== undefined) {
      const workTree = await followWorkTree({ git, checkout: options.workTree, registry, onError });
      closing.push(() => workTree.close());
    }

    const commands = await probing;
    const work = await openWork({ config, git, registry, store, load: loader.load, commands, now, onError });
    closing.push(() => work.close());
    const tracer = findTracer(HOST_API_VERSION);
    const traces = tracer && createTraceCalls(tracer);
    const measure = createCallMetrics(metrics, clock);
    const logCalls = createLogCalls(log);
    const renderer = openRenderer();
    closing.push(() => renderer.close());
    const ending = new AbortController();
    const shared: SharedOptions = {
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
      createSessionId: randomUUID,
      randomBytes: random,
      now,
      elapsed: clock,
      onError,
    };
    const { revoked } = registry;
    const kernel = await openServedKernel({
      ...shared,
      store,
      audit,
      data: config.data,
      sandbox,
      capabilities: { revoked, storeTime, artifacts, ...work.capabilities },
      denied: audit.denied,
      closing: ending.signal,
    });
    closing.push(kernel.close);
    const { forge } = repository;
    const previews = !config.previews
      ? undefined
      : await openServicePreviews({
          shared,
          registry,
          forge,
          data: config.data,
          storeTime,
          audit,
          revoked,
          onIncident,
        });
    closing.push(async () => previews?.close());
    const { architect, close: closeArchitect } = await openServiceArchitect({
      config,
      git,
      store,
      ...repository,
      toPrincipal,
      loader,
      work,
      ledgers: kernel.ledgers,
      settled: kernel.settled,
      providers: kernel.providers,
      audit,
      redactor,
      createId,
      now,
      storeTime,
      onError,
    });
    closing.push(closeArchitect);
    options.starting?.throwIfAborted();
    const listening = await openEntrance({
      ...options,
      ...repository,
      authenticate: options.authenticate ?? auth.authenticate,
      toPrincipal,
      store,
      sandboxes,
      commands,
      kernel,
      ...(previews === undefined ? {} : { previews }),
      audit,
      architect,
      drain,
      metrics,
      createId,
      now,
      onError,
    });
    closing.push(async () => {
      drain.begin();
      // Streams that stay open until someone ends them would otherwise hold the listener.
      ending.abort();
      if (!(await drain.settled(config.drainGrace * 1000))) {
        log.warn({ running: drain.running() }, "calls did not end in time and are ended");
        // What waits for its handler is answered with UNAVAILABLE.
        await sandbox.close();
      }
      // Their streams hold the listener, too.
      await previews?.close();
      await listening.close();
    });
    await instance.announce({ url: listening.url, repository: repository.shown });
    return { url: listening.url, registry, forge: repository.forge, isOpen: auth.isOpen, audit, close };
  } catch (error) {
    await close();
    throw error;
  }
}
