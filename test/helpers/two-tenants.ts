import { globSync, readFileSync } from "node:fs";
import type { Caller } from "../../server/auth/caller.ts";
import { FIXTURE_FILES, FIXTURE_VERSION } from "../fixtures/tenants.ts";
import { type ModernRequest, sendModern } from "./modern-mcp.ts";
import { openServiceFor } from "./open-service.ts";
import { createRepository } from "./repository.ts";
import { type AtEnd, temporaryFolder } from "./temporary.ts";

/** Cairn's own agent, as in this checkout. */
export const OWN_VERSION = /^current: (\S+)$/m.exec(readFileSync("versions.yaml", "utf8"))?.[1] ?? "";

const everywhere = new Set(["*"]);
const caller = (tenant: string, actor: string, ...roles: string[]): Caller =>
  Object.freeze({ tenant, actor, roles, scopes: everywhere });

/** By what they send as `Authorization`. */
const CALLERS = {
  ada: caller("a", "ada", "member", "user"),
  /** Ada with credentials that let her do less. */
  tired: caller("a", "ada", "reader"),
  /** Of Ada's tenant, with less to do. */
  ray: caller("a", "ray", "reader"),
  bob: caller("b", "bob", "member", "user"),
  tess: { ...caller("a", "tess", "member"), scopes: new Set(["talker"]) },
  /** With credentials for one server: hers may use all of its tools, his one of them. */
  runa: { ...caller("a", "runa", "member"), scopes: new Set(["runner"]) },
  ron: { ...caller("a", "ray", "reader"), scopes: new Set(["runner"]) },
  /** Each may send feedback about Cairn's own agent. */
  fay: caller("a", "fay", "critic"),
  /** Fay with credentials that let her do less. */
  faded: caller("a", "fay", "reader"),
  flo: caller("b", "flo", "critic"),
  vera: { ...caller("a", "vera", "member"), scopes: new Set(["versions:read"]) },
};
export type Who = keyof typeof CALLERS;

export interface Answered {
  readonly status: number;
  readonly text: string;
}

/** A service with Cairn's own agent and one that leaves something wherever it can, for callers of two tenants. */
export interface Tenants {
  addressOf(version: string, server: string): string;
  /** GET, or POST where there is a body; `text` has the headers that name the call as well. */
  rest(
    who: string,
    path: string,
    body?: unknown,
  ): Promise<Answered & { readonly headers: Headers; readonly body: unknown }>;
  /** In the revision without sessions. */
  modern(who: string, version: string, server: string, request: ModernRequest): Promise<Answered>;
  /** In a revision with sessions; `session` where the server keeps them. */
  legacy(
    who: string,
    version: string,
    server: string,
    request: { readonly method: string; readonly params?: object; readonly id?: number; readonly session?: string },
  ): Promise<Answered>;
  /** A resource of the `runner`. */
  read(who: string, version: string, uri: string): Promise<Answered>;
}

export async function openTenants(atEnd: AtEnd): Promise<Tenants> {
  const ownFiles = Object.fromEntries(
    globSync(["manifests/**/*.yaml", "tools/**/*.ts", "versions.yaml"]).map((path) => [
      path,
      readFileSync(path, "utf8"),
    ]),
  );
  const repository = await createRepository(await temporaryFolder(atEnd));
  await repository.release(OWN_VERSION, ownFiles);
  const gone = Object.fromEntries(Object.keys(ownFiles).map((path) => [path, null]));
  await repository.release(FIXTURE_VERSION, { ...gone, ...FIXTURE_FILES });
  const service = await openServiceFor(repository.path, CALLERS, atEnd);

  const addressOf = (version: string, server: string) => `${service.url}/agent/${version}/${server}`;
  const modern: Tenants["modern"] = async (who, version, server, request) => {
    const sent = await sendModern(addressOf(version, server), {
      capabilities: { elicitation: {} },
      ...request,
      headers: { authorization: who, ...request.headers },
    });
    return { status: sent.status, text: JSON.stringify(await sent.rest()) };
  };
  return {
    addressOf,
    modern,
    read: (who, version, uri) => modern(who, version, "runner", { method: "resources/read", params: { uri } }),
    async rest(who, path, body) {
      const response = await fetch(service.url + path, {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: who, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const { status, headers } = response;
      const text = await response.text();
      const isJson = headers.get("content-type")?.includes("json") === true;
      const named = [headers.get("cairn-conversation-id"), headers.get("cairn-logs")];
      return { status, headers, text: [text, ...named].join("\n"), body: isJson ? JSON.parse(text) : text };
    },
    async legacy(who, version, server, { method, params = {}, id = 1, session }) {
      const response = await fetch(addressOf(version, server), {
        method: "POST",
        headers: {
          authorization: who,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2025-11-25",
          ...(session === undefined ? {} : { "mcp-session-id": session }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
      });
      return { status: response.status, text: await response.text() };
    },
  };
}
