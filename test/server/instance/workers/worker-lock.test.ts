import { expect, test } from "vitest";
import { outliveWorkers, takeWorkerLock, toWorkerLock } from "../../../../server/instance/workers/worker-lock.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

test("a service waits for each worker of before, however many there were", async () => {
  const folder = await temporaryFolder();
  await outliveWorkers(folder);
  const locks = await Promise.all([1, 12].map((number) => takeWorkerLock(toWorkerLock(folder, number))));
  let isOver = false;
  const waiting = outliveWorkers(folder).then(() => (isOver = true));
  locks[0]?.release();
  await (await takeWorkerLock(toWorkerLock(folder, 1))).release();
  expect(isOver).toBe(false);
  locks[1]?.release();
  await waiting;
  expect(isOver).toBe(true);
});
