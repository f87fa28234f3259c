import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { collectWhenIdle, openHeap } from "../../../server/operations/collect-when-idle.ts";

const MB = 2 ** 20;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A heap of 100 MB, of which 60 are garbage. */
function createHeap() {
  const state = { held: 100 * MB, worked: 0, collected: 0 };
  const stop = collectWhenIdle({
    held: () => state.held,
    worked: () => state.worked,
    collect() {
      state.collected += 1;
      state.held = 40 * MB;
    },
  });
  return { state, stop };
}

test("an idle service collects once", () => {
  const { state, stop } = createHeap();
  vi.advanceTimersByTime(60_000);
  expect(state).toMatchObject({ collected: 1, held: 40 * MB });
  stop();
});

test("a service that works collects nothing, however large its heap is", () => {
  const { state, stop } = createHeap();
  state.worked = 0.03;
  vi.advanceTimersByTime(60_000);
  expect(state.collected).toBe(0);
  state.worked = 0.02;
  vi.advanceTimersByTime(10_000);
  expect(state.collected).toBe(1);
  stop();
});

test("a service that pauses for less than ten seconds between its bursts of work collects nothing", () => {
  const { state, stop } = createHeap();
  for (let burst = 0; burst < 5; burst += 1) {
    state.worked = 0.5;
    vi.advanceTimersByTime(2_000);
    state.worked = 0;
    vi.advanceTimersByTime(8_000);
  }
  expect(state.collected).toBe(0);
  vi.advanceTimersByTime(2_000);
  expect(state.collected).toBe(1);
  stop();
});

test("a heap is collected again when it has grown by 8 MB, and not before", () => {
  const { state, stop } = createHeap();
  vi.advanceTimersByTime(10_000);
  expect(state.collected).toBe(1);
  state.held = 48 * MB - 1;
  vi.advanceTimersByTime(10_000);
  expect(state.collected).toBe(1);
  state.held = 48 * MB;
  vi.advanceTimersByTime(2_000);
  expect(state.collected).toBe(2);
  stop();
});

test("nothing is collected after the end", () => {
  const { state, stop } = createHeap();
  stop();
  vi.advanceTimersByTime(60_000);
  expect(state.collected).toBe(0);
});

test("the heap of a process gives back what nothing refers to", () => {
  vi.useRealTimers();
  const heap = openHeap();
  let garbage: object[] | undefined = Array.from({ length: 1_000_000 }, (_, at) => ({ at }));
  const before = heap.held();
  expect(garbage).toHaveLength(1_000_000);
  garbage = undefined;
  heap.collect();
  expect(before - heap.held()).toBeGreaterThan(20 * MB);
  expect(Reflect.has(globalThis, "gc")).toBe(false);
});

test("the share of work is that since the last look", () => {
  vi.useRealTimers();
  const heap = openHeap();
  const end = performance.now() + 50;
  while (performance.now() < end);
  expect(heap.worked()).toBeGreaterThan(0.5);
});
