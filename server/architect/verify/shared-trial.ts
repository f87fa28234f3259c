import type { Trial } from "../../contracts/open-trial.ts";
import { CairnError } from "../../errors.ts";

/** A trial that is opened when it is first wanted, and kept: starting one takes longer than most of what is tried. */
export interface SharedTrial {
  use<T>(work: (trial: Trial) => Promise<T>): Promise<T>;
  /** Waits for what uses it. */
  close(): Promise<void>;
}

interface Slot {
  readonly opened: Promise<Trial>;
  readonly users: Set<Promise<unknown>>;
  uses: number;
}

/** Uses after which another trial takes the place of one, whose store grows with each call. */
const MAX_USES = 100;

export function createSharedTrial(open: () => Promise<Trial>): SharedTrial {
  let slot: Slot | undefined;
  let closed = false;
  const retired = new Set<Promise<void>>();

  return Object.freeze<SharedTrial>({
    async use(work) {
      if (closed) throw new CairnError("UNAVAILABLE", "The service is closing what it tries changes with.");
      const own = (slot ??= openSlot());
      own.uses += 1;
      const used = own.opened.then(work);
      own.users.add(used);
      if (own.uses >= MAX_USES) retire(own);
      return used.finally(() => own.users.delete(used));
    },
    async close() {
      closed = true;
      if (slot !== undefined) retire(slot);
      await Promise.all(retired);
    },
  });

  function openSlot(): Slot {
    const own: Slot = { opened: open(), users: new Set(), uses: 0 };
    // What could not be opened is opened anew the next time.
    own.opened.catch(() => {
      if (slot === own) slot = undefined;
    });
    return own;
  }

  function retire(own: Slot): void {
    if (slot === own) slot = undefined;
    const done = Promise.allSettled(own.users)
      .then(() => own.opened)
      .then(
        (trial) => trial.close(),
        () => undefined,
      )
      .finally(() => retired.delete(done));
    retired.add(done);
  }
}
