import { H3, type H3Event } from "h3";
import { CairnError, toErrorBody } from "../errors.ts";
import type { Invoke } from "../invoke/call.ts";
import type { Log } from "../log.ts";
import { LOCAL_PRINCIPAL } from "../principal.ts";
import type { Endpoint } from "../protocol/endpoint.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import type { Resolved } from "../versions/registry/resolve.ts";
import type { Server, Version } from "../versions/version.ts";
import { toChangelog } from "./changelog.ts";
import { allowOrigin, answerPreflight } from "./cors.ts";
import type { createGuard } from "./guards.ts";
import { answerMcp, toMcpErrorResponse } from "./mcp.ts";
import { toOpenApi } from "./openapi.ts";
import { toProblem } from "./problem.ts";
import { callTool, listTools, showTool } from "./tools.ts";
import { readVersionQuery, toDetail, toListing } from "./version-list.ts";

export interface RouteOptions {
  readonly registry: Registry;
  readonly invoke: Invoke;
  readonly endpointOf: (version: Version, server: Server) => Endpoint;
  readonly guard: ReturnType<typeof createGuard>;
  readonly createId: () => string;
  readonly log: Log;
}

/** Every address of the service. */
export function createRoutes(options: RouteOptions): H3 {
  const { registry, invoke, endpointOf } = options;
  const principal = LOCAL_PRINCIPAL;
  const app = new H3({ silent: true, allowMalformedURL: true });
  const route = createRoute(app, options);

  route("GET", "/versions", async (event) => {
    const query = readVersionQuery(event.url.searchParams);
    return Response.json(toListing(await registry.list(query), query, baseOf(event)));
  });
  route("POST", "/versions/refresh", async () => {
    const { ok, added, failed, message } = await registry.refresh();
    return Response.json({
      ok,
      added,
      failed: Object.fromEntries(failed),
      ...(message === undefined ? {} : { message }),
    });
  });
  route("GET", "/versions/:version", async (event) =>
    Response.json(toDetail(await registry.describe(part(event, "version")), baseOf(event))),
  );
  route("GET", "/versions/:version/changelog", async (event) =>
    toChangelog(await registry.describe(part(event, "version"))),
  );

  route("GET", "/agent/:version", async (event) => {
    const described = await registry.describe(part(event, "version"));
    return Response.json(toDetail(described, baseOf(event)));
  });
  route("GET", "/agent/:version/openapi.json", async (event) => {
    const resolved = await registry.resolve(part(event, "version"));
    return withVersion(Response.json(toOpenApi(resolved.version)), resolved, "/openapi.json");
  });
  route("GET", "/agent/:version/api/tools", async (event) => {
    const resolved = await registry.resolve(part(event, "version"));
    return withVersion(listTools(resolved.version, principal), resolved, "/api/tools");
  });
  route("GET", "/agent/:version/api/tools/:tool", async (event) => {
    const resolved = await registry.resolve(part(event, "version"));
    return withVersion(
      showTool(resolved.version, decode(part(event, "tool"))),
      resolved,
      `/api/tools/${part(event, "tool")}`,
    );
  });
  route("POST", "/agent/:version/api/tools/:tool", async (event) => {
    const resolved = await registry.resolve(part(event, "version"));
    const answer = await callTool(event.req, resolved.version, decode(part(event, "tool")), principal, invoke);
    return withVersion(answer, resolved, `/api/tools/${part(event, "tool")}`);
  });
  route(
    "",
    "/agent/:version/:server",
    async (event) => {
      const resolved = await registry.resolve(part(event, "version"));
      const server = findServer(resolved.version, part(event, "server"));
      const answer = await answerMcp(event.req, endpointOf(resolved.version, server), principal);
      return withVersion(answer, resolved, `/${server.name}`);
    },
    toMcpErrorResponse,
  );
  route("", "/**", (event) => {
    throw new CairnError(
      "NOT_FOUND",
      `Nothing answers to ${event.req.method} ${event.url.pathname.slice(0, 200)}; begin at /versions, then /agent/{version}.`,
    );
  });
  return app;
}

type Answer = (event: H3Event) => Response | Promise<Response>;

/** Registers a route whose every failure becomes an answer in the route's own form of error. */
function createRoute(app: H3, { guard, createId, log }: RouteOptions) {
  return (
    method: "" | "GET" | "POST",
    path: string,
    answer: Answer,
    toErrorResponse: (error: unknown, incident: string) => Response = (error, incident) =>
      toProblem(toErrorBody(error, incident)),
  ) => {
    const handler = async (event: H3Event) => {
      try {
        guard(event.req.headers);
        if (event.req.method === "OPTIONS") return allowOrigin(answerPreflight(event.req), event.req);
        return allowOrigin(await answer(event), event.req);
      } catch (error) {
        const incident = createId();
        if (!(error instanceof CairnError) || !error.row.exposed) {
          log.error({ err: error, incident, path: event.url.pathname }, "request failed");
        }
        return toErrorResponse(error, incident);
      }
    };
    app.on(method, path, handler);
    if (method !== "") app.on("OPTIONS", path, handler);
    if (method === "GET") app.on("HEAD", path, handler);
  };
}

/** Tells which commit answered, and the address under which it always will. */
function withVersion(response: Response, { record, version }: Resolved, path: string): Response {
  response.headers.set("cairn-commit", version.commit);
  response.headers.set("cairn-version", record.tag?.slice(1) ?? version.semver);
  response.headers.set("link", `</agent/${version.commit}${path}>; rel="canonical"`);
  return response;
}

function findServer(version: Version, name: string): Server {
  const server = version.servers.get(name);
  if (!server) {
    const known = [...version.servers.keys()].join(", ") || "none";
    throw new CairnError(
      "NOT_FOUND",
      `Version ${version.semver} has no MCP server \`${name.slice(0, 64)}\`; it has: ${known}.`,
    );
  }
  return server;
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
