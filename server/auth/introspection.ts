import { hash } from "node:crypto";
import type { JWTPayload } from "jose";
import { LRUCache } from "lru-cache";
import { CairnError } from "../errors.ts";
import { type AskIssuer, createUnreachable } from "./ask-issuer.ts";
import type { ClaimRules } from "./claims.ts";
import { toVerified } from "./jwt.ts";
import { CLOCK_SKEW, createInvalidToken, type Verify } from "./verified.ts";

/** Milliseconds: how long a token goes on after its issuer revoked it. */
const TTL = 10_000;
/** Milliseconds for which a token that was not active is not asked about again: it cannot become so. */
const REFUSED_TTL = 60_000;
/** Tokens remembered as refused. */
const REFUSED_LIMIT = 10_000;
/** Questions under way at once: whoever makes up tokens must not turn this service against its issuer. */
const QUESTIONS_LIMIT = 64;

export interface IntrospectionOptions {
  readonly url: string;
  readonly clientId: string;
  /** Read for each question, so that a new secret needs no restart. */
  readonly loadSecret: () => Promise<string>;
  readonly issuer: string;
  /** Base URL of this service, as its resource identifier. */
  readonly origin: string;
  readonly rules: ClaimRules;
  readonly ask: AskIssuer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly uptime: () => number;
}

/** Checks tokens that only their issuer can read, by asking it (RFC 7662). */
export function createIntrospection(options: IntrospectionOptions): Verify {
  const { url, clientId, loadSecret, issuer, origin, rules, ask, now, uptime } = options;
  const refused = new LRUCache<string, { readonly until: number }>({ max: REFUSED_LIMIT });
  let questions = 0;

  return async (token) => {
    const name = hash("sha256", token);
    if ((refused.get(name)?.until ?? 0) > uptime()) throw createInactive();
    if (questions >= QUESTIONS_LIMIT) {
      throw new CairnError("UNAVAILABLE", "Too many tokens are being asked about at this moment; try again.");
    }
    questions += 1;
    const answer = await introspect(token).finally(() => (questions -= 1));
    if (answer["active"] !== true) {
      refused.set(name, { until: uptime() + REFUSED_TTL });
      throw createInactive();
    }
    const claims = readClaims(answer, issuer, now());
    return toVerified(claims, { origin, rules, now: now() }, TTL);
  };

  async function introspect(token: string): Promise<Readonly<Record<string, unknown>>> {
    const credentials = [clientId, await loadSecret()].map(encodeForm).join(":");
    const answer = await ask(url, {
      headers: {
        authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({ token, token_type_hint: "access_token" }).toString(),
    });
    if (answer === undefined) throw createUnreachable();
    return answer;
  }
}

/** An issuer that says `active` has looked at these already; one that is careless about it is not followed. */
function readClaims(answer: Readonly<Record<string, unknown>>, issuer: string, now: number): JWTPayload {
  const { iss, exp, nbf, token_type: type } = answer;
  if (iss !== undefined && iss !== issuer) throw createInvalidToken("The token is of another issuer.");
  if (type !== undefined && !/^(?:bearer|access_token)$/i.test(String(type))) {
    throw createInvalidToken("The token is no Bearer token.");
  }
  if (!isTime(exp) || !isTime(nbf)) throw createInvalidToken("The token's times cannot be understood.");
  if (exp !== undefined && exp * 1000 + CLOCK_SKEW <= now) throw createInvalidToken("The token has expired.");
  if (nbf !== undefined && nbf * 1000 - CLOCK_SKEW > now) throw createInvalidToken("The token is not valid yet.");
  return answer;
}

function isTime(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === "number" && Number.isFinite(value));
}

function createInactive(): CairnError {
  return createInvalidToken("The token is not active: it has expired, was revoked, or never was one.");
}

/** RFC 6749 §2.3.1: both parts are form-encoded before they are joined. */
function encodeForm(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}
