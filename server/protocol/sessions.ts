import { CairnError } from "../errors.ts";
import type { Log } from "../log/log.ts";
import type { Principal } from "../principal.ts";
import type { Store } from "../store/store.ts";
import type { AddressWatch } from "./address-watch.ts";
import { createSessionEvents, type SessionEvents } from "./event-store.ts";
import type { Session } from "./session.ts";

/** Sessions at once, and milliseconds after which one that nobody uses is closed. */
const SESSION_LIMIT = 10_000;
/** Sessions of one tenant, so that no one tenant keeps all others from beginning any. */
const TENANT_LIMIT = 5_000;
const IDLE_LIMIT_MS = 30 * 60 * 1000;
const SWEEP_MS = 60 * 1000;

/** The sessions of older clients that this process keeps; they end with it, and clients then begin new ones. */
export interface Sessions {
  open(address: string, owner: Owner, watch?: AddressWatch): Promise<Session>;
  /** SESSION_NOT_FOUND as well for what is another's or at another address, so that ids cannot be probed. */
  find(id: string, address: string, owner: Owner): { readonly session: Session; readonly events: SessionEvents };
  /** Returns the number of open ones. */
  count(): number;
  close(): Promise<void>;
}

/** Whose a session is. What its requests may do is asked anew for each. */
type Owner = Pick<Principal, "tenant" | "actor">;

interface Kept {
  readonly session: Session;
  readonly events: SessionEvents;
  readonly address: string;
  readonly owner: Owner;
  usedAt: number;
}

export interface SessionsOptions {
  readonly store: Store;
  /** Sessions at once; absent: as many as one process keeps. */
  readonly limit?: number;
  readonly createId: () => string;
  readonly now: () => number;
  readonly log: Log;
  /** Reports that a caller asked for another's session, and was answered that there is none. */
  readonly onForeign: (seeker: Owner) => void;
}

export function createSessions(options: SessionsOptions): Sessions {
  const { store, limit = SESSION_LIMIT, createId, now, log, onForeign } = options;
  const kept = new Map<string, Kept>();
  const ofTenants = new Map<string, number>();
  const sweep = setInterval(() => {
    for (const { session, usedAt } of kept.values()) {
      if (session.isIdle() && now() - usedAt > IDLE_LIMIT_MS) void session.close();
    }
  }, SWEEP_MS).unref();

  return {
    async open(address, owner, watch) {
      // Loaded with the first session: clients of today begin none.
      const { createSession } = await import("./session.ts");
      if (kept.size >= limit) {
        throw new CairnError("UNAVAILABLE", `There are ${limit} sessions already; end one, or try again later.`);
      }
      const own = ofTenants.get(owner.tenant) ?? 0;
      if (own >= TENANT_LIMIT) {
        throw new CairnError("RATE_LIMITED", `Your tenant has ${own} sessions already; end one, or try again later.`);
      }
      const id = createId();
      const events = createSessionEvents(store, owner.tenant, id);
      const session = createSession({
        id,
        events,
        createId,
        log,
        onClosed: () => forget(id),
        ...(watch === undefined ? {} : { watch }),
      });
      kept.set(id, { session, events, address, owner, usedAt: now() });
      ofTenants.set(owner.tenant, own + 1);
      return session;
    },
    find(id, address, owner) {
      const found = kept.get(id);
      const isOwn = found?.owner.tenant === owner.tenant && found.owner.actor === owner.actor;
      if (found !== undefined && !isOwn) onForeign(owner);
      if (found?.address !== address || !isOwn) {
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

  function forget(id: string): void {
    const tenant = kept.get(id)?.owner.tenant;
    if (tenant === undefined) return;
    kept.delete(id);
    const left = (ofTenants.get(tenant) ?? 0) - 1;
    if (left > 0) ofTenants.set(tenant, left);
    else ofTenants.delete(tenant);
  }
}
