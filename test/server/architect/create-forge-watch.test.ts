import { describe, expect, test } from "vitest";
import { createForgeWatch } from "../../../server/architect/create-forge-watch.ts";

/** Resolves to whether a pause has ended once everything that was ready has run. */
async function hasEnded(pause: Promise<void>): Promise<boolean> {
  let ended = false;
  void pause.then(
    () => (ended = true),
    () => undefined,
  );
  await new Promise((resolve) => setImmediate(resolve));
  return ended;
}

const open = (pollMs = 3_600_000) => {
  const closing = new AbortController();
  return { closing, ...createForgeWatch({ pollMs, signal: closing.signal }) };
};

describe("who waits for the forge", () => {
  test("is woken by what matters, and by nothing else", async () => {
    const { watch, nudge, closing } = open();
    const lookout = watch(({ number }) => number === 7);
    const pause = lookout.pause();
    nudge({ number: 8 });
    expect(await hasEnded(pause)).toBe(false);
    nudge({ number: 7 });
    await pause;
    const next = lookout.pause();
    expect(await hasEnded(next)).toBe(false);
    closing.abort();
    await expect(next).rejects.toThrow();
  });

  test("does not miss what comes between a look and the wait behind it", async () => {
    const { watch, nudge } = open();
    const lookout = watch(() => true);
    nudge({ number: 7 });
    nudge({ number: 7 });
    await lookout.pause();
  });

  test("looks again after a while when nobody tells", async () => {
    const { watch } = open(1);
    await watch(() => true).pause();
  });

  test("hears nothing more once it is closed", async () => {
    const { watch, nudge } = open();
    let heard = 0;
    const lookout = watch(() => {
      heard += 1;
      return true;
    });
    nudge({});
    lookout.close();
    nudge({});
    expect(heard).toBe(1);
  });
});
