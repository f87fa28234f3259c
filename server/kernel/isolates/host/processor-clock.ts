/** The processor time that work in one isolate takes, as far as it is known. */
export interface Meter {
  /** Milliseconds of processor time that the present work may take; undefined: nothing runs. */
  limit: number | undefined;
  /** Milliseconds that the present work has taken so far, and how often the clock has looked at it. */
  used: number;
  looks: number;
  /** True if `used` is an estimate: work in other isolates ran at the same time. */
  estimated: boolean;
  /** True if anything has run since the clock last looked. */
  ran: boolean;
  /** Value of `total` at that moment. */
  counted: number;
  /** Milliseconds of processor time that the isolate has taken since it began; exact while nothing runs. */
  readonly total: () => number;
}

export interface ProcessorClock {
  /** Forgets the time since the last look: nothing ran in it. */
  reset(): void;
  /** Adds to each meter what its work has taken since the last look. */
  look(meters: Iterable<Meter>): void;
}

export interface ProcessorClockOptions {
  /** Milliseconds of processor time that all threads with isolates have taken together. */
  readonly read: () => number;
  /** Milliseconds by the clock. */
  readonly now: () => number;
}

export function createMeter(total: () => number): Meter {
  return { limit: undefined, used: 0, looks: 0, estimated: false, ran: false, counted: 0, total };
}

/** Begins to measure a piece of work. */
export function startMeter(meter: Meter, limit: number): void {
  meter.limit = limit;
  meter.used = 0;
  meter.looks = 0;
  meter.estimated = false;
}

export function stopMeter(meter: Meter): void {
  meter.limit = undefined;
  meter.ran = true;
}

/**
 * Measures running isolates, whose own processor time cannot be read before they pause: from what the process has taken, and
 * those that paused since the last look. Several that run at once are counted an equal share, as the kernel gives them;
 * never more than the time that passed, and nothing for the look in which they began. A process that is kept from the
 * processor, however long, counts nothing.
 */
export function createProcessorClock({ read, now }: ProcessorClockOptions): ProcessorClock {
  let taken = read();
  let at = now();

  return {
    reset() {
      taken = read();
      at = now();
    },
    look(meters) {
      let left = -taken + (taken = read());
      const passed = -at + (at = now());
      const running: Meter[] = [];
      for (const meter of meters) {
        if (meter.limit !== undefined) {
          if (meter.looks > 0) running.push(meter);
          meter.looks += 1;
        } else if (meter.ran) {
          const total = meter.total();
          left -= total - meter.counted;
          meter.counted = total;
          meter.ran = false;
        }
      }
      const share = Math.min(passed, Math.max(0, left) / running.length);
      for (const meter of running) {
        meter.used += share;
        meter.estimated ||= running.length > 1;
      }
    },
  };
}
