import { CairnError } from "../../errors.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { coalesce } from "./coalesce.ts";
import type { RefreshResult, RegistryLimits, RegistryStatus } from "./registry-types.ts";

/** Decides when the upstream is looked at, and remembers how that went. */
export interface Syncer {
  run(): Promise<RefreshResult>;
  trigger(): void;
  /** Looks upstream for someone who asked for what is not there; resolves to false when that was done just before or takes too long. */
  lookAgain(): Promise<boolean>;
  readonly state: Pick<RegistryStatus, "lastSuccess" | "lastFailure" | "failingSince" | "syncs">;
  close(): Promise<void>;
}

/** Looking whether something has piled up takes as long as the rest of a run. */
const TIDY_EVERY_MS = 60_000;

export function createSyncer(options: {
  /** Rejects when the upstream cannot be read. */
  readonly work: () => Promise<RefreshResult>;
  /** Housekeeping between runs. */
  readonly tidy: () => Promise<void>;
  readonly onFailed: (message: string) => void;
  readonly onRecovered: () => void;
  readonly onError: (error: unknown) => void;
  readonly now: () => number;
  readonly limits: RegistryLimits;
}): Syncer {
  const { work, onFailed, onRecovered, onError, now, limits } = options;
  let state: Syncer["state"] = { syncs: { succeeded: 0, failed: 0 } };
  let tidying: Promise<void> = Promise.resolve();
  let tidiedAt = -Infinity;
  let closing = false;

  const coalesced = coalesce<RefreshResult>(
    async () => {
      await tidying;
      const at = new Date(now()).toISOString();
      try {
        const result = await work();
        const recovered = state.failingSince !== undefined;
        const { lastFailure, syncs } = state;
        state = {
          syncs: { ...syncs, succeeded: syncs.succeeded + 1 },
          lastSuccess: at,
          ...(lastFailure && { lastFailure }),
        };
        if (recovered) onRecovered();
        // The result does not wait for this.
        if (result.changed && Math.abs(now() - tidiedAt) >= TIDY_EVERY_MS) {
          tidiedAt = now();
          tidying = options.tidy().catch((error: unknown) => {
            // A repository that is closed meanwhile, as by a start that is stopped, is tidied another time.
            const isClosed = error instanceof CairnError && error.name === "UNAVAILABLE";
            if (!closing && !isClosed) onError(error);
          });
        }
        return result;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (closing) return { ok: false, added: [], failed: new Map(), changed: false, message };
        const { failingSince = at, syncs } = state;
        const first = state.failingSince === undefined;
        state = {
          ...state,
          syncs: { ...syncs, failed: syncs.failed + 1 },
          lastFailure: { at, message },
          failingSince,
        };
        if (first) onFailed(message);
        return { ok: false, added: [], failed: new Map(), changed: false, message };
      }
    },
    { debounceMs: limits.debounceMs, onError },
  );

  return Object.freeze({
    run: coalesced.run,
    trigger: coalesced.trigger,
    lookAgain: createLookAgain(coalesced.run, now, limits),
    get state() {
      return state;
    },
    close: async () => {
      closing = true;
      await coalesced.close();
      await tidying;
    },
  });
}

/** Looks upstream for someone who asked for what is not there, at most once per `lookAgainMs` and for `lookAgainWaitMs`. */
function createLookAgain(
  run: () => Promise<RefreshResult>,
  now: () => number,
  limits: RegistryLimits,
): Syncer["lookAgain"] {
  let lastLook = -Infinity;
  let looking: Promise<boolean> | undefined;

  async function look(): Promise<boolean> {
    const waited = new AbortController();
    const tooLong = sleep(limits.lookAgainWaitMs, false, { signal: waited.signal }).catch(() => false);
    const looked = run().then(
      ({ ok }) => ok,
      () => false,
    );
    const result = await Promise.race([looked, tooLong]);
    waited.abort();
    return result;
  }

  return async () => {
    if (looking !== undefined) return looking;
    if (now() - lastLook < limits.lookAgainMs) return false;
    lastLook = now();
    looking = look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
}
