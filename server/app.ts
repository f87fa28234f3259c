import { randomBytes, randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Audit } from "./audit/audit.ts";
import { auditChanges } from "./audit/audit-changes.ts";
import { createAuditReader } from "./audit/audit-reader.ts";
import { openAudit } from "./audit/open-audit.ts";
import { loadServiceSigner } from "./audit/signing-key.ts";
import type { Config, Environment } from "./config.ts";
import { fingerprintRules } from "./fingerprint.ts";
import { createGuard } from "./http/guards.ts";
import { listenHttp } from "./http/listen.ts";
import { createMcpListener } from "./http/mcp.ts";
import { createRoutes } from "./http/routes.ts";
import { createIdentifiers } from "./identifiers.ts";
import { createInvoke } from "./invoke/invoke.ts";
import { createJournal } from "./invoke/journal.ts";
import type { Log } from "./log.ts";
import { createEndpoints } from "./protocol/endpoint.ts";
import { createRequestStates } from "./protocol/request-state.ts";
import { createSessions } from "./protocol/sessions.ts";
import type { OpenParent } from "./resources/compat.ts";
import { createProviders } from "./resources/providers.ts";
import { openSandbox } from "./sandbox/open-sandbox.ts";
import { openLmdbStore } from "./store/lmdb.ts";
import { loadSecret } from "./store/secret.ts";
import { openSyscalls } from "./syscalls/open-syscalls.ts";
import { createEmbeddedOrigin } from "./versions/registry/embedded.ts";
import { followWorkTree } from "./versions/registry/follow-work-tree.ts";
import { loadGit } from "./versions/git/git.ts";
import { createLoader } from "./versions/load-version.ts";
import { logEvents } from "./versions/registry/log-events.ts";
import { openRegistry } from "./versions/registry/registry.ts";
import type { Registry } from "./versions/registry/registry-types.ts";
import { createRandomPool } from "./random-pool.ts";
import { readUpstream } from "./versions/git/upstream.ts";

export interface Service {
  readonly url: string;
  readonly registry: Registry;
  readonly audit: Audit;
  /** Finishes what is under way, then lets go of everything. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly config: Config;
  readonly environment: Environment;
  /** What relative paths of repositories are relative to. */
  readonly folder: string;
  /** The checkout whose history the embedded repository begins with. */
  readonly checkout: string;
  /** A checkout whose uncommitted files are served as `dev`. */
  readonly workTree?: string;
  readonly log: Log;
}

/** Puts everything together and starts answering. What was opened before a failure is closed again. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { config, log } = options;
  const now = Date.now;
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  const onError = (error: unknown) => log.error({ err: error }, "failed in the background");

  try {
    await mkdir(config.data, { recursive: true, mode: 0o700 });
    const store = await openLmdbStore({ directory: join(config.data, "store"), now });
    closing.push(() => store.admin.close());
    const random = createRandomPool(randomBytes);
    const createId = createIdentifiers(now, random);
    const signer = await loadServiceSigner(config, randomBytes);
    const audit = await openAudit({ store, signer, createId, randomBytes: random, now, log });
    closing.push(() => audit.close());
    const sandbox = await openSandbox({ now, onIncident: (incident) => log.warn({ incident }, "sandbox") });
    closing.push(() => sandbox.close());

    const git = await loadGit({ environment: options.environment });
    const { load, loadHistory } = createLoader();
    const repository =
      config.repository ??
      (await createEmbeddedOrigin({ git, data: config.data, checkout: options.checkout, loadHistory }));
    const registry = await openRegistry({
      git,
      upstream: readUpstream(repository, options.folder),
      data: config.data,
      store,
      load,
      loadHistory,
      fingerprint: fingerprintRules(),
      now,
      random: Math.random,
      onError,
      limits: { pollMs: config.fetchInterval * 1000 },
    });
    closing.push(() => registry.close());
    logEvents(registry, log);
    auditChanges(registry, audit, onError);
    if (options.workTree !== undefined) {
      const workTree = await followWorkTree({ git, checkout: options.workTree, registry, onError });
      closing.push(() => workTree.close());
    }

    const syscalls = openSyscalls({
      egressMap: config.egressMap,
      now,
      ...(config.model === undefined ? {} : { model: config.model }),
    });
    closing.push(syscalls.close);
    const journal = createJournal({ store, log, audit });
    closing.push(() => journal.settled());
    const invoke = createInvoke({
      store,
      journal,
      sandbox,
      dispatch: syscalls.dispatch,
      createId,
      randomBytes: random,
      now,
      durability: config.durability,
      modelAvailable: config.model !== undefined,
      log,
    });
    const providers = createProviders(store, journal, openParent(registry));
    const states = createRequestStates(await loadSecret(store, "request-state", randomBytes), now);
    const ending = new AbortController();
    const endpointOf = createEndpoints({ invoke, store, providers, states, createId, log, closing: ending.signal });
    const sessions = createSessions({ store, createId: randomUUID, now, log });
    const guard = createGuard(config);
    const auditReader = createAuditReader(store);
    const app = createRoutes({ registry, invoke, guard, audit, auditReader, createId, log });
    const mcp = createMcpListener({ registry, endpointOf, sessions, guard, audit, createId, log });
    const listening = await listenHttp(app, mcp, config);
    closing.push(async () => {
      // Streams that stay open until someone ends them would otherwise hold the listener.
      ending.abort();
      await sessions.close();
      await listening.close();
    });
    return { url: listening.url, registry, audit, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The version that a version was made from, where versions.yaml names one that can be served. */
function openParent(registry: Registry): OpenParent {
  return async ({ history, semver }) => {
    const parent = history.versions.get(semver)?.parent;
    if (parent === undefined) return undefined;
    return (await registry.resolve(parent).catch(() => undefined))?.version;
  };
}
