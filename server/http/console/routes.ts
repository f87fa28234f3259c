import type { H3Event } from "h3";
import type { Authenticate } from "../../auth/caller.ts";
import type { Login } from "../../auth/login/login.ts";
import { CairnError } from "../../errors.ts";
import { ANYONE, part, type Route, SIGNED_IN } from "../create-route.ts";
import { toJsonDocument } from "../document.ts";
import { PERSON_HEADER, toPerson } from "../find-client.ts";
import { defined } from "../../json/defined.ts";
import type { Reply } from "../reply.ts";
import { addLogin, endSession, withCookies } from "./login-routes.ts";
import { assertOwnPage, readMember } from "./own-page.ts";
import type { Console } from "./load-console.ts";
import { toReaderWord } from "./other-reader.ts";
import { type ConsoleSessions, COOKIE_TOKEN, COOKIE_TOKEN_LIMIT } from "./session.ts";

export interface ConsoleRouteOptions {
  /** Absent: it was not built, or is turned off. */
  readonly console?: Console;
  readonly consoleSessions: ConsoleSessions;
  readonly authenticate: Authenticate;
  /** Absent: readers sign in with a token. */
  readonly login?: Login;
  /** Scheme and host as clients see them. */
  readonly publicUrl?: string;
  /** Answers what is at no address. */
  readonly refuseUnknown: (event: H3Event) => never;
}

/**
 * Headers of the page. The policy lets it run scripts, styles and requests of this service alone, none of them written into the
 * page: text of a tool that got into it as markup would still do nothing. Nobody may frame it, so that nobody can have its
 * reader click on what is hidden; scripts can make no markup of text at all (Trusted Types).
 */
const PAGE_HEADERS = Object.freeze({
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
});
const ASSET_HEADERS = Object.freeze({
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
});

/** Adds the console: its page for browsers, the files of the page, and what signs its reader in. */
export function addConsole(route: Route, { console: built, ...options }: ConsoleRouteOptions): void {
  if (built === undefined) return;
  const { refuseUnknown } = options;
  const page: Reply = { document: built.page, headers: PAGE_HEADERS, keep: "checked" };
  // Programs are answered as they are without a console.
  const access = (request: Request) => (isNavigation(request) ? ANYONE : SIGNED_IN);
  for (const path of ["/", "/console", "/console/**"]) {
    route("GET", path, access, (event) => (isNavigation(event.req) ? page : refuseUnknown(event)));
  }
  route("GET", "/console/assets/:name", ANYONE, (event) => {
    const document = built.assets.get(part(event, "name"));
    return document === undefined ? refuseUnknown(event) : { document, headers: ASSET_HEADERS, keep: "for-ever" };
  });
  addSession(route, options);
  if (options.login !== undefined) addLogin(route, { ...options, login: options.login });
}

/** Adds what the console asks about its reader, and how the reader signs in and out. */
function addSession(route: Route, options: Omit<ConsoleRouteOptions, "console">): void {
  const { consoleSessions: sessions, authenticate, login } = options;
  const signedOut = { signed_in: false, needs_token: true, ...(login === undefined ? {} : { provider: login.name }) };
  const identify = (event: H3Event, authorization: string | undefined, client: string | undefined) =>
    authenticate({
      authorization,
      path: event.url.pathname,
      address: client,
      person: toPerson(event.req.headers.get(PERSON_HEADER)),
    });
  const toReply = (
    { tenant, actor, roles, scopes }: Awaited<ReturnType<typeof identify>>,
    needsToken: boolean,
    reader: string | undefined,
  ) => {
    const known = { tenant, actor, roles, scopes: [...scopes], ...defined({ reader }) };
    return { document: toJsonDocument({ signed_in: true, needs_token: needsToken, ...known }) };
  };

  route("GET", "/console/session", ANYONE, async (event, _caller, client) => {
    const authorization = event.req.headers.get("authorization") ?? undefined;
    try {
      const caller = await identify(event, authorization, client);
      const reader = sessions.findReader(event.req.headers.get("cookie") ?? undefined, authorization);
      return toReply(caller, authorization !== undefined, reader);
    } catch (error) {
      if (!(error instanceof CairnError) || error.name !== "UNAUTHENTICATED") throw error;
      // Credentials that were good once: the reader is told why the page has ended.
      const ended = authorization === undefined ? {} : { ended: true };
      return { document: toJsonDocument({ ...signedOut, ...ended }) };
    }
  });
  route("POST", "/console/session", ANYONE, async (event, _caller, client) => {
    const sender = assertOwnPage(event, sessions);
    const token = await readToken(event.req);
    const reply = toReply(await identify(event, `Bearer ${token}`, client), true, toReaderWord(token));
    return { ...reply, headers: { "set-cookie": sessions.toCookie(sender, token) } };
  });
  route("DELETE", "/console/session", ANYONE, async (event) => {
    const sender = assertOwnPage(event, sessions);
    const ended = login && (await endSession(event, { login, consoleSessions: sessions }));
    const body = { ...signedOut, ...defined({ leave: ended?.leave }) };
    const answer = Response.json(body, { headers: { "cache-control": "no-store" } });
    return withCookies(answer, [sessions.toCookie(sender, ""), ...(ended?.cookies ?? [])]);
  });
}

async function readToken(request: Request): Promise<string> {
  const token = await readMember(request, "token");
  if (typeof token === "string" && token.length <= COOKIE_TOKEN_LIMIT && COOKIE_TOKEN.test(token)) return token;
  throw new CairnError("BAD_REQUEST", `\`token\` must be a bearer token of at most ${COOKIE_TOKEN_LIMIT} characters.`);
}

function isNavigation({ headers }: Request): boolean {
  return headers.get("accept")?.includes("text/html") === true;
}
