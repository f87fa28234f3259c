import type { Json } from "../../json/types.ts";
import { evaluate, evaluateAll } from "./evaluate.ts";
import { isInside, isOutside } from "./holds.ts";
import { type Include, type Report, SILENT } from "./include.ts";
import { includesArray } from "./include-array.ts";
import { includesObject } from "./include-object.ts";
import { includesNumber, includesString } from "./include-scalars.ts";
import { intersect } from "./intersect.ts";
import { isEmpty } from "./is-empty.ts";
import { listValues } from "./list-values.ts";
import { type Conjunction, isNever, type Located } from "./located.ts";
import { createLanguages, type Languages } from "./patterns/languages.ts";
import { isAmong } from "./same.ts";
import { toText } from "./schema-text.ts";
import { type Shape, typeOf, TYPES } from "./shape.ts";
import { showType, showValues } from "./show.ts";
import { split } from "./split.ts";
import { toShapes, toShapesOfAll } from "./to-shapes.ts";

/** Questions that one comparison may ask, so that no schema can hold the process. */
const STEP_LIMIT = 40_000;
/** Questions asked a second time, to tell where a proof fails. */
const REPEAT_LIMIT = 2_000;
/** Largest depth of a proof in values. */
const DEPTH_LIMIT = 64;
/** Largest number of splits of a shape to be covered by several others. */
const SPLIT_LIMIT = 8;
/** Depth to which required parts are searched for impossible ones. */
const VOID_DEPTH = 3;

interface Question {
  readonly inner: Conjunction;
  readonly outer: Located;
  readonly path: readonly string[];
  readonly report: Report;
}

/** The proofs of one comparison so far, and their cost. */
interface Proof {
  readonly answers: Map<string, boolean>;
  readonly idsOfTexts: Map<string, number>;
  readonly ids: WeakMap<Located, number>;
  /** Questions whose answer is assumed or proven to be yes, in the order of asking. */
  readonly assumed: string[];
  steps: number;
  repeats: number;
  depth: number;
  /** `include` over this proof, for the parts of values. */
  readonly include: Include;
  readonly languages: Languages;
}

/**
 * Proves that every value of `inner` is one of `outer`. True is certain; false means that no proof was found, and
 * `report` is told where. Recursive schemas are compared by assuming what is being proven (coinduction), which is sound
 * because each round goes one step down into a finite value.
 */
export function createProver(): Include {
  const proof: Proof = {
    answers: new Map(),
    idsOfTexts: new Map(),
    ids: new WeakMap(),
    assumed: [],
    steps: 0,
    repeats: 0,
    depth: 0,
    include: (inner, outer, path, report) => include(proof, inner, outer, path, report),
    languages: createLanguages(),
  };
  return proof.include;
}

function include(
  proof: Proof,
  inner: Conjunction,
  outer: Conjunction,
  path: readonly string[],
  report: Report,
): boolean {
  if (isNever(inner)) return true;
  // Part of all of them together means part of each.
  return outer.map((each) => includeOne(proof, { inner, outer: each, path, report })).every(Boolean);
}

function idOf(proof: Proof, located: Located): number {
  const known = proof.ids.get(located);
  if (known !== undefined) return known;
  const text = toText(located);
  const id = proof.idsOfTexts.get(text) ?? proof.idsOfTexts.size;
  proof.idsOfTexts.set(text, id);
  proof.ids.set(located, id);
  return id;
}

function includeOne(proof: Proof, question: Question): boolean {
  const { inner, outer, path, report } = question;
  if (outer.schema === true) return true;
  const outerId = idOf(proof, outer);
  const innerIds = inner.map((one) => idOf(proof, one));
  if (innerIds.includes(outerId)) return true;
  const key = `${innerIds.toSorted((a, b) => a - b).join(",")}<${outerId}`;
  const known = proof.answers.get(key);
  if (known === true) return true;
  // What failed before is asked again when somebody wants to know why.
  if (known === false && (report === SILENT || ++proof.repeats > REPEAT_LIMIT)) return false;
  if (++proof.steps > STEP_LIMIT || proof.depth > DEPTH_LIMIT) {
    report(path, "condition-unproven", "is too complex to be compared");
    return false;
  }
  proof.answers.set(key, true);
  const mark = proof.assumed.push(key);
  proof.depth += 1;
  const answer = compare(proof, question);
  proof.depth -= 1;
  if (answer) return true;
  // What was proven by means of an assumption that failed is not proven.
  for (const unproven of proof.assumed.splice(mark - 1)) proof.answers.delete(unproven);
  proof.answers.set(key, false);
  return false;
}

function compare(proof: Proof, question: Question): boolean {
  const { inner, outer, path, report } = question;
  const outers = toShapes(outer);
  const allowed = new Set(outers.map(({ type }) => type));
  const shapes = toShapesOfAll(inner).filter((shape) => !isEmpty(shape, (parts) => isVoid(parts)));
  const lost = new Set(shapes.map(({ type }) => type).filter((type) => !allowed.has(type)));
  if (lost.size > 0) {
    report(path, "type-narrowed", toTypePhrase(shapes, lost, allowed), (value) => lost.has(typeOf(value)));
  }
  const kept = shapes.filter(({ type }) => allowed.has(type));
  return kept.map((shape) => isCovered(proof, shape, outers, SPLIT_LIMIT, question)).every(Boolean) && lost.size === 0;
}

function isCovered(proof: Proof, shape: Shape, outers: readonly Shape[], splits: number, question: Question): boolean {
  const { inner, outer, path, report } = question;
  proof.steps += sizeOf(shape);
  if (proof.steps > STEP_LIMIT) return false;
  if (isEmpty(shape, (parts) => isVoid(parts))) return true;
  const same = outers.filter(({ type }) => type === shape.type);
  if (same.some((one) => isPart(proof, shape, one, { ...question, report: SILENT }))) return true;
  const values = listValues(shape);
  if (values !== undefined) {
    const isTaken = (value: Json) => evaluate(value, outer) === true || same.some((one) => isInside(value, one));
    const lost = values.filter((value) => !isTaken(value) && evaluateAll(value, inner) !== false);
    if (lost.length > 0) report(path, "values-narrowed", `can no longer be ${showValues(lost)}`, isOneOf(lost));
    return lost.length === 0;
  }
  const [alone] = same;
  if (alone !== undefined && same.length === 1) return isPart(proof, shape, alone, question);
  const parts = splits === 0 ? undefined : split(shape, same);
  if (parts !== undefined) {
    return parts.map((part) => isCovered(proof, part, same, splits - 1, question)).every(Boolean);
  }
  const near = report === SILENT ? [] : same.filter((one) => meets(shape, one));
  const [nearest] = near;
  if (nearest !== undefined && near.length === 1) return isPart(proof, shape, nearest, question);
  report(path, "condition-unproven", `as ${showType(shape.type)} fits none of the alternatives for certain`);
  return false;
}

function isPart(proof: Proof, shape: Shape, other: Shape, { inner, path, report }: Question): boolean {
  proof.steps += sizeOf(shape) + sizeOf(other);
  if (proof.steps > STEP_LIMIT) return false;
  const checks = [checkCommon(shape, other, inner, path, report)];
  if (shape.type === "number" && other.type === "number") checks.push(includesNumber(shape, other, path, report));
  if (shape.type === "string" && other.type === "string")
    checks.push(includesString(shape, other, path, report, proof.languages));
  if (shape.type === "array" && other.type === "array") {
    checks.push(includesArray(shape, other, path, report, proof.include));
  }
  if (shape.type === "object" && other.type === "object") {
    checks.push(includesObject(shape, other, path, report, proof));
  }
  return checks.every(Boolean);
}

/** Counts the steps that comparing a shape costs. */
function sizeOf(shape: Shape): number {
  return shape.type === "array" || shape.type === "object" ? 1 + shape.layers.length ** 2 : 1;
}

function isOneOf(values: readonly Json[]): (value: Json) => boolean {
  return (value) => isAmong(values, value);
}

/** Says whether some value may have both shapes. */
function meets(one: Shape, other: Shape): boolean {
  const both = intersect(one, other);
  return both !== undefined && !isEmpty(both, (parts) => isVoid(parts));
}

function isVoid(conjunction: Conjunction, depth = 0): boolean {
  if (isNever(conjunction)) return true;
  if (depth >= VOID_DEPTH) return false;
  return toShapesOfAll(conjunction).every((shape) => isEmpty(shape, (parts) => isVoid(parts, depth + 1)));
}

function toTypePhrase(shapes: readonly Shape[], lost: ReadonlySet<string>, allowed: ReadonlySet<string>): string {
  const were = new Set(shapes.map(({ type }) => type));
  const was = were.size === TYPES.length ? "could be anything" : `could be ${[...lost].map(showType).join(" or ")}`;
  return allowed.size === 0
    ? "is no longer allowed"
    : `${was}, and must now be ${[...allowed].map(showType).join(" or ")}`;
}

function checkCommon(shape: Shape, other: Shape, inner: Conjunction, path: readonly string[], report: Report): boolean {
  if (other.only !== undefined) {
    const phrase = `must now be one of ${showValues(other.only)}`;
    const isAllowed = isOneOf(other.only);
    report(path, "values-narrowed", phrase, (value) => typeOf(value) === other.type && !isAllowed(value));
    return false;
  }
  const excluded = other.except.filter((value) => !isOutside(value, shape) && evaluateAll(value, inner) !== false);
  if (excluded.length > 0) {
    report(path, "values-narrowed", `can no longer be ${showValues(excluded)}`, isOneOf(excluded));
    return false;
  }
  if (other.opaque.isSubsetOf(shape.opaque)) return true;
  report(path, "condition-unproven", "has a condition that is new or different");
  return false;
}
