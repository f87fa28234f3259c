import { isObject } from "../is-object.ts";
import type { Json } from "../store/store.ts";
import { readPointer } from "../versions/manifests/schema/resolve-reference.ts";
import type { Violation } from "../versions/version.ts";
import type { CompatRule } from "./rules.ts";

/** A value of the one schema that the other refuses. */
export interface Refused {
  readonly value: Json;
  /** Characters of its canonical JSON. */
  readonly size: number;
  readonly violations: readonly Violation[];
}

interface Finding {
  readonly path: readonly string[];
  readonly rule: CompatRule;
  readonly message: string;
}

/**
 * Gives each finding the smallest value that is refused at its place; `refused` is sorted by size. Findings without one
 * are left out where another finding at the same place, or inside or around it, has one: they were only a guess at why.
 */
export function findWitnesses<One extends Finding>(
  findings: readonly One[],
  refused: readonly Refused[],
): readonly (One & { readonly value?: Json })[] {
  const all = findings.map((finding): One & { readonly value?: Json } => {
    const witness = refused.find((each) => isRefusedAt(each, finding));
    return witness === undefined ? finding : { ...finding, value: witness.value };
  });
  const proven = all.filter((finding) => "value" in finding);
  return all.filter((finding) => "value" in finding || !proven.some((other) => isNear(other.path, finding.path)));
}

function isNear(one: readonly string[], other: readonly string[]): boolean {
  return one.every((step, index) => index >= other.length || other[index] === step);
}

function isRefusedAt({ value, violations }: Refused, { path, rule }: Finding): boolean {
  const isAboutName = rule === "required-added" || rule === "member-closed";
  return violations.some((violation) => {
    const steps = readPointer(violation.path);
    if (!isAboutName) return steps.length >= path.length && leads(path, steps);
    const [around, name] = [path.slice(0, -1), path.at(-1) ?? ""];
    if (steps.length > path.length || !leads(around, steps)) return false;
    const object = partAt(value, steps.slice(0, around.length));
    const hasIt = isObject(object) && (name === "*" ? Object.keys(object).length > 0 : Object.hasOwn(object, name));
    return hasIt === (rule === "member-closed");
  });
}

/** Whether the place that `steps` name is the one of the path, or inside it. */
function leads(path: readonly string[], steps: readonly string[]): boolean {
  return path.every((step, index) => step === "[]" || step === "*" || step === steps[index]);
}

function partAt(value: Json, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (part, step) => (typeof part === "object" && part !== null ? (part as Record<string, unknown>)[step] : undefined),
    value,
  );
}
