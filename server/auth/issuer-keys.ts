import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { createUnreachable } from "./ask-issuer.ts";

/** Milliseconds after which keys are fetched anew before one is used: so long a withdrawn key stays good. */
const MAX_AGE = 10 * 60_000;
/** Milliseconds for which keys go on when their issuer cannot be reached: who holds it off must not keep an old key alive. */
const MAX_STALE = 24 * 3_600_000;
/** Milliseconds between fetches that tokens cause: whoever makes up key ids must not make us hammer the issuer. */
const COOLDOWN = 10_000;

export interface IssuerKeysOptions {
  /** Rejects with UNAVAILABLE. */
  readonly load: () => Promise<unknown>;
  /** Milliseconds of a clock that never goes back. */
  readonly uptime: () => number;
}

/** The issuer's keys for checking signatures. A key id that nobody has seen yet causes a look whether there are new keys. */
export function createIssuerKeys({ load, uptime }: IssuerKeysOptions): JWTVerifyGetKey {
  let keys: ReturnType<typeof createLocalJWKSet> | undefined;
  let loadedAt = -Infinity;
  let triedAt = -Infinity;
  let pending: Promise<void> | undefined;

  return async (header, token) => {
    const age = uptime() - loadedAt;
    if (keys === undefined || age > MAX_STALE) await reload();
    // Those at hand are better than none.
    else if (age > MAX_AGE) await reload().catch(() => undefined);
    try {
      return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const wasFresh = triedAt === loadedAt && uptime() - triedAt < COOLDOWN;
      if (wasFresh && pending === undefined) throw error;
      await reload();
      return find(header, token);
    }
  };

  function find(...[header, token]: Parameters<JWTVerifyGetKey>) {
    if (keys === undefined) throw createUnreachable();
    return keys(header, token);
  }

  /** All who ask share one fetch; after one that failed, the next may come when the cooldown is over. */
  function reload(): Promise<void> {
    if (pending !== undefined) return pending;
    const start = uptime();
    if (triedAt !== loadedAt && start - triedAt < COOLDOWN) return Promise.reject(createUnreachable());
    triedAt = start;
    pending = load()
      .then((loaded) => {
        keys = createLocalJWKSet(loaded as JSONWebKeySet);
        loadedAt = start;
      })
      .catch((error: unknown) => {
        throw error instanceof errors.JWKSInvalid ? createUnreachable() : error;
      })
      .finally(() => (pending = undefined));
    return pending;
  }
}
