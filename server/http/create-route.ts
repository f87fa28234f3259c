import type { H3, H3Event } from "h3";
import type { Audit } from "../kernel/audit/audit.ts";
import type { Authenticate, Caller } from "../auth/caller.ts";
import { requireScope } from "../auth/scopes.ts";
import { CairnError, toErrorBody } from "../errors.ts";
import type { Log } from "../log/log.ts";
import type { Challenge } from "./challenge.ts";
import { allowOrigin, answerPreflight } from "./cors.ts";
import { type FindClient, PERSON_HEADER, toPerson } from "./find-client.ts";
import type { createGuard } from "./guards.ts";
import { asItIs, negotiateEncoding } from "./negotiate-encoding.ts";
import { toProblem } from "./problem.ts";
import { type Reply, toResponse } from "./reply.ts";
import { toOwner } from "../kernel/audit/denials.ts";

export interface RouteGuards {
  readonly guard: ReturnType<typeof createGuard>;
  readonly authenticate: Authenticate;
  readonly findClient: FindClient;
  readonly challenge: Challenge;
  readonly audit: Audit;
  readonly createId: () => string;
  readonly log: Log;
}

/** Answers a request of a caller, whose client is at an IP address. */
export type Answer = (
  event: H3Event,
  caller: Caller,
  client: string | undefined,
) => Reply | Response | Promise<Reply | Response>;

/** The scope that a route needs, or one of the marks below. */
type Access = string | symbol;
type FindAccess = (request: Request) => Access;

/** Instead of a scope, of routes that any known caller may ask, or that find out what it takes. */
export const SIGNED_IN = Symbol("signed in");
/** Mark of routes without authentication. */
export const ANYONE = Symbol("anyone");
/** Mark of routes that answer anonymous callers, and may show others more. */
export const VISITORS = Symbol("visitors");
const NOBODY: Caller = Object.freeze({ tenant: "", actor: "", roles: [], scopes: new Set<string>() });

/** Registers a route that asks who calls before anything else, and whose every failure becomes problem details. */
export function createRoute(app: H3, options: RouteGuards) {
  const { guard, authenticate, findClient, challenge, audit, createId, log } = options;
  const identify = ({ req, url }: H3Event, access: Access, address: string | undefined) => {
    const authorization = req.headers.get("authorization") ?? undefined;
    if (access === ANYONE || (access === VISITORS && authorization === undefined)) return NOBODY;
    return authenticate({
      authorization,
      path: url.pathname,
      address,
      person: toPerson(req.headers.get(PERSON_HEADER)),
    });
  };

  return (method: "" | "GET" | "POST" | "PUT" | "DELETE", path: string, to: Access | FindAccess, answer: Answer) => {
    const handler = async (event: H3Event) => {
      let encodingFor = asItIs;
      let isGuarded = false;
      let caller = NOBODY;
      const client = findClient(event.req.ip, event.req.headers.get("x-forwarded-for"));
      try {
        guard(event.req.headers.get("host") ?? undefined, event.req.headers.get("origin") ?? undefined);
        isGuarded = true;
        if (event.req.method === "OPTIONS") return allowOrigin(answerPreflight(event.req), event.req);
        encodingFor = negotiateEncoding(event.req.headers.get("accept-encoding"));
        const access = typeof to === "function" ? to(event.req) : to;
        caller = await identify(event, access, client);
        if (typeof access === "string") requireScope(caller, access);
        const reply = await answer(event, caller, client);
        const response = "document" in reply ? await toResponse(reply, event.req, encodingFor) : reply;
        return allowOrigin(response, event.req);
      } catch (error) {
        audit.denied(error, { ...toOwner(caller === NOBODY ? undefined : caller), address: client });
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

/** Registers one address; see `createRoute`. */
export type Route = ReturnType<typeof createRoute>;

/** Reads a part of the path that the route names. */
export function part(event: H3Event, name: string): string {
  return event.context.params?.[name] ?? "";
}
