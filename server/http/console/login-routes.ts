import type { H3Event } from "h3";
import { ATTEMPT_AGE } from "../../auth/login/attempt.ts";
import type { Login } from "../../auth/login/login.ts";
import { isLoginSession } from "../../auth/login/sessions.ts";
import { CairnError } from "../../errors.ts";
import { ANYONE, type Route } from "../create-route.ts";
import { assertOwnPage, readMember } from "./own-page.ts";
import { type ConsoleSessions, COOKIE_TOKEN, COOKIE_TOKEN_LIMIT } from "./session.ts";

export interface LoginRouteOptions {
  readonly consoleSessions: ConsoleSessions;
  readonly login: Login;
  /** Scheme and host at which the provider leads back. */
  readonly publicUrl?: string;
}

/** Beginning of the names of cookies that remember an attempt, each by the attempt's name: two tabs may sign in at once. */
const ATTEMPT = "login-";
const ATTEMPT_SECONDS = ATTEMPT_AGE / 1000;
/** Attempts that a browser remembers; each more takes the place of the oldest, so that requests stay small. */
const ATTEMPTS = 3;
/** Name of the cookie that carries the ID token from signing out here to signing out at the provider. */
const LEAVING = "leave";
const LEAVING_SECONDS = 60;
const LEAVE_PATH = "/console/login/leave";
/** Text of that cookie where the ID token is too long for one. */
const NO_TOKEN = "none";
const HOME = "/";

/** Headers of answers that lead a browser elsewhere: nothing keeps them, and no address with a code goes on to others. */
const LEADING = Object.freeze({ "cache-control": "no-store", "referrer-policy": "no-referrer" });

/** Adds signing in with a provider: its beginning, the provider's answer, and the way out. */
export function addLogin(route: Route, { consoleSessions: sessions, login, publicUrl }: LoginRouteOptions): void {
  route("POST", "/console/login", ANYONE, async (event) => {
    // Pages of others could have readers begin what they do not know of, and fill their cookies.
    assertOwnPage(event, sessions);
    if (event.req.headers.get("origin") !== publicUrl) {
      const message = `The provider leads back to ${publicUrl} only; open the console there to sign in with it.`;
      throw new CairnError("BAD_REQUEST", message);
    }
    const returnTo = await readMember(event.req, "return_to");
    const { url, name, kept } = await login.begin(typeof returnTo === "string" ? returnTo : HOME);
    // `Strict` would not come back with the reader, whom the provider's site leads here.
    const cookie = sessions.toStepCookie(ATTEMPT + name, { text: kept, seconds: ATTEMPT_SECONDS, site: "Lax" });
    return withCookies(Response.json({ url }, { headers: LEADING }), [...dropAttempts(event, sessions), cookie]);
  });
  route("GET", "/console/login/callback", ANYONE, async (event, _caller, client) => {
    const answer = event.url.searchParams;
    const name = login.nameOf(answer);
    const kept = sessions.findSteps(event.req.headers.get("cookie"), ATTEMPT).get(name);
    const outcome = await login.finish(answer, kept, client);
    // Whatever came of it, the attempt is used up: no answer counts twice.
    const used = kept === undefined ? [] : [dropStep(sessions, ATTEMPT + name)];
    if (!("session" in outcome)) {
      const query = new URLSearchParams({ problem: outcome.problem, return_to: outcome.returnTo });
      return withCookies(lead(`/console/login?${query}`), used);
    }
    // A new session each time: nobody can have one ready for a reader (session fixation).
    return withCookies(lead(outcome.returnTo), [...used, sessions.toCookie(toSender(event), outcome.session)]);
  });
  route("GET", LEAVE_PATH, ANYONE, async (event) => {
    const text = sessions.findSteps(event.req.headers.get("cookie"), LEAVING).get("");
    // Only who has just signed out has the cookie; others are not led to the provider, which would sign them out there.
    if (text === undefined) return lead(HOME);
    const idToken = COOKIE_TOKEN.test(text) && text !== NO_TOKEN ? text : undefined;
    return withCookies(lead((await login.leave(idToken)) ?? HOME), [dropStep(sessions, LEAVING)]);
  });
}

/**
 * Ends the session of a request, if it has one. Gives the path at which the browser signs out at the provider as well, and the
 * cookies for that; the page never has the ID token.
 */
export async function endSession(
  { req }: H3Event,
  { login, consoleSessions: sessions }: Pick<LoginRouteOptions, "login" | "consoleSessions">,
): Promise<{ readonly leave?: string; readonly cookies: readonly string[] }> {
  const [, session = ""] = /^bearer +(\S+)$/i.exec(req.headers.get("authorization") ?? "") ?? [];
  if (!isLoginSession(session)) return { cookies: [] };
  const idToken = await login.end(session);
  if ((await login.leave(undefined)) === undefined) return { cookies: [] };
  const text = idToken !== undefined && idToken.length <= COOKIE_TOKEN_LIMIT ? idToken : NO_TOKEN;
  return {
    leave: LEAVE_PATH,
    cookies: [sessions.toStepCookie(LEAVING, { text, seconds: LEAVING_SECONDS, site: "Strict" })],
  };
}

/** Adds cookies to a response. */
export function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

/** Cookies that remove the oldest attempts, so that one more has a place. */
function dropAttempts({ req }: H3Event, sessions: ConsoleSessions): readonly string[] {
  const kept = sessions.findSteps(req.headers.get("cookie"), ATTEMPT);
  // The text begins with the time, in as many characters until the year 2059.
  return [...kept]
    .sort(([, one], [, other]) => (one < other ? 1 : -1))
    .slice(ATTEMPTS - 1)
    .map(([name]) => dropStep(sessions, ATTEMPT + name));
}

function dropStep(sessions: ConsoleSessions, name: string): string {
  return sessions.toStepCookie(name, { text: "", seconds: 0, site: "Lax" });
}

function lead(location: string): Response {
  return new Response(null, { status: 303, headers: { ...LEADING, location } });
}

function toSender({ req }: H3Event) {
  return { method: req.method, header: (name: string) => req.headers.get(name) ?? undefined };
}
