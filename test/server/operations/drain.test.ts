import { expect, test } from "vitest";
import { createDrain } from "../../../server/operations/drain.ts";
import type { Call, Result } from "../../../server/kernel/call.ts";
import { LOCAL_PRINCIPAL } from "../../../server/principal.ts";
import { createTestTool, createTestVersion } from "../../helpers/test-version.ts";

const call: Call = {
  version: createTestVersion(),
  tool: createTestTool({ name: "s.t", server: "s" }),
  input: {},
  principal: LOCAL_PRINCIPAL,
};
const result: Result = { ok: true, output: null, conversationId: "c", logsUri: "logs://c", durationMs: 0 };

test("is settled once all calls have ended, and says when they do not in time", async () => {
  const drain = createDrain();
  expect(await drain.settled(0)).toBe(true);
  const ends = [Promise.withResolvers<Result>(), Promise.withResolvers<Result>()] as const;
  const calls = ends.map(({ promise }) => drain.around(() => promise)(call));
  expect([drain.running(), await drain.settled(1)]).toEqual([2, false]);
  const settled = drain.settled(60_000);
  ends[0].resolve(result);
  ends[1].resolve(result);
  await Promise.all(calls);
  expect([await settled, drain.running()]).toEqual([true, 0]);
});

test("drains from when it is told to", () => {
  const drain = createDrain();
  expect(drain.isDraining()).toBe(false);
  drain.begin();
  expect(drain.isDraining()).toBe(true);
});
