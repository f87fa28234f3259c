import { describe, expect, test } from "vitest";
import { createInFlight } from "../../../server/store/in-flight.ts";

describe("createInFlight", () => {
  test("passes results on and forgets what has settled", async () => {
    const inFlight = createInFlight();
    expect(await inFlight.track(Promise.resolve(1))).toBe(1);
    await expect(inFlight.track(Promise.reject(new Error("no")))).rejects.toThrow("no");
    await inFlight.settled();
  });

  test("waits for what is in flight", async () => {
    const inFlight = createInFlight();
    const { promise, resolve } = Promise.withResolvers<number>();
    const order: string[] = [];
    const tracked = inFlight.track(promise).then(() => order.push("tracked"));
    const settled = inFlight.settled().then(() => order.push("settled"));
    resolve(1);
    await Promise.all([tracked, settled]);
    expect(order).toEqual(["tracked", "settled"]);
  });

  test("gives up what would never settle", async () => {
    const inFlight = createInFlight();
    const tracked = inFlight.track(Promise.withResolvers<never>().promise);
    inFlight.reject(new Error("given up"));
    await expect(tracked).rejects.toThrow("given up");
    await inFlight.settled();
  });
});
