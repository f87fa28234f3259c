import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "../../../server/log/log.ts";
import { LOCAL_PRINCIPAL } from "../../../server/principal.ts";
import { createSessions } from "../../../server/protocol/sessions.ts";
import { openTestStore } from "../../helpers/store.ts";

const HALF_AN_HOUR = 30 * 60 * 1000;
const MINUTE = 60 * 1000;

async function setUp() {
  let time = 0;
  let count = 0;
  const onForeign = vi.fn();
  const store = await openTestStore();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const sessions = createSessions({
    store,
    createId: () => `id-${(count += 1)}`,
    now: () => time,
    log: createLog("silent"),
    onForeign,
  });
  onTestFinished(() => sessions.close());
  return {
    sessions,
    onForeign,
    find: (id: string, address = "/a", principal = LOCAL_PRINCIPAL) => sessions.find(id, address, principal).session.id,
    pass: (milliseconds: number) => {
      time += milliseconds;
      vi.advanceTimersByTime(MINUTE);
    },
  };
}

const unknown = expect.objectContaining({ name: "SESSION_NOT_FOUND" }) as Error;

describe("sessions", () => {
  test("are found by those who began them, at the address where they did", async () => {
    const { sessions, find, onForeign } = await setUp();
    const { id } = await sessions.open("/a", LOCAL_PRINCIPAL);
    expect(find(id)).toBe("id-1");
    expect(() => find("id-2")).toThrow(unknown);
    expect(() => find(id, "/b")).toThrow(unknown);
    expect(onForeign).not.toHaveBeenCalled();
    expect(() => find(id, "/a", { ...LOCAL_PRINCIPAL, tenant: "b" })).toThrow(unknown);
    expect(onForeign).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ tenant: "b" }));
    expect(() => find(id, "/a", { ...LOCAL_PRINCIPAL, actor: "b" })).toThrow(unknown);
  });

  test("end when nobody has used them for half an hour", async () => {
    const { sessions, find, pass } = await setUp();
    const { id: used } = await sessions.open("/a", LOCAL_PRINCIPAL);
    const { id: unused } = await sessions.open("/a", LOCAL_PRINCIPAL);
    pass(HALF_AN_HOUR);
    expect(find(used)).toBe(used);
    pass(1);
    expect(() => find(unused)).toThrow(unknown);
    expect(find(used)).toBe(used);
    pass(HALF_AN_HOUR + 1);
    expect(() => find(used)).toThrow(unknown);
  });

  test("are ten thousand at most, of which one tenant may have half", async () => {
    const { sessions } = await setUp();
    const open = (tenant: string) => sessions.open("/a", { ...LOCAL_PRINCIPAL, tenant });
    const opened = await Promise.all(Array.from({ length: 5_000 }, () => open("a")));
    await expect(open("a")).rejects.toThrow(expect.objectContaining({ name: "RATE_LIMITED" }));
    await Promise.all(Array.from({ length: 5_000 }, () => open("b")));
    await expect(open("c")).rejects.toThrow(expect.objectContaining({ name: "UNAVAILABLE" }));
    await opened[0]?.close();
    await expect(open("b")).rejects.toThrow(expect.objectContaining({ name: "RATE_LIMITED" }));
    expect((await open("a")).id).toBe("id-10001");
  });

  test("end with the service", async () => {
    const { sessions, find } = await setUp();
    const { id } = await sessions.open("/a", LOCAL_PRINCIPAL);
    await sessions.close();
    expect(() => find(id)).toThrow(unknown);
  });
});
