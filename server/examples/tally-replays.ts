import type { Difference } from "./diff-values.ts";
import type { Ends, Replayed } from "./replay.ts";

/** Calls that differ, or are not compared, for one reason. */
export interface Cause {
  readonly tool: string;
  readonly outcome: "different" | "not_compared";
  /** The place and the kind of a difference, or why nothing can be said. */
  readonly cause: string;
  /** Calls with it. A call may have several causes. */
  readonly count: number;
  /** The first call with it. */
  readonly example: Partial<Ends> & { readonly id: string; readonly reason: string };
}

export interface Tally {
  add(replayed: Replayed): void;
  /** The most frequent ones first, differences before what is not compared. */
  causes(): readonly Cause[];
  counts(): Readonly<Record<Replayed["outcome"], number>>;
}

/** Counts how calls came out, with one example of each cause. */
export function createTally(): Tally {
  const causes = new Map<string, Cause>();
  const counts = { same: 0, different: 0, not_compared: 0 };
  return {
    add({ id, tool, outcome, reasons, differences, ends }) {
      counts[outcome] += 1;
      if (outcome === "same") return;
      const found = new Map<string, string>();
      if (differences.length === 0) for (const reason of reasons) found.set(reason, reason);
      for (const [at, difference] of differences.entries()) {
        const place = toPlace(difference);
        const cause = difference.at === "error" ? toKind(difference) : `${place}: ${toKind(difference)}`;
        if (!found.has(cause)) found.set(cause, reasons[at] ?? "");
      }
      for (const [cause, reason] of found) {
        const key = JSON.stringify([tool, outcome, cause]);
        const known = causes.get(key);
        const example = known?.example ?? { id, reason, ...ends };
        causes.set(key, { tool, outcome, cause, count: (known?.count ?? 0) + 1, example });
      }
    },
    causes: () =>
      [...causes.values()].toSorted(
        (one, other) => one.outcome.localeCompare(other.outcome) || other.count - one.count,
      ),
    counts: () => ({ ...counts }),
  };
}

/** The place of a difference, alike for all items of a list; of a key in the state only its first part where `hasKeys`. */
export function toPlace({ at, key, path }: Difference, hasKeys = true): string {
  const inner = path.replaceAll(/\/\d+(?=\/|$)/g, "/*");
  if (at === undefined) return inner || "the output";
  if (at === "error") return "its end";
  const [first] = Array.isArray(key) ? key : [];
  const name = hasKeys && typeof first === "string" ? JSON.stringify(first) : "";
  return [at, ...(name === "" ? [] : [name]), inner].join(" ").trimEnd();
}

function toKind({ at, expected, actual, hidden }: Difference): string {
  if (at === "error") {
    if (actual === undefined) return `an answer in place of ${nameOf(expected)}`;
    return nameOf(expected) === nameOf(actual) ? `another ${nameOf(actual)}` : `ends with ${nameOf(actual)}`;
  }
  if (expected === undefined) return "something more";
  if (actual === undefined && hidden === undefined) return "missing";
  const isOtherType = actual !== undefined && toType(expected) !== toType(actual);
  return isOtherType ? "another type" : "another value";
}

function nameOf(error: unknown): string {
  return String((error as { readonly name?: string } | undefined)?.name ?? "an answer");
}

function toType(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}
