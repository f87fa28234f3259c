import { H3, type H3Event } from "h3";
import { CairnError, toErrorBody } from "../errors.ts";
import type { Invoke } from "../invoke/call.ts";
import type { Log } from "../log.ts";
import type { Authenticate, Caller } from "../auth/caller.ts";
import type { OAuthConfig } from "../config-auth.ts";
import { requireScope, VERSIONS_READ, VERSIONS_REFRESH } from "../auth/scopes.ts";
import type { ToPrincipal } from "../auth/to-principal.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import type { Resolved } from "../versions/registry/resolve.ts";
import { toChangelog } from "./changelog.ts";
import { type Challenge, METADATA_PATH } from "./challenge.ts";
import { allowOrigin, answerPreflight } from "./cors.ts";
import { type Document, toJsonDocument } from "./document.ts";
import type { createGuard } from "./guards.ts";
import { asItIs, negotiateEncoding } from "./negotiate-encoding.ts";
import { toProblem } from "./problem.ts";
import { toProtectedResource } from "./protected-resource.ts";
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
  readonly challenge: Challenge;
  /** Where tokens can be had; absent: only from whoever runs the service. */
  readonly oauth?: OAuthConfig;
  /** Whether anyone may read what versions there are. */
  readonly publicVersions: boolean;
  readonly toPrincipal: ToPrincipal;
  readonly createId: () => string;
  readonly log: Log;
}

/** Every address of the service. */
export function createRoutes(options: RouteOptions): H3 {
  const { registry, invoke, toPrincipal, oauth } = options;
  const readVersions = options.publicVersions ? ANYONE : VERSIONS_READ;
  const documents = createVersionDocuments();
  const app = new H3({ silent: true, allowMalformedURL: true });
  const route = createRoute(app, options);

  route("GET", "/versions", readVersions, async (event) => {
    const query = readVersionQuery(event.url.searchParams);
    return toChecked(toJsonDocument(toListing(await registry.list(query), query, baseOf(event))));
  });
  route("POST", "/versions/refresh", VERSIONS_REFRESH, async () => {
    const { ok, added, failed, message } = await registry.refresh();
    const result = { ok, added, failed: Object.fromEntries(failed), ...(message === undefined ? {} : { message }) };
    return { document: toJsonDocument(result) };
  });
  for (const [path, access] of [
    ["/versions/:version", readVersions],
    ["/agent/:version", VERSIONS_READ],
  ] as const) {
    route("GET", path, access, async (event) => {
      const described = await registry.describe(part(event, "version"));
      return toChecked(toJsonDocument(toDetail(described, baseOf(event))));
    });
  }
  route("GET", "/versions/:version/changelog", readVersions, async (event) =>
    toChecked(toChangelog(await registry.describe(part(event, "version")))),
  );

  route("GET", "/agent/:version/openapi.json", VERSIONS_READ, async (event) => {
    const resolved = await registry.resolve(part(event, "version"));
    return { document: documents.openApi(resolved.version), ...about(resolved, "/openapi.json") };
  });
  route("GET", "/agent/:version/api/tools", VERSIONS_READ, async (event, caller) => {
    const resolved = await registry.resolve(part(event, "version"));
    return {
      document: documents.tools(resolved.version, toPrincipal(resolved.version, caller)),
      ...about(resolved, "/api/tools"),
      ...(documents.hasRestrictedTools(resolved.version) ? { keep: "checked-by-caller" } : {}),
    };
  });
  route("GET", "/agent/:version/api/tools/:tool", VERSIONS_READ, async (event) => {
    const resolved = await registry.resolve(part(event, "version"));
    return {
      document: documents.tool(resolved.version, decode(part(event, "tool"))),
      ...about(resolved, `/api/tools/${part(event, "tool")}`),
    };
  });
  route("POST", "/agent/:version/api/tools/:tool", SIGNED_IN, async (event, caller) => {
    const resolved = await registry.resolve(part(event, "version"));
    const tool = findTool(resolved.version, decode(part(event, "tool")));
    requireScope(caller, tool.server);
    const reply = await callTool(event.req, resolved.version, tool, toPrincipal(resolved.version, caller), invoke);
    const { headers } = about(resolved, `/api/tools/${part(event, "tool")}`);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  });
  if (oauth !== undefined) {
    route("GET", METADATA_PATH, ANYONE, () => toChecked(toJsonDocument(toProtectedResource(oauth))));
    route("GET", `${METADATA_PATH}/agent/:version/:server`, ANYONE, (event) => {
      const endpoint = { version: part(event, "version"), server: part(event, "server") };
      return toChecked(toJsonDocument(toProtectedResource(oauth, endpoint)));
    });
  }
  // Whoever looks here for a way to a token has none yet.
  route("", "/.well-known/**", ANYONE, refuseUnknown);
  route("", "/**", SIGNED_IN, refuseUnknown);
  return app;
}

type Answer = (event: H3Event, caller: Caller) => Reply | Promise<Reply>;

/** Instead of a scope, of routes that any known caller may ask, or that find out what it takes. */
const SIGNED_IN = Symbol("signed in");
/** The same of routes that ask nobody who they are. */
const ANYONE = Symbol("anyone");
const NOBODY: Caller = Object.freeze({ tenant: "", actor: "", roles: [], scopes: new Set<string>() });

/** Registers a route that asks who calls before anything else, and whose every failure becomes problem details. */
function createRoute(app: H3, { guard, authenticate, challenge, createId, log }: RouteOptions) {
  const identify = (event: H3Event) =>
    authenticate({ authorization: event.req.headers.get("authorization") ?? undefined, path: event.url.pathname });

  return (method: "" | "GET" | "POST", path: string, access: string | symbol, answer: Answer) => {
    const handler = async (event: H3Event) => {
      let encodingFor = asItIs;
      let isGuarded = false;
      try {
        guard(event.req.headers.get("host") ?? undefined, event.req.headers.get("origin") ?? undefined);
        isGuarded = true;
        if (event.req.method === "OPTIONS") return allowOrigin(answerPreflight(event.req), event.req);
        encodingFor = negotiateEncoding(event.req.headers.get("accept-encoding"));
        const caller = access === ANYONE ? NOBODY : await identify(event);
        if (typeof access === "string") requireScope(caller, access);
        return allowOrigin(await toResponse(await answer(event, caller), event.req, encodingFor), event.req);
      } catch (error) {
        const incident = createId();
        if (!(error instanceof CairnError) || !error.row.exposed) {
          log.error({ err: error, incident, path: event.url.pathname }, "request failed");
        }
        const [name, value = ""] = challenge(error);
        const headers = name === undefined ? {} : { [name]: value };
        const problem = await toResponse(toProblem(toErrorBody(error, incident), {}, headers), event.req, encodingFor);
        return isGuarded ? allowOrigin(problem, event.req) : problem;
      }
    };
    app.on(method, path, handler);
    if (method !== "") app.on("OPTIONS", path, handler);
    if (method === "GET") app.on("HEAD", path, handler);
  };
}

function refuseUnknown({ req, url }: H3Event): never {
  throw new CairnError(
    "NOT_FOUND",
    `Nothing answers to ${req.method} ${url.pathname.slice(0, 200)}; begin at /versions, then /agent/{version}.`,
  );
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
