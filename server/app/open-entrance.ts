import type { IncomingMessage, ServerResponse } from "node:http";
import type { Registry as Metrics } from "prom-client";
import type { Architect } from "../architect/open-architect.ts";
import type { Audit } from "../kernel/audit/audit.ts";
import { createExportAnswers } from "../capabilities/lineage/read-export.ts";
import { createFindCall } from "../capabilities/work/approvals/find-call.ts";
import type { CallerSecrets } from "../capabilities/secrets/caller-secrets.ts";
import type { Secrets } from "../capabilities/secrets/secrets.ts";
import { createAuditReader } from "../kernel/audit/audit-reader.ts";
import type { Upstreams } from "../capabilities/mcp/open-upstreams.ts";
import type { Authenticate } from "../auth/caller.ts";
import type { Login } from "../auth/login/login.ts";
import type { ToPrincipal } from "../auth/to-principal.ts";
import type { Config } from "../config/config.ts";
import { toDataPaths } from "../config/data-folder.ts";
import { loadTests, saveTestReport } from "../examples/test-reports.ts";
import type { Webhooks } from "../forge/adapter.ts";
import { loadConsole } from "../http/console/load-console.ts";
import { refuse } from "../http/console/other-reader.ts";
import { createConsoleSessions } from "../http/console/session.ts";
import { createChallenge } from "../http/challenge.ts";
import { type CallKernel, createFindDestination, type Previews } from "../http/destination.ts";
import { createFindClient } from "../http/find-client.ts";
import { createGuard } from "../http/guards.ts";
import type { HttpListener } from "../http/front/exchange.ts";
import { type Listening, listenHttp, type ListenOptions } from "../http/listen.ts";
import { createMayRead } from "../http/may-read.ts";
import { createMcpListener, type McpOptions } from "../http/mcp/mcp.ts";
import { createPassOn } from "../http/mcp/pass-on.ts";
import { createOperationsListener, type OperationsOptions } from "../http/rest/operations.ts";
import type { ServiceRouteOptions } from "../http/rest/service/service-routes.ts";
import { createRoutes } from "../http/rest/routes.ts";
import { createStreamGuard } from "../http/mcp/stream-guard.ts";
import { createAnswerWebhook } from "../http/webhooks.ts";
import { createNodeListener, type NodeOperation } from "../http/nodes.ts";
import type { NodeDoor } from "../http/node-door.ts";
import type { Nodes } from "../instance/nodes.ts";
import type { Log } from "../log/log.ts";
import { createHello, createNodesChecks, logNodes, type NodesCheckOptions } from "../operations/check-nodes.ts";
import { createMetricsAnswers, createReadMetrics } from "../operations/worker-metrics.ts";
import { createServiceChecks, type ServiceChecksOptions } from "../operations/service-checks.ts";
import type { Drain } from "../operations/drain.ts";
import { createHealth } from "../operations/health.ts";
import { createHttpMetrics, type HttpMetrics } from "../operations/http-metrics.ts";
import { createCountDelivery, observeHealth, observeService, type Sandboxes } from "../operations/service-metrics.ts";
import type { Store } from "../store/store.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import { defined } from "../json/defined.ts";
import { loadSharedSettings } from "./load-shared-settings.ts";

export interface EntranceOptions {
  readonly config: Config;
  readonly authenticate: Authenticate;
  /** Absent: readers of the console sign in with a token. */
  readonly login?: Login;
  readonly toPrincipal: ToPrincipal;
  readonly store: Store;
  readonly storeTime: () => number;
  /** Nodes that share the store; absent where it is this service's alone. */
  readonly nodes?: Nodes;
  /** The way in for other workers, beside a port that all share; absent: this is none. */
  readonly door?: NodeDoor;
  /** Answers other nodes about workspaces of this one. */
  readonly answerWorkspaces: NodeOperation;
  readonly registry: Registry;
  /** Absent: nobody tells of the repository by itself. */
  readonly webhooks?: Webhooks;
  readonly sandboxes: Sandboxes;
  readonly commands: ServiceChecksOptions["commands"];
  readonly kernel: CallKernel & Pick<ServiceRouteOptions, "settled" | "lookAtLimits">;
  readonly upstreams: Pick<Upstreams, "reports">;
  /** Absent: nothing can be tried that no served tag leads to. */
  readonly previews?: Previews;
  readonly audit: Audit;
  readonly architect: Architect;
  readonly secrets: Secrets;
  readonly callerSecrets: CallerSecrets;
  readonly drain: Drain;
  readonly metrics: Metrics;
  readonly createId: () => string;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  readonly log: Log;
}

/** Every way in, open. */
export interface Entrance extends Omit<Listening, "answer"> {
  /** Says whether browsers get the console. */
  readonly hasConsole: boolean;
}

/** Opens every way in to the service, on one listener. `close` ends sessions first, whose streams would hold it. */
export async function openEntrance(options: EntranceOptions): Promise<Entrance> {
  const { config, authenticate, store, registry, webhooks, kernel, audit, drain, metrics, createId, now, log } =
    options;
  const { toPrincipal, previews, nodes, sandboxes, upstreams } = options;
  const { publicVersions, oauth } = config.auth;
  const { invoke, sessions, onRead, settled, lookAtLimits, providers } = kernel;
  const guard = createGuard(config);
  const findClient = createFindClient(config.trustedProxies);
  const passOn = nodes && createPassOn(nodes);
  const entrance = {
    registry,
    guard,
    authenticate,
    findClient,
    findDestination: createFindDestination({ registry, toPrincipal, live: kernel, ...defined({ previews }) }),
    challenge: createChallenge(oauth?.origin),
    toPrincipal,
    audit,
    createId,
    log,
    ...defined({ passOn }),
  };
  const count = createCountDelivery(metrics);
  const elapsed = () => performance.now();
  const consoleSessions = createConsoleSessions(config.publicUrl);
  const built = config.console ? await loadConsole() : undefined;
  const app = createRoutes({
    ...entrance,
    consoleSessions,
    ...defined({ console: built, login: options.login }),
    invoke,
    onRead,
    publicVersions,
    loadTests: (commits) => loadTests(store, commits),
    saveTestReport: (report) => saveTestReport(store, report),
    auditReader: createAuditReader(store),
    architect: options.architect,
    store,
    settled,
    lookAtLimits,
    providers,
    callerSecrets: options.callerSecrets,
    findCall: createFindCall(options),
    ...(webhooks === undefined ? {} : { webhook: createAnswerWebhook({ webhooks, count, elapsed }) }),
    isReady: () => !drain.isDraining(),
    now,
    ...defined({ oauth, publicUrl: config.publicUrl }),
  });
  const http = createHttpMetrics(metrics);
  const mcp = createMcp(entrance, http);
  const { openStreams } = http;
  const openPreviews = () => previews?.count() ?? 0;
  observeService(metrics, { registry, sandboxes, openSessions: sessions.count, openStreams, openPreviews, upstreams });
  const greeting = nodes && { nodes, hello: createHello(nodes, () => loadSharedSettings(config)) };
  const operations = createOperations(options, { guard, findClient }, greeting);
  const ofNodes = greeting && createOfNodes(options, greeting);
  const first = (request: IncomingMessage, response: ServerResponse) => {
    http.watch(response);
    if (refuse(response, consoleSessions.adopt(request))) return true;
    return operations(request, response) || ofNodes?.(request, response) || mcp(request, response);
  };
  // The console's pages send a cookie, and operations have addresses of their own: the front takes neither.
  const listener: HttpListener = (request, response) => {
    http.watch(response);
    return mcp(request, response);
  };
  const lean = config.leanHttp ? { listener, now, elapsed } : undefined;
  const { url, close } = await listenAt(options, app, first, lean);
  const stopComparing = compareOnce(options, greeting);
  return {
    url,
    hasConsole: built !== undefined,
    async close() {
      await stopComparing();
      await sessions.close();
      passOn?.close();
      await close();
    },
  };
}

/** Listens at the address of the service; a worker shares it, and opens its door for the others. */
async function listenAt(
  { config, door }: EntranceOptions,
  app: Parameters<typeof listenHttp>[0],
  first: Parameters<typeof listenHttp>[1],
  lean: ListenOptions["lean"],
): Promise<Listening> {
  const listening = await listenHttp(app, first, { ...config, reusePort: door !== undefined, ...defined({ lean }) });
  door?.open(listening.answer);
  return listening;
}

/** Compares this node with others once, while it serves already: they may take long to answer, and need not answer at all. */
function compareOnce({ log, onError }: EntranceOptions, greeting: NodesCheckOptions | undefined): () => Promise<void> {
  const ending = new AbortController();
  const compared = greeting && logNodes(greeting, log, ending.signal).catch(onError);
  return async () => {
    ending.abort();
    await compared;
  };
}

/** Creates the listener for other nodes. */
function createOfNodes(
  { config, answerWorkspaces, metrics, createId }: EntranceOptions,
  { nodes, hello }: NodesCheckOptions,
): ReturnType<typeof createNodeListener> {
  const exports = createExportAnswers(toDataPaths(config.data).exports);
  return createNodeListener(
    nodes,
    { hello, exports, workspaces: answerWorkspaces, metrics: createMetricsAnswers(metrics) },
    createId,
  );
}

/** Creates the listener for MCP, which counts streams and ends those of callers who lose their right to them. */
function createMcp(entrance: Omit<McpOptions, "onStream">, { watchStream }: HttpMetrics): HttpListener {
  const guardStream = createStreamGuard(entrance.authenticate, entrance.registry);
  return createMcpListener({
    ...entrance,
    onStream(response, watched) {
      watchStream(response);
      guardStream(response, watched);
    },
  });
}

/** Creates the listener for those who run the service: health and metrics. */
function createOperations(
  options: EntranceOptions,
  shared: Pick<OperationsOptions, "guard" | "findClient">,
  greeting: NodesCheckOptions | undefined,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { authenticate, drain, metrics, now, createId, log, onError } = options;
  const own = createServiceChecks({ ...options, data: options.config.data });
  const checks = greeting === undefined ? own : [...own, ...createNodesChecks(greeting)];
  const readHealth = createHealth({ checks, now, onError });
  observeHealth(metrics, readHealth);
  return createOperationsListener({
    readHealth,
    readMetrics: createReadMetrics(metrics, options.nodes),
    mayRead: createMayRead(authenticate),
    ...shared,
    isDraining: drain.isDraining,
    createId,
    log,
  });
}
