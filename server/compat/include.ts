import { evaluate, evaluateAll } from "./evaluate.ts";
import { type Report, SILENT } from "./failure.ts";
import { isSame } from "./intersect.ts";
import { isEmpty } from "./is-empty.ts";
import { type Conjunction, isNever, type Located, toText } from "./located.ts";
import { includesArray } from "./include-array.ts";
import { includesNumber } from "./include-number.ts";
import { includesObject } from "./include-object.ts";
import { includesString } from "./include-string.ts";
import type { Shape } from "./shape.ts";
import { split } from "./split.ts";
import { toShapes, toShapesOfAll } from "./to-shapes.ts";

/** Questions that one comparison may ask, so that no schema can hold the process. */
const QUESTION_LIMIT = 20_000;
/** How often a shape is divided to be covered by several others. */
const SPLIT_LIMIT = 6;

export type Include = (inner: Conjunction, outer: Conjunction, path: readonly string[], report: Report) => boolean;

/**
 * A proof that every value of `inner` is one of `outer`. True is certain; false means that no proof was found, and
 * `report` is told where. Recursive schemas are compared by assuming what is being proven (coinduction), which is sound
 * because each round goes one step down into a finite value.
 */
export function createInclude(): Include {
  const proven = new Map<string, boolean>();
  const ids = new Map<string, number>();
  /** What is assumed or proven true, in the order of asking. */
  const assumed: string[] = [];
  let questions = 0;

  const idOf = (located: Located): number => {
    const text = toText(located);
    const id = ids.get(text) ?? ids.size;
    ids.set(text, id);
    return id;
  };

  const include: Include = (inner, outer, path, report) => {
    if (isNever(inner)) return true;
    // Part of all of them together means part of each.
    return outer.map((each) => includeOne(inner, each, path, report)).every(Boolean);
  };

  function includeOne(inner: Conjunction, outer: Located, path: readonly string[], report: Report): boolean {
    if (outer.schema === true) return true;
    const outerId = idOf(outer);
    const innerIds = inner.map(idOf);
    if (innerIds.includes(outerId)) return true;
    const key = `${innerIds.toSorted((a, b) => a - b).join(",")}<${outerId}`;
    const known = proven.get(key);
    // What failed before is asked again when somebody wants to know why.
    if (known === true || (known === false && report === SILENT)) return known;
    if (++questions > QUESTION_LIMIT) {
      report(path, "condition-unproven", "the schemas are too complex to be compared");
      return false;
    }
    proven.set(key, true);
    const mark = assumed.push(key);
    const answer = compare(inner, outer, path, report);
    // What was proven by means of an assumption that failed is not proven.
    if (!answer) for (const unproven of assumed.splice(mark - 1)) proven.delete(unproven);
    if (!answer) proven.set(key, false);
    return answer;
  }

  function compare(inner: Conjunction, outer: Located, path: readonly string[], report: Report): boolean {
    const outerShapes = toShapes(outer);
    return toShapesOfAll(inner)
      .map((shape) => isCovered(shape, outerShapes, SPLIT_LIMIT, { inner, outer, path, report }))
      .every(Boolean);
  }

  interface Question {
    readonly inner: Conjunction;
    readonly outer: Located;
    readonly path: readonly string[];
    readonly report: Report;
  }

  function isCovered(shape: Shape, outers: readonly Shape[], splits: number, question: Question): boolean {
    const { inner, outer, path, report } = question;
    if (isEmpty(shape)) return true;
    if (shape.only !== undefined) {
      const lost = shape.only.filter((value) => evaluate(value, outer) !== true && evaluateAll(value, inner) !== false);
      if (lost.length > 0) {
        const shown = lost.slice(0, 3).map((value) => JSON.stringify(value).slice(0, 60));
        report(path, "values-narrowed", `${shown.join(", ")}${lost.length > 3 ? ", ..." : ""} no longer fits`);
      }
      return lost.length === 0;
    }
    const same = outers.filter(({ type }) => type === shape.type);
    if (same.length === 0) {
      report(path, "type-narrowed", `a ${shape.type} is no longer allowed`);
      return false;
    }
    if (same.some((one) => isPart(shape, one, path, SILENT))) return true;
    const parts = splits === 0 || same.length === 1 ? undefined : split(shape, same);
    if (parts !== undefined) {
      return parts.map((part) => isCovered(part, same, splits - 1, question)).every(Boolean);
    }
    const [alone] = same;
    if (same.length === 1 && alone !== undefined) return isPart(shape, alone, path, report);
    report(path, "condition-unproven", `none of the alternatives for a ${shape.type} is sure to take it`);
    return false;
  }

  function isPart(shape: Shape, other: Shape, path: readonly string[], report: Report): boolean {
    const checks = [checkCommon(shape, other, path, report)];
    if (shape.type === "number" && other.type === "number") checks.push(includesNumber(shape, other, path, report));
    if (shape.type === "string" && other.type === "string") checks.push(includesString(shape, other, path, report));
    if (shape.type === "array" && other.type === "array")
      checks.push(includesArray(shape, other, path, report, include));
    if (shape.type === "object" && other.type === "object") {
      checks.push(includesObject(shape, other, path, report, include));
    }
    return checks.every(Boolean);
  }

  return include;
}

function checkCommon(shape: Shape, other: Shape, path: readonly string[], report: Report): boolean {
  if (other.only !== undefined) {
    report(path, "values-narrowed", "only some values are allowed now");
    return false;
  }
  const excluded = other.except.filter((value) => !shape.except.some((known) => isSame(known, value)));
  if (excluded.length > 0) {
    report(path, "values-narrowed", `${JSON.stringify(excluded[0]).slice(0, 60)} is no longer allowed`);
    return false;
  }
  if (other.opaque.isSubsetOf(shape.opaque)) return true;
  report(path, "condition-unproven", "a condition is new or has changed");
  return false;
}
