import { describe, expect, onTestFinished, test } from "vitest";
import { CairnError } from "../../../server/errors.ts";
import { keepLease } from "../../../server/worker/keep-lease.ts";
import { createFakeTime } from "../../helpers/fake-time.ts";

const LEASE_MS = 3000;

/** `answer` is what each heartbeat comes to; `beats` are the moments at which they were sent. */
function setUp(answer: (signal: AbortSignal) => Promise<unknown> = async () => undefined) {
  const time = createFakeTime();
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const beats: number[] = [];
  const troubles: unknown[] = [];
  let lost: string | undefined;
  const kept = keepLease({
    beat: (signal) => {
      beats.push(time.clock());
      return answer(signal);
    },
    intervalMs: 1000,
    leaseMs: LEASE_MS,
    claimedAt: 0,
    clock: time.clock,
    sleep: time.sleep,
    signal: over.signal,
    onTrouble: (error) => troubles.push(error),
  }).then((reason) => (lost = reason));
  return { time, over, beats, troubles, kept, lost: () => lost };
}

describe("a lease", () => {
  test("is renewed at every interval until it is over", async () => {
    const { time, over, beats, kept } = setUp();
    await time.advance(4500);
    over.abort();
    expect(await kept).toBeUndefined();
    expect(beats).toEqual([1000, 2000, 3000, 4000]);
  });

  test("is lost at once when a heartbeat is refused, for the reason that the service gives", async () => {
    const { time, beats, lost } = setUp(async () => {
      throw new CairnError("CONFLICT", "Somebody else has it.");
    });
    await time.advance(1000);
    expect([beats, lost()]).toEqual([[1000], "Somebody else has it."]);
  });

  test("outlives heartbeats that do not get through, for as long as it lasts", async () => {
    let failures = 2;
    const { time, over, beats, troubles, kept } = setUp(async () => {
      if (failures-- > 0) throw new CairnError("UNAVAILABLE", "Nobody there.");
    });
    await time.advance(3500);
    over.abort();
    expect(await kept).toBeUndefined();
    expect([beats, troubles.length]).toEqual([[1000, 2000, 3000], 2]);
  });

  test("is lost when none gets through before it ends", async () => {
    const { time, lost } = setUp(async () => {
      throw new CairnError("UNAVAILABLE", "Nobody there.");
    });
    await time.advance(2999);
    expect(lost()).toBeUndefined();
    await time.advance(1);
    expect(lost()).toBe("No heartbeat got through for 3 seconds, so the lease has run out.");
  });

  test("is lost when a heartbeat hangs until it ends", async () => {
    const { time, beats, lost } = setUp(
      (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("late")))),
    );
    await time.advance(2999);
    expect([beats, lost()]).toEqual([[1000], undefined]);
    await time.advance(1);
    expect(lost()).toContain("has run out");
  });

  test("that lies long behind is asked for once more: only the service knows", async () => {
    let at = 0;
    const beats: number[] = [];
    const over = new AbortController();
    // Whoever was suspended finds that the clock has gone on.
    await keepLease({
      beat: async () => {
        beats.push(at);
        over.abort();
      },
      intervalMs: 1000,
      leaseMs: LEASE_MS,
      claimedAt: 0,
      clock: () => at,
      sleep: async () => void (at = 10 * LEASE_MS),
      signal: over.signal,
      onTrouble: () => undefined,
    });
    expect(beats).toEqual([10 * LEASE_MS]);
  });
});
