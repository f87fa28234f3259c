import { LRUCache } from "lru-cache";
import { ResponseBodyError } from "oauth4webapi";
import { CairnError } from "../../errors.ts";
import { createInvalidToken, type Verified, type Verify } from "../verified.ts";
import type { Provider } from "./provider.ts";
import type { LoginSession, LoginSessions } from "./sessions.ts";

export interface VerifySessionOptions {
  readonly sessions: LoginSessions;
  readonly provider: Pick<Provider, "refresh">;
  /** Checks access tokens: a session has the rights of its own, and no others. */
  readonly verify: Verify;
  readonly warn: (reason: string) => void;
  readonly now: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly uptime: () => number;
  /** Waits some milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** Milliseconds after which a session that was ended, in whichever process, is refused at the latest. */
const ENDING_DELAY = 1_000;
/** Milliseconds for which one process has the refreshing of a session to itself: longer than the provider may take. */
const CLAIM = 15_000;
/** Milliseconds between looks whether another process has refreshed, and how many there are. */
const WAIT = 250;
const LOOKS = 40;
/** Access tokens whose check is remembered. */
const KNOWN_LIMIT = 10_000;

/**
 * Checks sessions by their access tokens, which are refreshed before they end. One request at a time does that, in whichever
 * process: providers that rotate refresh tokens take the second use of one for theft and end the session (RFC 9700, section 4.14).
 */
export function createVerifySession(options: VerifySessionOptions): Verify {
  const { sessions, provider, verify, warn, now, uptime, wait } = options;
  const known = new LRUCache<string, { readonly verified: Verified; readonly until: number }>({ max: KNOWN_LIMIT });

  return async (id, address) => {
    const { tokens, record } = await findFresh(id);
    const verified = await check(tokens.accessToken, address);
    const left = Math.min(tokens.expiresAt, record.expiresAt) - now();
    return { ...verified, ttl: Math.min(verified.ttl, ENDING_DELAY, left) };
  };

  /** Finds the session with an access token that is still valid. */
  async function findFresh(id: string): Promise<LoginSession> {
    for (let look = 0; look < LOOKS; look++) {
      const session = await sessions.find(id);
      if (session === undefined) throw createOver();
      const { tokens, record } = session;
      const moment = now();
      if (moment < tokens.refreshAt) return session;
      const isValid = moment < tokens.expiresAt;
      if (tokens.refreshToken === undefined) {
        if (isValid) return session;
        throw createOver();
      }
      const isTaken = (record.refreshingUntil ?? 0) > moment;
      if (isTaken && isValid) return session;
      if (isTaken) await wait(WAIT);
      else if (await sessions.claim(session, moment + CLAIM)) {
        // While the access token is valid, nobody waits for the next one.
        if (isValid) void refresh(id, session).catch((error: unknown) => warn(`a refresh failed: ${String(error)}`));
        else await refresh(id, session, true);
        if (isValid) return session;
      }
    }
    throw new CairnError("UNAVAILABLE", "The session is being refreshed; try again.");
  }

  /** Refreshes the tokens of a session, whose refreshing was claimed. What the provider refuses is over. */
  async function refresh(id: string, { tokens }: LoginSession, isWaitedFor = false): Promise<void> {
    try {
      await sessions.replace(id, await provider.refresh(tokens));
    } catch (error) {
      if (error instanceof ResponseBodyError && error.error === "invalid_grant") {
        await sessions.remove(id);
        throw createOver();
      }
      // Else the claim stays, and with it the pause until the next try.
      if (isWaitedFor) await sessions.release(id);
      throw error instanceof CairnError ? error : createUnusable(error);
    }
  }

  /** Checks an access token, again only when its time is up: other than the session, it does not end before. */
  async function check(accessToken: string, address: string | undefined): Promise<Verified> {
    const found = known.get(accessToken);
    if (found !== undefined && uptime() < found.until) return found.verified;
    const start = uptime();
    const verified = await verify(accessToken, address);
    known.set(accessToken, { verified, until: start + verified.ttl });
    return verified;
  }
}

function createOver(): CairnError {
  return createInvalidToken("The session is over; sign in again.");
}

/** UNAVAILABLE because of an answer of the provider that cannot be used; the cause is for the log. */
function createUnusable(cause: unknown): CairnError {
  return new CairnError("UNAVAILABLE", "The provider has not refreshed the session; try again.", { cause });
}
