import { CairnError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Principal } from "../principal.ts";
import type { Store } from "../store/store.ts";
import type { AddressWatch } from "./address-watch.ts";
import { createSessionEvents, type SessionEvents } from "./event-store.ts";
import { createSession, type Session } from "./session.ts";

/** Sessions at once, and milliseconds after which one that nobody uses is closed. */
const SESSION_LIMIT = 10_000;
const IDLE_LIMIT_MS = 30 * 60 * 1000;
const SWEEP_MS = 60 * 1000;

/** The sessions of older clients that this process keeps; they end with it, and clients then begin new ones. */
export interface Sessions {
  open(address: string, principal: Principal, watch?: AddressWatch): Session;
  /** SESSION_NOT_FOUND as well for what is another's or at another address, so that ids cannot be probed. */
  find(
    id: string,
    address: string,
    principal: Principal,
  ): { readonly session: Session; readonly events: SessionEvents };
  /** How many are open. */
  count(): number;
  close(): Promise<void>;
}

interface Kept {
  readonly session: Session;
  readonly events: SessionEvents;
  readonly address: string;
  readonly principal: Principal;
  usedAt: number;
}

export interface SessionsOptions {
  readonly store: Store;
  readonly createId: () => string;
  readonly now: () => number;
  readonly log: Log;
}

export function createSessions({ store, createId, now, log }: SessionsOptions): Sessions {
  const kept = new Map<string, Kept>();
  const sweep = setInterval(() => {
    for (const { session, usedAt } of kept.values()) {
      if (session.isIdle() && now() - usedAt > IDLE_LIMIT_MS) void session.close();
    }
  }, SWEEP_MS).unref();

  return {
    open(address, principal, watch) {
      if (kept.size >= SESSION_LIMIT) {
        throw new CairnError(
          "UNAVAILABLE",
          `There are ${SESSION_LIMIT} sessions already; end one, or try again later.`,
        );
      }
      const id = createId();
      const events = createSessionEvents(store, principal.tenant, id);
      const session = createSession({
        id,
        principal,
        events,
        createId,
        log,
        onClosed: () => void kept.delete(id),
        ...(watch === undefined ? {} : { watch }),
      });
      kept.set(id, { session, events, address, principal, usedAt: now() });
      return session;
    },
    find(id, address, principal) {
      const found = kept.get(id);
      const isOwn =
        found?.address === address &&
        found.principal.tenant === principal.tenant &&
        found.principal.actor === principal.actor;
      if (found === undefined || !isOwn) {
        throw new CairnError("SESSION_NOT_FOUND", "There is no such session; begin a new one with `initialize`.");
      }
      found.usedAt = now();
      return found;
    },
    count: () => kept.size,
    async close() {
      clearInterval(sweep);
      await Promise.all([...kept.values()].map(({ session }) => session.close()));
    },
  };
}
