import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Query } from "../../../../server/store/postgres/connection.ts";
import type { Lane } from "../../../../server/store/postgres/lane.ts";
import { LEASE_MS } from "../../../../server/store/postgres/lease.ts";
import { createStanding } from "../../../../server/store/postgres/standing.ts";
import { startUpkeep } from "../../../../server/store/postgres/upkeep.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Upkeep of a node whose database answers, or is away. */
function startTestUpkeep() {
  const sent: string[] = [];
  const turns: unknown[] = [];
  let isAway = false;
  const query: Query = async ({ name }, values = []) => {
    if (isAway) throw new Error("away");
    sent.push(name);
    if (name === "cairn_insertTurn") turns.push(values[0]);
    return { rows: name === "cairn_findTurns" ? turns.slice(-1).map((id) => ({ id })) : [], command: "", rowCount: 0 };
  };
  const lane: Pick<Lane, "between"> = { between: (work) => work(query) };
  const lease = { renew: async () => true, find: () => expect.fail("nobody connects") };
  const alarms: string[] = [];
  const standing = createStanding((message) => alarms.push(message), { holder: "h", lease, elapsed: () => 0 });
  startUpkeep({ lane, standing, lease, isShared: true, takeWarning: () => undefined, now: () => 0 });
  return {
    alarms,
    setAway: (away: boolean) => (isAway = away),
    purges: () => sent.filter((name) => name === "cairn_purgeTurns").length,
    signs: () => turns.length,
  };
}

test("a node that shares its database signs at each renewal, and looks whether the last sign is there", async () => {
  const { signs, alarms } = startTestUpkeep();
  await vi.advanceTimersByTimeAsync(30_000);
  expect([signs(), alarms]).toEqual([10, []]);
});

test("after an outage nothing is thrown away that nodes may ask for which have not come back yet", async () => {
  const { setAway, purges } = startTestUpkeep();
  await vi.advanceTimersByTimeAsync(30_000);
  const before = purges();
  expect(before).toBeGreaterThan(0);
  setAway(true);
  await vi.advanceTimersByTimeAsync(2 * 60 * 60 * 1_000);
  setAway(false);
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect(purges()).toBe(before);
  await vi.advanceTimersByTimeAsync(2 * LEASE_MS);
  expect(purges()).toBeGreaterThan(before);
});
