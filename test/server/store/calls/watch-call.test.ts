import { describe, expect, onTestFinished, test } from "vitest";
import { prepareRemoval } from "../../../../server/store/calls/remove-calls.ts";
import { watchCall } from "../../../../server/store/calls/watch-call.ts";
import { eventually } from "../../../helpers/eventually.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { CALLS, countReads, TENANT, toId, toRecords, write } from "./timed-records.ts";

async function setUp(id: string) {
  const { counted: store, read } = countReads(await openTestStore());
  let heard = 0;
  const stop = watchCall(store, { ...CALLS, id }, () => (heard += 1));
  onTestFinished(stop);
  return { store, stop, read, heard: () => heard };
}

describe("a watch of a call", () => {
  test("tells that its record has come among others, and that it was taken away", async () => {
    const [one, other] = [toRecords(0, 1), toRecords(50, 51)];
    const { store, read, heard } = await setUp(other[1]?.id ?? "");
    await write(store, one);
    await eventually(() => expect(read()).toBe(0));
    expect(heard()).toBe(0);
    await write(store, other);
    await eventually(() => expect(heard()).toBe(1));
    const before = read();
    await write(store, toRecords(60, 61));
    await store.commit(await prepareRemoval(store, TENANT, other.slice(0, 1)));
    expect([heard(), read() - before]).toEqual([1, 1]);
    await store.commit(await prepareRemoval(store, TENANT, other.slice(1)));
    await eventually(() => expect(heard()).toBe(2));
  });

  test("tells nothing of a record that was there, nor once it is stopped", async () => {
    const { store, read, heard, stop } = await setUp(toId(1, 1));
    stop();
    const records = toRecords(0, 1);
    await write(store, records);
    const looks = read();
    onTestFinished(watchCall(store, { ...CALLS, id: toId(1, 1) }, () => expect.fail("it was there")));
    await eventually(() => expect(read()).toBeGreaterThan(looks));
    await write(store, toRecords(2, 3));
    expect(heard()).toBe(0);
  });
});
