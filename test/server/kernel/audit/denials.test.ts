import { describe, expect, test, vi } from "vitest";
import { createDenials, TOLD_APART, TOLD_APART_AN_HOUR, WINDOW_MS } from "../../../../server/kernel/audit/denials.ts";
import { CairnError } from "../../../../server/errors.ts";

function setUp() {
  let time = 1_000;
  const windows: (readonly object[])[] = [];
  const denials = createDenials({ now: () => (time += 1), write: async (counted) => void windows.push(counted) });
  return { denials, windows };
}

const forbidden = new CairnError("FORBIDDEN", "No.");

describe("denials", () => {
  test("are counted together by reason, actor and address, and written once a window", async () => {
    vi.useFakeTimers();
    const { denials, windows } = setUp();
    for (let count = 0; count < 1_000; count += 1) {
      denials.add(forbidden, { tenant: "acme", actor: "eve", address: "192.0.2.1" });
    }
    denials.add(new CairnError("UNAUTHENTICATED", "Who?"), { address: "192.0.2.1" });
    expect(windows).toEqual([]);
    vi.advanceTimersByTime(WINDOW_MS);
    vi.useRealTimers();
    expect(windows).toEqual([
      [
        {
          kind: "denial",
          tenant: "acme",
          reason: "FORBIDDEN",
          actor: "eve",
          address: "192.0.2.1",
          at: 1_001,
          until: 2_000,
          count: 1_000,
        },
        expect.objectContaining({ tenant: "@service", reason: "UNAUTHENTICATED", count: 1 }),
      ],
    ]);
  });

  test("from ever other addresses do not fill the log", async () => {
    const { denials, windows } = setUp();
    for (let count = 0; count < 10_000; count += 1)
      denials.add(forbidden, { address: `10.0.${count >> 8}.${count & 255}` });
    await denials.flush();
    expect(windows[0]).toHaveLength(TOLD_APART + 1);
    expect(windows[0]?.at(-1)).toEqual(expect.objectContaining({ reason: "FORBIDDEN", count: 10_000 - TOLD_APART }));
    expect(windows[0]?.at(-1)).not.toHaveProperty("address");
    await denials.flush();
    expect(windows).toHaveLength(1);
  });

  test("of a flood that goes on are told apart so often an hour, and counted after that", async () => {
    const { denials, windows } = setUp();
    for (let window = 0; window < 40; window += 1) {
      for (let count = 0; count < TOLD_APART; count += 1)
        denials.add(forbidden, { address: `10.${window}.0.${count}` });
      await denials.flush();
    }
    const apart = windows.flat().filter((event) => "address" in event);
    expect(apart).toHaveLength(TOLD_APART_AN_HOUR);
    expect(windows.at(-1)).toMatchObject([{ count: TOLD_APART }]);
  });

  test("are no failures of other kinds, and keep only so much of what callers say", async () => {
    const { denials, windows } = setUp();
    denials.add(new Error("a defect"), {});
    denials.add(new CairnError("BAD_REQUEST", "No sense."), {});
    await denials.flush();
    expect(windows).toEqual([]);
    denials.add(forbidden, { actor: `${"x".repeat(199)}\ud83d\ude00${"y".repeat(1_000)}` });
    await denials.flush();
    expect(windows[0]?.[0]).toHaveProperty("actor", `${"x".repeat(199)}\ufffd`);
  });
});
