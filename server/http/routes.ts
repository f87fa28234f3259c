import { H3, type H3Event } from "h3";
import type { Audit } from "../audit/audit.ts";
import type { AuditReader } from "../audit/audit-reader.ts";
import { LOCAL_CALLER } from "../auth/caller.ts";
import { CairnError, toErrorBody } from "../errors.ts";
import type { Invoke } from "../invoke/call.ts";
import type { Log } from "../log.ts";
import { LOCAL_PRINCIPAL } from "../principal.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import type { Resolved } from "../versions/registry/resolve.ts";
import { createAuditAnswers } from "./audit.ts";
import { toChangelog } from "./changelog.ts";
import { allowOrigin, answerPreflight } from "./cors.ts";
import { type Document, toJsonDocument } from "./document.ts";
import type { createGuard } from "./guards.ts";
import { asItIs, negotiateEncoding } from "./negotiate-encoding.ts";
import { toProblem } from "./problem.ts";
import { type Reply, toResponse } from "./reply.ts";
import { callTool } from "./tools.ts";
import { createVersionDocuments } from "./version-documents.ts";
import { versionHeaders } from "./version-headers.ts";
import { readVersionQuery, toDetail, toListing } from "./version-list.ts";

export interface RouteOptions {
  readonly registry: Registry;
  readonly invoke: Invoke;
  readonly guard: ReturnType<typeof createGuard>;
  readonly audit: Audit;
  readonly auditReader: AuditReader;
  readonly createId: () => string;
  readonly log: Log;
}

/** Every address of the service. */
export function createRoutes(options: RouteOptions): H3 {
  const { registry, invoke } = options;
  const principal = LOCAL_PRINCIPAL;
  const documents = createVersionDocuments();
  const app = new H3({ silent: true, allowMalformedURL: true });
  const route = createRoute(app, options);

  route("GET", "/versions", async (event) => {
    const query = readVersionQuery(event.url.searchParams);
    return toChecked(toJsonDocument(toListing(await registry.list(query), query, baseOf(event))));
  });
  route("POST", "/versions/refresh", async () => {
    await options.audit.changed({ change: "versions.refreshed", actor: principal.actor, target: "versions" });
    const { ok, added, failed, message } = await registry.refresh();
    const result = { ok, added, failed: Object.fromEntries(failed), ...(message === undefined ? {} : { message }) };
    return { document: toJsonDocument(result) };
  });
  for (const path of ["/versions/:version", "/agent/:version"]) {
    route("GET", path, async (event) => {
      const described = await registry.describe(part(event, "version"));
      return toChecked(toJsonDocument(toDetail(described, baseOf(event))));
    });
  }
  route("GET", "/versions/:version/changelog", async (event) =>
    toChecked(toChangelog(await registry.describe(part(event, "version")))),
  );

  route("GET", "/agent/:version/openapi.json", async (event) => {
    const resolved = await registry.resolve(part(event, "version"));
    return { document: documents.openApi(resolved.version), ...about(resolved, "/openapi.json") };
  });
  route("GET", "/agent/:version/api/tools", async (event) => {
    const resolved = await registry.resolve(part(event, "version"));
    return {
      document: documents.tools(resolved.version, principal),
      ...about(resolved, "/api/tools"),
      ...(documents.hasRestrictedTools(resolved.version) ? { keep: "checked-by-caller" } : {}),
    };
  });
  route("GET", "/agent/:version/api/tools/:tool", async (event) => {
    const resolved = await registry.resolve(part(event, "version"));
    return {
      document: documents.tool(resolved.version, decode(part(event, "tool"))),
      ...about(resolved, `/api/tools/${part(event, "tool")}`),
    };
  });
  route("POST", "/agent/:version/api/tools/:tool", async (event) => {
    const resolved = await registry.resolve(part(event, "version"));
    const reply = await callTool(event.req, resolved.version, decode(part(event, "tool")), principal, invoke);
    const { headers } = about(resolved, `/api/tools/${part(event, "tool")}`);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  });
  const auditAnswer = createAuditAnswers(options.audit, options.auditReader);
  route("GET", "/audit/:tenant/:part", (event) =>
    auditAnswer(LOCAL_CALLER, part(event, "tenant"), part(event, "part"), event.url.searchParams),
  );
  route("", "/**", (event) => {
    throw new CairnError(
      "NOT_FOUND",
      `Nothing answers to ${event.req.method} ${event.url.pathname.slice(0, 200)}; begin at /versions, then /agent/{version}.`,
    );
  });
  return app;
}

type Answer = (event: H3Event) => Reply | Promise<Reply>;

/** Registers a route whose every failure becomes problem details. */
function createRoute(app: H3, { guard, audit, createId, log }: RouteOptions) {
  return (method: "" | "GET" | "POST", path: string, answer: Answer) => {
    const handler = async (event: H3Event) => {
      let encodingFor = asItIs;
      try {
        guard(event.req.headers.get("host") ?? undefined, event.req.headers.get("origin") ?? undefined);
        if (event.req.method === "OPTIONS") return allowOrigin(answerPreflight(event.req), event.req);
        encodingFor = negotiateEncoding(event.req.headers.get("accept-encoding"));
        return allowOrigin(await toResponse(await answer(event), event.req, encodingFor), event.req);
      } catch (error) {
        audit.denied(error, { ...LOCAL_PRINCIPAL, address: event.req.ip });
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
