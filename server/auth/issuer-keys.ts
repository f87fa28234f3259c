import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { createUnreachable } from "./ask-issuer.ts";

/** Milliseconds after which keys are fetched anew while those at hand go on. */
const REFRESH_AGE = 5 * 60_000;
/** Milliseconds after which keys that nobody asked for meanwhile are waited for: about so long a withdrawn key stays good. */
const MAX_AGE = 10 * 60_000;
/** Milliseconds for which keys go on when their issuer cannot be reached: who holds it off must not keep an old key alive. */
const MAX_STALE = 24 * 3_600_000;
/** Milliseconds between fetches that tokens cause: whoever makes up key ids must not make us hammer the issuer. */
const COOLDOWN = 10_000;
/** Milliseconds that callers whose key is known wait for newer ones: an issuer that hangs must not hold them. */
const PATIENCE = 1_000;

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
  let waiting: Promise<void> | undefined;

  return async (header, token) => {
    const age = uptime() - loadedAt;
    if (keys === undefined || age > MAX_STALE) await reload();
    // Nobody has looked for so long that a key may have been withdrawn unnoticed.
    else if (pending === undefined && uptime() - triedAt > MAX_AGE)
      waiting = reloadSoon().finally(() => (waiting = undefined));
    // Those at hand are better than none.
    else if (age > REFRESH_AGE) void reload().catch(() => undefined);
    await waiting;
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

  /** Resolves when there are newer keys, or when nobody should wait for them any longer. */
  async function reloadSoon(): Promise<void> {
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, PATIENCE);
    await Promise.race([reload().catch(() => undefined), patience.promise]);
    clearTimeout(timer);
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
