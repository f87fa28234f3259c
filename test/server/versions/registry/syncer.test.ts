import { expect, onTestFinished, test, vi } from "vitest";
import { CairnError } from "../../../../server/errors.ts";
import { coalesce } from "../../../../server/versions/registry/coalesce.ts";
import { DEFAULT_LIMITS } from "../../../../server/versions/registry/registry-types.ts";
import { createSyncer } from "../../../../server/versions/registry/syncer.ts";

test("looks whether something has piled up at most once a minute, also after the clock was set back", async () => {
  let [now, tidied] = [Date.UTC(2026, 0, 1), 0];
  const syncer = createSyncer({
    work: async () => ({ ok: true, added: [], failed: new Map(), changed: true }),
    tidy: async () => void (tidied += 1),
    onFailed: () => undefined,
    onRecovered: () => undefined,
    onError: () => undefined,
    now: () => now,
    limits: DEFAULT_LIMITS,
  });
  const after = async (ms: number) => {
    now += ms;
    await syncer.run();
    return tidied;
  };
  expect([await after(0), await after(59_999), await after(1), await after(0), await after(-120_000)]).toEqual([
    1, 1, 2, 2, 3,
  ]);
  await syncer.close();
});

test("a repository that is closed while it is tidied is no error; another failure is one", async () => {
  const errors: unknown[] = [];
  for (const error of [new CairnError("UNAVAILABLE", "The repository is closed."), new Error("no room")]) {
    const syncer = createSyncer({
      work: async () => ({ ok: true, added: [], failed: new Map(), changed: true }),
      tidy: () => Promise.reject(error),
      onFailed: () => undefined,
      onRecovered: () => undefined,
      onError: (one) => errors.push(one),
      now: () => 60_000_000,
      limits: DEFAULT_LIMITS,
    });
    await syncer.run();
    await new Promise((resolve) => setImmediate(resolve));
    await syncer.close();
  }
  expect(errors).toEqual([new Error("no room")]);
});

test("a run is also the one that was asked for soon before it began", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let runs = 0;
  const { run, trigger } = coalesce(async () => (runs += 1), { debounceMs: 20, onError: () => undefined });
  trigger();
  await run();
  await vi.advanceTimersByTimeAsync(100);
  expect(runs).toBe(1);
  trigger();
  await vi.advanceTimersByTimeAsync(100);
  expect(runs).toBe(2);
});
