import { H3, type H3Event } from "h3";
import { DELIVERING_KINDS } from "../../forge/adapters.ts";
import type { Architect } from "../../architect/open-architect.ts";
import type { AuditReader } from "../../kernel/audit/audit-reader.ts";
import type { FindCall } from "../../capabilities/work/approvals/find-call.ts";
import type { CallerSecrets } from "../../capabilities/secrets/caller-secrets.ts";
import type { OAuthConfig } from "../../config/config-auth.ts";
import {
  ARCHITECT,
  AUDIT_READ,
  hasScope,
  requireScope,
  requireScopeOf,
  SECRETS,
  VERSIONS_READ,
} from "../../auth/scopes.ts";
import { toErrorBody } from "../../errors.ts";

import type { Resolved } from "../../versions/registry/resolve/resolve.ts";
import type { Deprecation } from "../../versions/retirement/deprecation.ts";
import type { Principal } from "../../principal.ts";
import type { Version } from "../../versions/version.ts";
import { type Document, toJsonDocument } from "../document.ts";
import { ANYONE, createRoute, part, type Route, type RouteGuards, SIGNED_IN } from "../create-route.ts";
import { byCaller, createVersionDocuments, type VersionDocuments } from "./version-documents.ts";
import { toProblem } from "../problem.ts";
import { toChecked } from "../reply.ts";
import { noteMethods } from "./note-methods.ts";
import { OPERATIONS } from "./operations.ts";
import { addVersions } from "./version-routes.ts";
import { createArchitectAnswers } from "./architect.ts";
import { createAuditAnswers } from "./audit.ts";
import { METADATA_PATH } from "../challenge.ts";
import type { FindDestination } from "../destination.ts";
import { createSecretAnswers } from "./secrets.ts";
import { addServiceRoutes, type ServiceRouteOptions } from "./service/service-routes.ts";
import { answerPlot } from "./plots.ts";
import { createFacade } from "./facade.ts";
import { addConsole, type ConsoleRouteOptions } from "../console/routes.ts";
import { toProtectedResource } from "./protected-resource.ts";
import { callTool, findTool } from "./tools.ts";
import { toToolNotice, versionHeaders } from "../version-headers.ts";
import type { WebhookAnswer } from "../webhooks.ts";
import type { ReadCounter } from "../../operations/count-reads.ts";
import { CONSOLE, findClientName } from "../../kernel/origin.ts";
import { defined } from "../../json/defined.ts";
import type { Invoke } from "../../kernel/call.ts";

export interface RouteOptions extends RouteGuards, ServiceRouteOptions, Omit<ConsoleRouteOptions, "refuseUnknown"> {
  readonly findDestination: FindDestination;
  /** Hears of lists and reads. */
  readonly onRead: ReadCounter["count"];
  /** Runs the calls of what is served. */
  readonly invoke: Invoke;
  /** Issuers of tokens; absent: only the operator gives them out. */
  readonly oauth?: OAuthConfig;
  /** Absent: nobody tells of the repository by itself. */
  readonly webhook?: WebhookAnswer;
  readonly auditReader: AuditReader;
  readonly architect: Architect;
  readonly callerSecrets: CallerSecrets;
  readonly findCall: FindCall;
  /** Says whether calls are taken, for those who balance load. */
  readonly isReady: () => boolean;
}

/** Creates every address of the service. */
export function createRoutes(options: RouteOptions): H3 {
  const { registry, invoke, toPrincipal, isReady, createId, now } = options;
  const app = new H3({ silent: true, allowMalformedURL: true });
  const register = createRoute(app, options);
  const { route, refuse: refuseUnknown } = noteMethods(register, OPERATIONS);
  const documents = createVersionDocuments();
  addVersions(route, options, documents);
  addTools(route, options, documents);
  addPlots(route, options);
  addApprovals(route, options);
  addArchitect(route, options);
  const facade = createFacade({ directory: registry.tools, invoke, toPrincipal, isReady, createId, now });
  route("GET", "/api/mcp/health", ANYONE, () => facade.health());
  route("GET", "/api/mcp/tools", SIGNED_IN, (event, caller) => facade.tools(event.url.searchParams, caller));
  route("POST", "/api/mcp/tool/call", SIGNED_IN, (event, caller) => facade.call(event.req, caller));
  for (const kind of DELIVERING_KINDS) {
    const webhook = options.webhook?.kind === kind ? options.webhook : undefined;
    const add = webhook === undefined ? register : route;
    add(
      "POST",
      `/webhooks/${kind}`,
      ANYONE,
      (event, _caller, client) => webhook?.answer(event.req, client) ?? refuseUnknown(event),
    );
  }
  addSecrets(route, options);
  addServiceRoutes(route, options);
  const auditAnswer = createAuditAnswers(options.audit, options.auditReader);
  route("GET", "/audit/:tenant/:part", AUDIT_READ, (event, caller, client) =>
    auditAnswer(caller, part(event, "tenant"), part(event, "part"), event.url.searchParams, client),
  );

  addMetadata(route, options);
  addConsole(route, { ...options, refuseUnknown });
  // Whoever looks here for a way to a token has none yet.
  route("", "/.well-known/**", ANYONE, refuseUnknown);
  route("", "/**", SIGNED_IN, refuseUnknown);
  return app;
}

/** Adds the tools of each version, with their documentation, and calls of them. */
function addTools(route: Route, options: RouteOptions, documents: VersionDocuments): void {
  const { registry, toPrincipal, createId } = options;
  const ofTools = (path: string, find: FindDocument) =>
    route("GET", `/agent/:version${path}`, VERSIONS_READ, async (event, caller) => {
      const resolved = await registry.inspect(part(event, "version"));
      const { version } = resolved;
      const tool = part(event, "tool");
      const principal = toPrincipal(version, caller);
      options.onRead({ ...toRead(event, version, principal), method: `GET ${path}` });
      const document = find(version, principal, decode(tool), resolved.record.deprecated);
      const at = path.replace(":tool", () => tool);
      return { document, ...about(resolved, at), ...byCaller(documents, version) };
    });
  ofTools("/openapi.json", (version, principal, _tool, deprecated) =>
    documents.openApi(version, principal, deprecated),
  );
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
    const reply = await callTool(
      event.req,
      resolved.version,
      tool,
      principal,
      kernel.invoke,
      createId,
      part(event, "version"),
    );
    const { headers } = about(resolved, `/api/tools/${part(event, "tool")}`);
    return { ...reply, headers: { ...reply.headers, ...headers, ...toToolNotice(tool, resolved) } };
  });
}

/** Adds the pictures of each version's experiments. */
function addPlots(route: Route, { findDestination, toPrincipal }: RouteOptions): void {
  route("GET", "/agent/:version/api/plots/:name", SIGNED_IN, async (event, caller) => {
    const name = decode(part(event, "name"));
    const found = await findDestination(part(event, "version"), caller).catch((error: unknown) => {
      requireScope(caller, VERSIONS_READ);
      throw error;
    });
    const { resolved, kernel } = found;
    const { version } = resolved;
    const { providers } = kernel;
    const reply = await answerPlot({ version, caller, principal: toPrincipal(version, caller), providers, name });
    const { headers } = about(resolved, `/api/plots/${part(event, "name")}`);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  });
}

/** Adds what came of calls that wait for approval, for who made them and who decides. */
function addApprovals(route: Route, { registry, toPrincipal, findCall }: RouteOptions): void {
  route("GET", "/agent/:version/api/approvals/:task", SIGNED_IN, async (event, caller) => {
    const { version } = await registry.resolve(part(event, "version"));
    const { view, server } = await findCall(version, toPrincipal(version, caller), decode(part(event, "task")));
    requireScopeOf(caller, view.tool, server);
    return { document: toJsonDocument(view) };
  });
}

function addArchitect(route: Route, { registry, toPrincipal, architect: service }: RouteOptions): void {
  const architect = createArchitectAnswers(service);
  route("POST", "/agent/:version/architect/chat", ARCHITECT, async (event, caller) => {
    const resolved = await registry.resolve(part(event, "version"));
    const refusal = registry.retirements.refuse(resolved.version);
    if (refusal !== undefined) {
      return toProblem(toErrorBody(refusal, ""), {}, versionHeaders(resolved, "/architect/chat"));
    }
    const addressed = { address: decode(part(event, "version")), resolved };
    return architect.chat(event.req, addressed, toPrincipal(resolved.version, caller), caller);
  });
  route("GET", "/agent/:version/architect/feedback/:id", ARCHITECT, async (event, caller) => {
    const { version } = await registry.resolve(part(event, "version"));
    return architect.status(toPrincipal(version, caller), decode(part(event, "id")));
  });
}

/** Adds the secrets that callers set for themselves. */
function addSecrets(route: Route, { callerSecrets }: RouteOptions): void {
  const answers = createSecretAnswers(callerSecrets);
  route("GET", "/secrets", SECRETS, (_event, caller) => answers.list(caller));
  route("PUT", "/secrets/:name", SECRETS, (event, caller) => answers.set(caller, part(event, "name"), event.req));
  route("DELETE", "/secrets/:name", SECRETS, (event, caller) => answers.remove(caller, part(event, "name")));
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

function toRead({ req, context }: H3Event, { commit, semver }: Version, { tenant, actor }: Principal) {
  const client = findClientName(req.headers.get(CONSOLE), req.headers.get("user-agent"));
  return { tenant, actor, commit, version: semver, address: context.params?.["version"] ?? "", ...defined({ client }) };
}

type FindDocument = (version: Version, principal: Principal, tool: string, deprecated?: Deprecation) => Document;

function about(resolved: Resolved, path: string) {
  // Whoever kept it for ever would not hear of the version's end.
  const isLasting = resolved.immutable && resolved.record.deprecated === undefined;
  return { headers: versionHeaders(resolved, path), keep: isLasting ? "for-ever" : "checked" } as const;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Then it names no tool, and the error will show it as it came.
    return text;
  }
}
