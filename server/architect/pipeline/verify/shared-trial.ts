import type { Trial } from "../../../examples/open-trial.ts";
import { CairnError } from "../../../errors.ts";
import { createSerial } from "../../../serial.ts";

/** A trial that is opened when it is first wanted, and kept: starting one takes longer than most of what is tried. */
export interface SharedTrial {
  use<T>(work: (trial: Trial) => Promise<T>): Promise<T>;
  /** A trial in processes of its own that nobody else uses meanwhile, one after the other: for what was too slow beside others. */
  useAlone<T>(work: (trial: Trial) => Promise<T>): Promise<T>;
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
  const alone = createSerial();

  return Object.freeze<SharedTrial>({
    async use(work) {
      if (closed) throw closing();
      const own = (slot ??= openSlot());
      own.uses += 1;
      const used = own.opened.then(work);
      own.users.add(used);
      if (own.uses >= MAX_USES) retire(own);
      return used.finally(() => own.users.delete(used));
    },
    useAlone: (work) =>
      alone(async () => {
        if (closed) throw closing();
        const own = await open();
        return work(own).finally(() => own.close());
      }),
    async close() {
      closed = true;
      if (slot !== undefined) retire(slot);
      await Promise.all([...retired, alone(async () => undefined)]);
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

function closing(): CairnError {
  return new CairnError("UNAVAILABLE", "The service is closing what it tries changes with.");
}
