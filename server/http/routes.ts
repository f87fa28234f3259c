import { H3, type H3Event } from "h3";
import type { Authenticate, Caller } from "../auth/caller.ts";
import { requireScope, VERSIONS_READ, VERSIONS_REFRESH } from "../auth/scopes.ts";
import type { ToPrincipal } from "../auth/to-principal.ts";
import { CairnError, toErrorBody } from "../errors.ts";
import type { Invoke } from "../invoke/call.ts";
import type { Log } from "../log.ts";
import { holdsAll, type Principal } from "../principal.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import type { Tool, Version } from "../versions/version.ts";
import type { Resolved } from "../versions/registry/resolve.ts";
import { toChangelog } from "./changelog.ts";
import { allowOrigin, answerPreflight } from "./cors.ts";
import { type Document, toJsonDocument } from "./document.ts";
import type { createGuard } from "./guards.ts";
import { asItIs, negotiateEncoding } from "./negotiate-encoding.ts";
import { toProblem } from "./problem.ts";
import { type Reply, toResponse } from "./reply.ts";
import { callTool, findTool } from "./tools.ts";
import { createVersionDocuments } from "./version-documents.ts";
import { versionHeaders } from "./version-headers.ts";
import { readVersionQuery, toDetail, toListing } from "./version-list.ts";

export interface RouteOptions {
  readonly registry: Registry;
  readonly invoke: Invoke;
  readonly guard: ReturnType<typeof createGuard>;
  readonly authenticate: Authenticate;
  readonly toPrincipal: ToPrincipal;
  readonly createId: () => string;
  readonly log: Log;
}

/** Every address of the service. */
export function createRoutes(options: RouteOptions): H3 {
  const { registry, invoke, toPrincipal, createId } = options;
  const documents = createVersionDocuments();
  const app = new H3({ silent: true, allowMalformedURL: true });
  const route = createRoute(app, options);
  const byCaller = (version: Version) =>
    documents.hasRestrictedTools(version) ? ({ keep: "checked-by-caller" } as const) : {};

  route("GET", "/versions", VERSIONS_READ, async (event) => {
    const query = readVersionQuery(event.url.searchParams);
    return toChecked(toJsonDocument(toListing(await registry.list(query), query, baseOf(event))));
  });
  route("POST", "/versions/refresh", VERSIONS_REFRESH, async () => {
    const { ok, added, failed, message } = await registry.refresh();
    const result = { ok, added, failed: Object.fromEntries(failed), ...(message === undefined ? {} : { message }) };
    return { document: toJsonDocument(result) };
  });
  for (const path of ["/versions/:version", "/agent/:version"]) {
    route("GET", path, VERSIONS_READ, async (event, caller) => {
      const described = await registry.describe(part(event, "version"));
      const { version } = described;
      const mayUse = ({ requiredCapabilities }: Tool) =>
        version !== undefined && holdsAll(toPrincipal(version, caller), requiredCapabilities);
      const reply = toChecked(toJsonDocument(toDetail(described, baseOf(event), mayUse)));
      return version === undefined ? reply : { ...reply, ...byCaller(version) };
    });
  }
  route("GET", "/versions/:version/changelog", VERSIONS_READ, async (event) =>
    toChecked(toChangelog(await registry.describe(part(event, "version")))),
  );

  const ofTools = (path: string, find: FindDocument) =>
    route("GET", `/agent/:version${path}`, VERSIONS_READ, async (event, caller) => {
      const resolved = await registry.resolve(part(event, "version"));
      const { version } = resolved;
      const tool = part(event, "tool");
      const document = find(version, toPrincipal(version, caller), decode(tool));
      const at = path.replace(":tool", () => tool);
      return { document, ...about(resolved, at), ...byCaller(version) };
    });
  ofTools("/openapi.json", documents.openApi);
  ofTools("/api/tools", documents.tools);
  ofTools("/api/tools/:tool", documents.tool);
  route("POST", "/agent/:version/api/tools/:tool", SIGNED_IN, async (event, caller) => {
    const resolved = await registry.resolve(part(event, "version"));
    const principal = toPrincipal(resolved.version, caller);
    const tool = findTool(resolved.version, decode(part(event, "tool")), principal);
    requireScope(caller, tool.server);
    const reply = await callTool(event.req, resolved.version, tool, principal, invoke, createId);
    const { headers } = about(resolved, `/api/tools/${part(event, "tool")}`);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  });
  route("", "/**", SIGNED_IN, (event) => {
    throw new CairnError(
      "NOT_FOUND",
      `Nothing answers to ${event.req.method} ${event.url.pathname.slice(0, 200)}; begin at /versions, then /agent/{version}.`,
    );
  });
  return app;
}

type FindDocument = (version: Version, principal: Principal, tool: string) => Document;
type Answer = (event: H3Event, caller: Caller) => Reply | Promise<Reply>;

/** Scope of routes that any known caller may ask, or that find out what it takes. */
const SIGNED_IN = undefined;

/** Registers a route that asks who calls before anything else, and whose every failure becomes problem details. */
function createRoute(app: H3, { guard, authenticate, createId, log }: RouteOptions) {
  return (method: "" | "GET" | "POST", path: string, scope: string | undefined, answer: Answer) => {
    const handler = async (event: H3Event) => {
      let encodingFor = asItIs;
      try {
        guard(event.req.headers.get("host") ?? undefined, event.req.headers.get("origin") ?? undefined);
        if (event.req.method === "OPTIONS") return allowOrigin(answerPreflight(event.req), event.req);
        encodingFor = negotiateEncoding(event.req.headers.get("accept-encoding"));
        const authorization = event.req.headers.get("authorization") ?? undefined;
        const caller = await authenticate({ authorization, path: event.url.pathname });
        if (scope !== undefined) requireScope(caller, scope);
        return allowOrigin(await toResponse(await answer(event, caller), event.req, encodingFor), event.req);
      } catch (error) {
        const incident = createId();
        if (!(error instanceof CairnError) || !error.row.exposed) {
          log.error({ err: error, incident, path: event.url.pathname }, "request failed");
        }
        return toResponse(toProblem(toErrorBody(error, incident)), event.req, encodingFor);
      }
    };
    app.on(method, path, handler);
    if (method !== "") app.on("OPTIONS", path, handler);
    if (method === "GET") app.on("HEAD", path, handler);
  };
}

/** What changes under its address: with labels and alarms, and whenever a tag comes. */
function toChecked(document: Document): Reply {
  return { document, keep: "checked" };
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
