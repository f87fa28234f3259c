import { hash } from "node:crypto";
import type { JWTPayload } from "jose";
import { LRUCache } from "lru-cache";
import { CairnError } from "../errors.ts";
import { toNetwork } from "../config/public-address.ts";
import { type AskIssuer, createUnreachable } from "./ask-issuer.ts";
import { toBasic } from "./basic.ts";
import type { ClaimRules } from "./claims.ts";
import { toVerified } from "./jwt.ts";
import { CLOCK_SKEW, createInvalidToken, type Verify } from "./verified.ts";

/** Milliseconds: how long a token goes on after its issuer revoked it. */
const TTL = 10_000;
/** Milliseconds for which a token that was not active is not asked about again: it cannot become so. */
const REFUSED_TTL = 60_000;
/** Tokens remembered as refused. */
const REFUSED_LIMIT = 10_000;
/** Questions at once about tokens that were not active when last asked about: made-up tokens must not turn this service against its issuer. */
const NEW_LIMIT = 64;
/** Those of them that one network may cause: one caller must not keep all others from being asked about. */
const NETWORK_LIMIT = 16;
/** Questions at once about tokens that were active when last asked about. Made-up tokens never are, so they cannot take these places. */
const ACTIVE_LIMIT = 256;
/** Tokens remembered as active. */
const ACTIVE_TOKENS = 10_000;

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
  const active = new LRUCache<string, true>({ max: ACTIVE_TOKENS });
  const running = new Map<string, number>();

  return async (token, address = "") => {
    const name = hash("sha256", token);
    if ((refused.get(name)?.until ?? 0) > uptime()) throw createInactive();
    const release = active.has(name)
      ? take([["active", ACTIVE_LIMIT]])
      : take([
          ["new", NEW_LIMIT],
          [`from ${toNetwork(address)}`, NETWORK_LIMIT],
        ]);
    const answer = await introspect(token).finally(release);
    if (answer["active"] !== true) {
      active.delete(name);
      refused.set(name, { until: uptime() + REFUSED_TTL });
      throw createInactive();
    }
    active.set(name, true);
    const claims = readClaims(answer, issuer, now());
    return toVerified(claims, { origin, rules, now: now() }, TTL);
  };

  /** Counts a question in each of `pools`, or in none of them where one is full. */
  function take(pools: readonly (readonly [name: string, limit: number])[]): () => void {
    if (pools.some(([pool, limit]) => (running.get(pool) ?? 0) >= limit)) {
      throw new CairnError("UNAVAILABLE", "Too many tokens are being asked about at this moment; try again.");
    }
    for (const [pool] of pools) running.set(pool, (running.get(pool) ?? 0) + 1);
    return () => {
      for (const [pool] of pools) {
        const left = (running.get(pool) ?? 0) - 1;
        if (left > 0) running.set(pool, left);
        else running.delete(pool);
      }
    };
  }

  async function introspect(token: string): Promise<Readonly<Record<string, unknown>>> {
    const answer = await ask(url, {
      headers: {
        authorization: toBasic(clientId, await loadSecret()),
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
