import type { Arguments } from "../fill/draft.ts";
import { readRfc3339 } from "../time/read-rfc3339.ts";
import { toRfc3339 } from "../time/to-rfc3339.ts";

const DEPTH = 3;
/** With an offset in figures: `Z` says nothing about the clocks of a place. */
const LOCAL = /[+-]\d{2}:\d{2}$/;

/**
 * Minutes east of UTC that the times in a result agree on. "Tomorrow at 3pm" in a question about Oslo means Oslo's clocks,
 * which nobody knows before a result shows them.
 */
export function findOffset(result: unknown): number | undefined {
  const offsets = new Set(collect([result], DEPTH));
  const [offset] = offsets;
  return offsets.size === 1 ? offset : undefined;
}

/** Checks that two calls mean one, in any notation of their times. */
export function isSameCall(a: Arguments, b: Arguments): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => normalise(a[name]) === normalise(b[name]));
}

/** Arguments that were read out of messages. */
export interface Reading {
  readonly arguments: Arguments;
  /** The offset they were read by; absent where they are the same by any, as "in 3 hours" is. */
  readonly clock?: number;
}

/** Reads by the clocks at `offset`, and finds out whether it matters which clocks they are. */
export function readByClock(offset: number, read: (offset: number) => Arguments): Reading {
  const values = read(offset);
  return isSameCall(values, read(offset + 60)) ? { arguments: values } : { arguments: values, clock: offset };
}

/** Moves clock times to another offset: 15:00 in Oslo instead of 15:00 in Kathmandu. */
export function toClock({ arguments: values, clock }: Reading, offset: number): Arguments {
  if (clock === undefined || clock === offset) return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const time = typeof value === "string" ? readRfc3339(value) : undefined;
      return [name, time?.offset === clock ? toRfc3339(time.instant + (clock - offset) * 60_000, offset) : value];
    }),
  );
}

function collect(level: readonly unknown[], depth: number): number[] {
  if (depth < 0 || level.length === 0) return [];
  const here = level.flatMap((value) =>
    typeof value === "string" && LOCAL.test(value) ? (readRfc3339(value)?.offset ?? []) : [],
  );
  const below = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  return [...here, ...collect(below, depth - 1)];
}

function normalise(value: unknown): string | undefined {
  const instant = typeof value === "string" ? readRfc3339(value)?.instant : undefined;
  return JSON.stringify(instant ?? value);
}
