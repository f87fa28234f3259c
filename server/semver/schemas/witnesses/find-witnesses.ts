import type { Json, Violation } from "../../../json/types.ts";
import { toPointer } from "../../../json/pointer.ts";
import type { Breaks } from "../include.ts";
import { polish, POLISH_LIMIT } from "./polish.ts";
import type { CompatRule } from "../rules.ts";

/** A value of the one schema that the other refuses. */
export interface Refused {
  readonly value: Json;
  /** Violations found first, at least. */
  readonly violations: readonly Violation[];
  /** All that is wrong, which takes longer to find. */
  readonly listViolations: () => readonly Violation[];
}

/** Place of a failed proof, with its cause. */
export interface Reason {
  readonly path: readonly string[];
  readonly rule: CompatRule;
  readonly message: string;
  readonly breaks: Breaks | undefined;
}

type Finding = Omit<Reason, "breaks"> & { readonly value?: Json };

export interface Witnessed {
  readonly findings: readonly Finding[];
  /** Of all that is refused. */
  readonly smallest: Refused | undefined;
}

/** Runs both validators: what is refused of a value, undefined where the one does not take it or the other does. */
export type Judge = (value: Json) => Refused | undefined;

/**
 * Gives each reason the smallest value that is refused for it, at its place, with texts in it that a person would send;
 * `refused` comes by size, and no further than it is needed. Reasons without one are left out where another at the same
 * place, or inside or around it, has one: they were only a guess.
 */
export function findWitnesses(reasons: readonly Reason[], refused: Iterable<Refused>, judge: Judge): Witnessed {
  const values = new Map<Reason, Json>();
  let left = POLISH_LIMIT;
  const isExample = (value: Json, reason?: Reason) => {
    const judged = left-- > 0 ? judge(value) : undefined;
    return judged !== undefined && (reason === undefined || isRefusedFor(judged, reason));
  };
  let smallest: Refused | undefined;
  for (const each of refused) {
    smallest ??= each;
    for (const reason of reasons) {
      if (!values.has(reason) && isRefusedFor(each, reason)) values.set(reason, each.value);
    }
    if (values.size === reasons.length) break;
  }
  const findings = reasons
    .filter((reason) => values.has(reason) || ![...values.keys()].some((other) => isNear(other.path, reason.path)))
    .map((reason): Finding => {
      const { breaks: _, ...finding } = reason;
      const value = values.get(reason);
      if (value === undefined) return finding;
      return { ...finding, value: polish(value, (each) => isExample(each, reason)) };
    });
  return { findings, smallest: smallest && { ...smallest, value: polish(smallest.value, (each) => isExample(each)) } };
}

function isNear(one: readonly string[], other: readonly string[]): boolean {
  return one.every((step, index) => index >= other.length || other[index] === step);
}

function isRefusedFor({ value, violations, listViolations }: Refused, { path, rule, breaks }: Reason): boolean {
  const isAboutName = rule === "required-added" || rule === "member-closed";
  const places = placesAt(value, isAboutName ? path.slice(0, -1) : path).filter(({ part }) => breaks?.(part) ?? true);
  const isHere = (violation: Violation) =>
    places.some(
      ({ pointer }) => violation.path === pointer || (breaks === undefined && violation.path.startsWith(`${pointer}/`)),
    );
  return places.length > 0 && (violations.some(isHere) || listViolations().some(isHere));
}

interface Place {
  readonly pointer: string;
  readonly part: Json;
}

/** The places of a value that a path with `[]` and `*` means. */
function placesAt(value: Json, path: readonly string[]): readonly Place[] {
  return path.reduce<readonly Place[]>(
    (places, step) =>
      places.flatMap(({ pointer, part }) =>
        stepsOf(part, step).map(([name, inner]) => ({ pointer: pointer + toPointer([name]), part: inner })),
      ),
    [{ pointer: "", part: value }],
  );
}

function stepsOf(part: Json, step: string): readonly (readonly [string, Json])[] {
  if (typeof part !== "object" || part === null) return [];
  const all: [string, Json][] = Object.entries(part);
  const isAny = Array.isArray(part) ? step === "[]" : step === "*";
  return isAny ? all : all.filter(([name]) => name === step);
}
