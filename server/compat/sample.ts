import { canonicalJson } from "../canonical-json.ts";
import { isObject } from "../is-object.ts";
import type { Json } from "../store/store.ts";
import { evaluateAll } from "./evaluate.ts";
import { listValues } from "./list-values.ts";
import type { Conjunction } from "./located.ts";
import { sampleArrays, sampleObjects } from "./sample-parts.ts";
import { sampleNumbers, sampleStrings } from "./sample-scalars.ts";
import type { Shape } from "./shape.ts";
import { toShapesOfAll } from "./to-shapes.ts";

/** Values tried for one place, for the whole value, and how deep values nest. */
const PART_LIMIT = 40;
const VALUE_LIMIT = 500;
const DEPTH_LIMIT = 6;
const SHAPE_LIMIT = 12;
/** Shapes of the other schema that are aimed at, one by one. */
const AIM_LIMIT = 3;
/** Places looked at for one comparison, and characters of all values: hostile schemas nest without end. */
const STEP_LIMIT = 1_500;
const SIZE_LIMIT = 3_000_000;

const OF_EACH_TYPE: readonly Json[] = [null, true, 0.5, "a", [], {}, 1];

/**
 * Values that `inner` may take, chosen near the edges of both schemas, where one of them is most likely to be no value
 * of `outer`. Whether they are values of either is for the caller to check.
 */
export function sampleValues(inner: Conjunction, outer: Conjunction): readonly Json[] {
  let [steps, size] = [0, 0];
  return sample(inner, outer, 0);

  function sample(own: Conjunction, theirs: Conjunction, depth: number): readonly Json[] {
    if (++steps > STEP_LIMIT || size > SIZE_LIMIT) return [];
    const isOpen =
      own.every(({ schema }) => schema === true) && theirs.every(({ schema }) => typeof schema === "boolean");
    if (isOpen) return OF_EACH_TYPE;
    const hints = toShapesOfAll(theirs);
    const limit = depth === 0 ? VALUE_LIMIT : PART_LIMIT;
    const found = new Map<string, Json>();
    const add = (values: readonly Json[]) => {
      for (const value of values) {
        if (found.size >= limit * 2 || size > SIZE_LIMIT) return;
        const text = canonicalJson(value);
        size += text.length;
        if (!found.has(text) && evaluateAll(value, own) !== false) found.set(text, value);
      }
    };
    const shapes = toShapesOfAll(own).slice(0, SHAPE_LIMIT);
    add(examplesOf(own));
    add(hints.flatMap(({ except }) => except));
    for (const shape of shapes) {
      const same = hints.filter(({ type }) => type === shape.type).slice(0, AIM_LIMIT);
      for (const aim of same.length === 0 ? [undefined] : same) add(sampleShape(shape, aim, theirs, depth));
    }
    const ranked = [...found].map(([text, value]) => ({ text, value, rank: rank(evaluateAll(value, theirs)) }));
    return ranked
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, limit)
      .map(({ value }) => value);
  }

  function sampleShape(shape: Shape, aim: Shape | undefined, theirs: Conjunction, depth: number): readonly Json[] {
    const values = listValues(shape);
    if (values !== undefined) {
      return values.toSorted((a, b) => rank(evaluateAll(a, theirs)) - rank(evaluateAll(b, theirs)));
    }
    if (shape.type === "number") return sampleNumbers(shape, aim?.type === "number" ? aim : undefined);
    if (shape.type === "string") return sampleStrings(shape, aim?.type === "string" ? aim : undefined);
    if (shape.type === "array") {
      return depth >= DEPTH_LIMIT ? [[]] : sampleArrays(shape, aim?.type === "array" ? aim : undefined, depth, sample);
    }
    if (shape.type !== "object") return [];
    return depth >= DEPTH_LIMIT ? [{}] : sampleObjects(shape, aim?.type === "object" ? aim : undefined, depth, sample);
  }
}

function rank(answer: boolean | undefined): number {
  return answer === false ? 0 : answer === undefined ? 1 : 2;
}

function examplesOf(conjunction: Conjunction): readonly Json[] {
  return conjunction.flatMap(({ schema }) => {
    if (!isObject(schema)) return [];
    const { examples, default: initial } = schema;
    return [
      ...(Array.isArray(examples) ? (examples as Json[]).slice(0, 4) : []),
      ...(initial === undefined ? [] : [initial as Json]),
    ];
  });
}
