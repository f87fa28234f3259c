import { array, assert, integer, property, record } from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createMeter,
  createProcessorClock,
  type Meter,
  startMeter,
  stopMeter,
} from "../../../../../server/kernel/isolates/host/processor-clock.ts";

/** A process whose isolates take of the processor what the test says. */
function createPlayed() {
  const totals = new Map<Meter, number>();
  let all = 1_000;
  let time = 5_000;
  const clock = createProcessorClock({ read: () => all, now: () => time });
  const meters: Meter[] = [];
  return {
    add(): Meter {
      const meter: Meter = createMeter(() => totals.get(meter) ?? 0);
      meters.push(meter);
      return meter;
    },
    /** Lets time pass, in which meters' isolates take so much, and looks. */
    pass(milliseconds: number, ...taken: readonly (readonly [Meter, number])[]): void {
      time += milliseconds;
      for (const [meter, used] of taken) {
        all += used;
        totals.set(meter, (totals.get(meter) ?? 0) + used);
      }
      clock.look(meters);
    },
  };
}

describe("the processor clock", () => {
  test("counts what one isolate takes, and not how long it takes for that", () => {
    const { add, pass } = createPlayed();
    const meter = add();
    startMeter(meter, 100);
    pass(25, [meter, 25]);
    pass(25, [meter, 25]);
    pass(60_000, [meter, 3]);
    expect([meter.used, meter.estimated]).toEqual([28, false]);
  });

  test("counts nothing while the process is stopped", () => {
    const { add, pass } = createPlayed();
    const meter = add();
    startMeter(meter, 100);
    for (let look = 0; look < 100; look += 1) pass(1_000);
    expect(meter.used).toBe(0);
  });

  test("counts those that run at once an equal share, and says that it is an estimate", () => {
    const { add, pass } = createPlayed();
    const [one, other] = [add(), add()];
    for (const meter of [one, other]) startMeter(meter, 100);
    pass(25, [one, 5], [other, 5]);
    pass(40, [one, 12], [other, 8]);
    expect([one.used, other.used, one.estimated]).toEqual([10, 10, true]);
  });

  test("counts no isolate what others took that paused since the last look", () => {
    const { add, pass } = createPlayed();
    const [long, short] = [add(), add()];
    startMeter(long, 100);
    pass(25, [long, 25]);
    startMeter(short, 100);
    stopMeter(short);
    pass(25, [long, 15], [short, 10]);
    expect([long.used, long.estimated]).toEqual([15, false]);
  });

  test("never counts more than the time that passed, whatever other threads do", () => {
    const { add, pass } = createPlayed();
    const meter = add();
    startMeter(meter, 100);
    pass(25, [meter, 25]);
    pass(25, [meter, 90]);
    expect(meter.used).toBe(25);
  });

  test("begins anew with each piece of work", () => {
    const { add, pass } = createPlayed();
    const meter = add();
    startMeter(meter, 100);
    pass(25, [meter, 25]);
    pass(25, [meter, 25]);
    stopMeter(meter);
    startMeter(meter, 50);
    expect(meter).toMatchObject({ used: 0, looks: 0, limit: 50 });
  });

  test("counts no more than what was taken, for an isolate that runs alone", () => {
    const looks = array(record({ passed: integer({ min: 1, max: 5_000 }), percent: integer({ min: 0, max: 100 }) }));
    const law = property(looks, (steps) => {
      const { add, pass } = createPlayed();
      const meter = add();
      startMeter(meter, 1_000);
      let taken = 0;
      for (const { passed, percent } of steps) {
        taken += (passed * percent) / 100;
        pass(passed, [meter, (passed * percent) / 100]);
      }
      expect(meter.used).toBeLessThanOrEqual(taken + 1e-6);
    });
    assert(law);
  });
});
