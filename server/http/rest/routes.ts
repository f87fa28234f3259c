import { H3, type H3Event } from "h3";
import { DELIVERING_KINDS } from "../../forge/adapters.ts";
import type { Architect } from "../../architect/open-architect.ts";
import type { AuditReader } from "../../kernel/audit/audit-reader.ts";
import type { OAuthConfig } from "../../config/config-auth.ts";
import { ARCHITECT, AUDIT_READ, hasScope, requireScopeOf, VERSIONS_READ, VERSIONS_REFRESH } from "../../auth/scopes.ts";
import type { ToPrincipal } from "../../auth/to-principal.ts";
import { type Tests, toTestsDocument } from "../../examples/test-reports.ts";
import { CairnError } from "../../errors.ts";
import { holdsAll, type Principal } from "../../principal.ts";
import type { Registry, RegistryStatus } from "../../versions/registry/registry-types.ts";
import type { Tool, Version } from "../../versions/version.ts";
import type { Resolved } from "../../versions/registry/resolve/resolve.ts";
import { createArchitectAnswers } from "./architect.ts";
import { createAuditAnswers } from "./audit.ts";
import { toChangelog } from "./changelog.ts";
import { METADATA_PATH } from "../challenge.ts";
import { ANYONE, createRoute, type RouteGuards, SIGNED_IN, VISITORS } from "../create-route.ts";
import { createDifferences } from "./differences.ts";
import type { FindDestination } from "../destination.ts";
import { type Document, toJsonDocument } from "../document.ts";
import { createFacade } from "./facade.ts";
import { encodeHeader } from "../header-value.ts";
import { toProtectedResource } from "./protected-resource.ts";
import { createTellProblems } from "./told-problems.ts";
import type { Reply } from "../reply.ts";
import { callTool, findTool } from "./tools.ts";
import { createVersionDocuments } from "./version-documents.ts";
import { versionHeaders } from "../version-headers.ts";
import { readVersionQuery, toDetail, toListing } from "./version-list.ts";
import type { WebhookAnswer } from "../webhooks.ts";
import type { Invoke } from "../../kernel/call.ts";
import { defined } from "../../json/defined.ts";

export interface RouteOptions extends RouteGuards {
  readonly registry: Registry;
  readonly findDestination: FindDestination;
  /** Runs the calls of what is served. */
  readonly invoke: Invoke;
  /** Issuers of tokens; absent: only the operator gives them out. */
  readonly oauth?: OAuthConfig;
  /** Says whether anyone may read what versions there are. */
  readonly publicVersions: boolean;
  /** Loads what is known of commits' tests. */
  readonly loadTests: (commits: readonly string[]) => Promise<ReadonlyMap<string, Tests>>;
  readonly toPrincipal: ToPrincipal;
  /** Absent: nobody tells of the repository by itself. */
  readonly webhook?: WebhookAnswer;
  readonly auditReader: AuditReader;
  readonly architect: Architect;
  /** Says whether calls are taken, for those who balance load. */
  readonly isReady: () => boolean;
  readonly now: () => number;
}

/** Registers one address; see `createRoute`. */
type Route = ReturnType<typeof createRoute>;
type VersionDocuments = ReturnType<typeof createVersionDocuments>;

/** Creates every address of the service. */
export function createRoutes(options: RouteOptions): H3 {
  const { registry, invoke, toPrincipal, isReady, createId, now } = options;
  const app = new H3({ silent: true, allowMalformedURL: true });
  const route = createRoute(app, options);
  const documents = createVersionDocuments();
  addVersions(route, options, documents);
  addTools(route, options, documents);
  addArchitect(route, options);
  const facade = createFacade({ directory: registry.tools, invoke, toPrincipal, isReady, createId, now });
  route("GET", "/api/mcp/health", ANYONE, () => facade.health());
  route("GET", "/api/mcp/tools", SIGNED_IN, (event, caller) => facade.tools(event.url.searchParams, caller));
  route("POST", "/api/mcp/tool/call", SIGNED_IN, (event, caller) => facade.call(event.req, caller));
  for (const kind of DELIVERING_KINDS) {
    const webhook = options.webhook?.kind === kind ? options.webhook : undefined;
    route(
      "POST",
      `/webhooks/${kind}`,
      ANYONE,
      (event, _caller, client) => webhook?.answer(event.req, client) ?? refuseUnknown(event),
    );
  }
  const auditAnswer = createAuditAnswers(options.audit, options.auditReader);
  route("GET", "/audit/:tenant/:part", AUDIT_READ, (event, caller, client) =>
    auditAnswer(caller, part(event, "tenant"), part(event, "part"), event.url.searchParams, client),
  );

  addMetadata(route, options);
  // Whoever looks here for a way to a token has none yet.
  route("", "/.well-known/**", ANYONE, refuseUnknown);
  route("", "/**", SIGNED_IN, refuseUnknown);
  return app;
}

/** Adds what versions there are, and what each is like. */
function addVersions(route: Route, options: RouteOptions, documents: VersionDocuments): void {
  const { registry, toPrincipal } = options;
  const readVersions = options.publicVersions ? VISITORS : VERSIONS_READ;
  const differences = createDifferences({ registry, toPrincipal });
  const tellProblems = createTellProblems(registry, toPrincipal);
  route("GET", "/versions", readVersions, async (event) => {
    const query = readVersionQuery(event.url.searchParams);
    const page = await registry.list(query);
    const tests = await options.loadTests(page.versions.map(({ commit }) => commit));
    const document = toJsonDocument(toListing(page, query, baseOf(event), tests));
    return { ...toChecked(document), headers: toLabelHeaders(registry.status()) };
  });
  route("POST", "/versions/refresh", VERSIONS_REFRESH, async (_event, { actor }) => {
    await options.audit.changed({ change: "versions.refreshed", actor, target: "versions" });
    const { ok, added, failed, message } = await registry.refresh();
    const result = { ok, added, failed: Object.fromEntries(failed), ...defined({ message }) };
    return { document: toJsonDocument(result) };
  });
  for (const [path, access] of [
    ["/versions/:version", readVersions],
    ["/agent/:version", VERSIONS_READ],
  ] as const) {
    route("GET", path, access, async (event, caller) => {
      const difference = path.startsWith("/versions/") && differences.answer(part(event, "version"), caller);
      if (difference) return difference;
      const described = await registry.describe(part(event, "version"));
      const { version } = described;
      const mayUse = ({ requiredCapabilities }: Tool) =>
        version !== undefined && holdsAll(toPrincipal(version, caller), requiredCapabilities);
      const tests = await options.loadTests([described.record.commit]);
      const { problems, isOwn } = await tellProblems(described, caller);
      const reply = toChecked(toJsonDocument(toDetail(described, baseOf(event), mayUse, problems, tests)), isOwn);
      return version === undefined ? reply : { ...reply, ...byCaller(documents, version) };
    });
  }
  route("GET", "/versions/:version/changelog", readVersions, async (event, caller) => {
    const described = await registry.describe(part(event, "version"));
    const { problems, isOwn } = await tellProblems(described, caller);
    return toChecked(toChangelog(described, problems), isOwn);
  });
  route("GET", "/versions/:version/tests", readVersions, async (event) => {
    const { commit } = (await registry.describe(part(event, "version"))).record;
    const tests = (await options.loadTests([commit])).get(commit);
    if (tests !== undefined) return toChecked(toJsonDocument(toTestsDocument(commit, tests)));
    const how = `\`cairn test ${commit.slice(0, 10)} --data <folder>\` runs them and keeps what came of it`;
    throw new CairnError("NOT_FOUND", `Nobody has tested \`${commit}\`; ${how}.`);
  });
}

/** Adds the tools of each version, with their documentation, and calls of them. */
function addTools(route: Route, options: RouteOptions, documents: VersionDocuments): void {
  const { registry, toPrincipal, createId } = options;
  const ofTools = (path: string, find: FindDocument) =>
    route("GET", `/agent/:version${path}`, VERSIONS_READ, async (event, caller) => {
      const resolved = await registry.inspect(part(event, "version"));
      const { version } = resolved;
      const tool = part(event, "tool");
      const document = find(version, toPrincipal(version, caller), decode(tool));
      const at = path.replace(":tool", () => tool);
      return { document, ...about(resolved, at), ...byCaller(documents, version) };
    });
  ofTools("/openapi.json", documents.openApi);
  ofTools("/api/tools", documents.tools);
  ofTools("/api/tools/:tool", documents.tool);
  route("POST", "/agent/:version/api/tools/:tool", SIGNED_IN, async (event, caller) => {
    const name = decode(part(event, "tool"));
    const find = async () => {
      const { resolved, kernel } = await options.findDestination(part(event, "version"), caller);
      const principal = toPrincipal(resolved.version, caller);
      return {
        resolved,
        kernel,
        principal,
        tool: findTool(resolved.version, name, principal, ({ server }) => hasScope(caller, server)),
      };
    };
    const { resolved, kernel, principal, tool } = await find().catch((error: unknown) => {
      requireScopeOf(caller, name);
      throw error;
    });
    requireScopeOf(caller, name, tool.server);
    const reply = await callTool(event.req, resolved.version, tool, principal, kernel.invoke, createId);
    const { headers } = about(resolved, `/api/tools/${part(event, "tool")}`);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  });
}

function addArchitect(route: Route, { registry, toPrincipal, architect: service }: RouteOptions): void {
  const architect = createArchitectAnswers(service);
  route("POST", "/agent/:version/architect/chat", ARCHITECT, async (event, caller) => {
    const resolved = await registry.resolve(part(event, "version"));
    const addressed = { address: decode(part(event, "version")), resolved };
    return architect.chat(event.req, addressed, toPrincipal(resolved.version, caller), caller);
  });
  route("GET", "/agent/:version/architect/feedback/:id", ARCHITECT, async (event, caller) => {
    const { version } = await registry.resolve(part(event, "version"));
    return architect.status(toPrincipal(version, caller), decode(part(event, "id")));
  });
}

/** Adds what says where tokens can be had. */
function addMetadata(route: Route, { oauth }: RouteOptions): void {
  if (oauth === undefined) return;
  route("GET", METADATA_PATH, ANYONE, () => toChecked(toJsonDocument(toProtectedResource(oauth))));
  route("GET", `${METADATA_PATH}/agent/:version/:server`, ANYONE, (event) => {
    const endpoint = { version: part(event, "version"), server: part(event, "server") };
    return toChecked(toJsonDocument(toProtectedResource(oauth, endpoint)));
  });
}

type FindDocument = (version: Version, principal: Principal, tool: string) => Document;

function refuseUnknown({ req, url }: H3Event): never {
  throw new CairnError(
    "NOT_FOUND",
    `Nothing answers to ${req.method} ${url.pathname.slice(0, 200)}; begin at /versions, then /agent/{version}.`,
  );
}

/** Says in a header why labels are not all as the default branch has them: the listing's schema has no room for it. */
function toLabelHeaders({ labelProblems: [problem] }: RegistryStatus): Readonly<Record<string, string>> {
  if (problem === undefined) return {};
  const { file, line, column, message } = problem;
  return { "cairn-label-problem": encodeHeader(`${file}:${line}:${column}: ${message}`) };
}

function byCaller(documents: VersionDocuments, version: Version) {
  return documents.hasRestrictedTools(version) ? ({ keep: "checked-by-caller" } as const) : {};
}

/** Has caches ask each time: it changes under its address with labels and alarms, and whenever a tag comes. */
function toChecked(document: Document, isOwn = false): Reply {
  return { document, keep: isOwn ? "checked-by-caller" : "checked" };
}

function about(resolved: Resolved, path: string) {
  return { headers: versionHeaders(resolved, path), keep: resolved.immutable ? "for-ever" : "checked" } as const;
}

function baseOf(event: H3Event): string {
  return `${event.url.protocol}//${event.url.host}`;
}

function part(event: H3Event, name: string): string {
  return event.context.params?.[name] ?? "";
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Then it names no tool, and the error will show it as it came.
    return text;
  }
}
