import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MACHINE, openSteadyClock, type TimeSources } from "../../../server/store/steady-clock.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";

const DAYS = 2 * 24 * 60 * 60_000;
const STARTS = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];

/** A machine whose clocks stand still until they are set. */
function createMachine() {
  const at = { wall: 1_800_000_000_000, sinceStart: 5000, start: STARTS[0] };
  const sources: TimeSources = {
    wall: () => at.wall,
    sinceStart: () => at.sinceStart,
    start: async () => at.start,
  };
  return { at, sources };
}

describe("the steady clock", () => {
  test.each([DAYS, -DAYS])("does not care that somebody sets the machine's clock by %d ms", async (jump) => {
    const { at, sources } = createMachine();
    const now = await openSteadyClock(await temporaryFolder(), sources);
    expect(now()).toBe(1_800_000_000_000);
    at.wall += jump;
    at.sinceStart += 250;
    expect(now()).toBe(1_800_000_000_250);
  });

  test("goes on where it was for a process that starts after the clock was set", async () => {
    const { at, sources } = createMachine();
    const folder = await temporaryFolder();
    await openSteadyClock(folder, sources);
    at.wall -= DAYS;
    at.sinceStart += 1000;
    const later = await openSteadyClock(folder, sources);
    expect(later()).toBe(1_800_000_001_000);
  });

  test("begins anew when the machine has started again", async () => {
    const { at, sources } = createMachine();
    const folder = await temporaryFolder();
    await openSteadyClock(folder, sources);
    Object.assign(at, { wall: at.wall + 60_000, sinceStart: 10, start: STARTS[1] });
    expect((await openSteadyClock(folder, sources))()).toBe(1_800_000_060_000);
    expect(await readdir(folder)).toEqual([`clock-${STARTS[1]}`]);
  });

  test("is the same for all who open it at once", async () => {
    const { sources } = createMachine();
    const folder = await temporaryFolder();
    let skew = 0;
    const skewed = () => openSteadyClock(folder, { ...sources, wall: () => 1_800_000_000_000 + (skew += 7) });
    const clocks = await Promise.all(Array.from({ length: 8 }, skewed));
    expect(new Set(clocks.map((now) => now())).size).toBe(1);
  });

  test("goes by the process where nobody can tell one start from another, or the file says nothing", async () => {
    const { at, sources } = createMachine();
    const folder = await temporaryFolder();
    await writeFile(join(folder, `clock-${STARTS[0]}`), "nonsense\n");
    expect((await openSteadyClock(folder, sources))()).toBe(at.wall);
    const unknown = await openSteadyClock(folder, { ...sources, start: async () => undefined });
    expect(unknown()).toBe(at.wall);
  });

  test("knows the time", async () => {
    const now = await openSteadyClock(await temporaryFolder(), MACHINE);
    expect(Math.abs(now() - Date.now())).toBeLessThan(60_000);
  });
});
