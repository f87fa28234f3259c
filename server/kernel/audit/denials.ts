import type { Caller } from "../../auth/caller.ts";
import { CairnError } from "../../errors.ts";
import { SERVICE_TENANT } from "../../principal.ts";
import { type DenialEvent, type DenialReason, DENIALS } from "./audit-event.ts";

/** The one who was turned away, as far as that was known by then. */
export interface Denied {
  readonly tenant?: string | undefined;
  readonly actor?: string | undefined;
  readonly address?: string | undefined;
}

/** Milliseconds over which denials are counted together before they are written. */
export const WINDOW_MS = 5_000;
/**
 * Records of one window in which reason, actor and address are told apart. A flood of denials from ever other addresses
 * must not fill the log: those beyond are counted by tenant and reason only.
 */
export const TOLD_APART = 256;
/** Such records of one hour: a flood that goes on for days must not fill the log either. */
export const TOLD_APART_AN_HOUR = 4_096;
const HOUR_MS = 3_600_000;
/** Characters kept of an actor or an address, which callers choose. */
const MAX_TEXT = 200;

/** Denials of one kind and one window, as they are written. */
export type Counted = Omit<DenialEvent, "schemaVersion" | "id" | "salt">;

/** Counts denials, and gives what it has counted to `write` once a window. */
export function createDenials(options: {
  readonly now: () => number;
  readonly write: (counted: readonly Counted[]) => Promise<void>;
}) {
  let counts = new Map<string, { event: Counted; until: number; count: number }>();
  let timer: NodeJS.Timeout | undefined;
  let hour = { since: Number.NEGATIVE_INFINITY, apart: 0 };

  return Object.freeze({
    /** Takes note of `error` if it kept someone from something. */
    add(error: unknown, { tenant = SERVICE_TENANT, actor, address }: Denied): void {
      const reason = findReason(error);
      if (reason === undefined) return;
      const who = { ...toText("actor", actor), ...toText("address", address) };
      const known = JSON.stringify([tenant, reason, who.actor, who.address]);
      const at = options.now();
      if (at - hour.since >= HOUR_MS) hour = { since: at, apart: 0 };
      const isNew = !counts.has(known);
      const isApart = !isNew || (counts.size < TOLD_APART && hour.apart < TOLD_APART_AN_HOUR);
      if (isNew && isApart) hour.apart += 1;
      const key = isApart ? known : JSON.stringify([tenant, reason]);
      const event = { kind: "denial", tenant, reason, at, until: at, count: 1, ...(isApart ? who : {}) } as const;
      const counted = counts.get(key) ?? { event, until: at, count: 0 };
      counted.until = at;
      counted.count += 1;
      counts.set(key, counted);
      timer ??= setTimeout(() => void flush(), WINDOW_MS).unref();
    },
    flush,
  });

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const counted = [...counts.values()].map(({ event, until, count }) => ({ ...event, until, count }));
    counts = new Map();
    if (counted.length > 0) await options.write(counted);
  }
}

function findReason(error: unknown): DenialReason | undefined {
  return error instanceof CairnError ? DENIALS.find((reason) => reason === error.name) : undefined;
}

function toText<Name extends string>(name: Name, text: string | undefined): { readonly [_ in Name]?: string } {
  return text === undefined ? {} : ({ [name]: text.slice(0, MAX_TEXT).toWellFormed() } as { [_ in Name]: string });
}

/** Returns the owner of a refused request, as far as known. */
export function toOwner(caller: Caller | undefined): Pick<Denied, "tenant" | "actor"> {
  return caller === undefined ? {} : { tenant: caller.tenant, actor: caller.actor };
}
