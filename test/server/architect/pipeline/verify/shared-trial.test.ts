import { expect, test } from "vitest";
import { createSharedTrial } from "../../../../../server/architect/pipeline/verify/shared-trial.ts";
import type { Trial } from "../../../../../server/examples/open-trial.ts";

const never = () => Promise.reject(new Error("Nothing is called here."));

function createOpen() {
  const log: string[] = [];
  let opened = 0;
  const open = async (): Promise<Trial> => {
    const name = `${(opened += 1)}`;
    log.push(`open ${name}`);
    return { call: never, play: never, close: async () => void log.push(`close ${name}`) };
  };
  return { log, open };
}

test("a trial is opened when it is first used, kept, and closed once nobody uses it", async () => {
  const { log, open } = createOpen();
  const shared = createSharedTrial(open);
  expect(log).toEqual([]);
  let release = (): void => undefined;
  const held = shared.use(() => new Promise<void>((resolve) => (release = resolve)));
  expect(await shared.use(async () => "used")).toBe("used");
  await expect(shared.use(() => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  const closed = shared.close();
  await expect(shared.use(async () => "late")).rejects.toMatchObject({ name: "UNAVAILABLE" });
  expect(log).toEqual(["open 1"]);
  release();
  await Promise.all([held, closed]);
  expect(log).toEqual(["open 1", "close 1"]);
});

test("a trial gives way to another after a hundred uses, and one that does not open is opened anew", async () => {
  const { log, open } = createOpen();
  const shared = createSharedTrial(open);
  for (let use = 0; use < 201; use += 1) await shared.use(async () => undefined);
  await shared.close();
  expect(log.toSorted()).toEqual(["close 1", "close 2", "close 3", "open 1", "open 2", "open 3"]);

  let tries = 0;
  const failing = createSharedTrial(() => ((tries += 1) === 1 ? Promise.reject(new Error("no room")) : open()));
  await expect(failing.use(async () => "used")).rejects.toThrow("no room");
  expect(await failing.use(async () => "used")).toBe("used");
  await failing.close();
});

test("work that has to be alone has trials of its own, one after the other, which a failure does not stop", async () => {
  const { log, open } = createOpen();
  const shared = createSharedTrial(open);
  const failing = shared.useAlone(() => Promise.reject(new Error("failed")));
  const after = shared.useAlone(async () => void log.push("work"));
  await expect(failing).rejects.toThrow("failed");
  await after;
  expect(log).toEqual(["open 1", "close 1", "open 2", "work", "close 2"]);
  await shared.close();
  await expect(shared.useAlone(async () => "late")).rejects.toMatchObject({ name: "UNAVAILABLE" });
});
