import type { Json } from "../store/store.ts";
import { toPointer } from "../versions/manifests/schema/resolve-reference.ts";
import type { Violation } from "../versions/version.ts";
import type { Breaks } from "./include.ts";
import type { CompatRule } from "./rules.ts";

/** A value of the one schema that the other refuses. */
export interface Refused {
  readonly value: Json;
  /** Characters of its canonical JSON. */
  readonly size: number;
  readonly violations: readonly Violation[];
}

/** Where, and by what, a proof failed. */
export interface Reason {
  readonly path: readonly string[];
  readonly rule: CompatRule;
  readonly message: string;
  readonly breaks: Breaks | undefined;
}

type Finding = Omit<Reason, "breaks"> & { readonly value?: Json };

/**
 * Gives each reason the smallest value that is refused for it, at its place; `refused` is sorted by size. Reasons without
 * one are left out where another at the same place, or inside or around it, has one: they were only a guess.
 */
export function findWitnesses(reasons: readonly Reason[], refused: readonly Refused[]): readonly Finding[] {
  const findings = reasons.map(({ breaks, ...reason }): Finding => {
    const witness = refused.find((each) => isRefusedFor(each, { ...reason, breaks }));
    return witness === undefined ? reason : { ...reason, value: witness.value };
  });
  const proven = findings.filter((finding) => "value" in finding);
  return findings.filter((finding) => "value" in finding || !proven.some((other) => isNear(other.path, finding.path)));
}

function isNear(one: readonly string[], other: readonly string[]): boolean {
  return one.every((step, index) => index >= other.length || other[index] === step);
}

function isRefusedFor({ value, violations }: Refused, { path, rule, breaks }: Reason): boolean {
  const isAboutName = rule === "required-added" || rule === "member-closed";
  const places = placesAt(value, isAboutName ? path.slice(0, -1) : path);
  return places.some(({ pointer, part }) => {
    const isHere = (violation: Violation) =>
      violation.path === pointer || (breaks === undefined && violation.path.startsWith(`${pointer}/`));
    return (breaks?.(part) ?? true) && violations.some(isHere);
  });
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
