import { describe, expect, test } from "vitest";
import { createCancellation, toAbortSignal } from "../../server/cancellation.ts";

describe("a cancellation", () => {
  test("tells each listener once, but not those that have gone", () => {
    const heard: string[] = [];
    const cancellation = createCancellation();
    const [a, b, c] = ["a", "b", "c"].map((name) => () => void heard.push(name)) as [
      () => void,
      () => void,
      () => void,
    ];
    for (const listener of [a, b, c]) cancellation.addEventListener("abort", listener);
    cancellation.removeEventListener("abort", b);
    expect(cancellation.aborted).toBe(false);
    cancellation.abort("gone");
    cancellation.abort("again");
    expect([heard, cancellation.aborted, cancellation.reason]).toEqual([["a", "c"], true, "gone"]);
  });

  test("becomes a real signal, before or after it happened", () => {
    const cancellation = createCancellation();
    const early = toAbortSignal(cancellation);
    expect(early.aborted).toBe(false);
    cancellation.abort("gone");
    expect([early.aborted, early.reason, toAbortSignal(cancellation).reason]).toEqual([true, "gone", "gone"]);
  });

  test("is left as it is when it is a real signal, and never happens when there is none", () => {
    const { signal } = new AbortController();
    expect(toAbortSignal(signal)).toBe(signal);
    expect(toAbortSignal(undefined).aborted).toBe(false);
  });
});
