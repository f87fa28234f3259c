import type { Json } from "../../../json/types.ts";
import { isObject } from "../../../json/is-object.ts";
import { evaluateAll } from "../evaluate.ts";
import { listValues } from "../list-values.ts";
import type { Conjunction } from "../located.ts";
import { createLanguages } from "../patterns/languages.ts";
import { sampleArrays, sampleObjects } from "./sample-parts.ts";
import { sampleNumbers, sampleStrings } from "./sample-scalars.ts";
import type { Shape } from "../shape.ts";
import { toShapesOfAll } from "../to-shapes.ts";

/** Values tried for one place, for the whole value, and how deep values nest. */
const PART_LIMIT = 40;
/** Values tried for one place where it is proven that none can be refused. */
const SAFE_LIMIT = 4;
const VALUE_LIMIT = 500;
const DEPTH_LIMIT = 6;
const SHAPE_LIMIT = 12;
/** Shapes of the other schema that are aimed at, one by one. */
const AIM_LIMIT = 3;
/** Places looked at for one comparison, and characters of all values: hostile schemas nest without end. */
const STEP_LIMIT = 1_500;
const SIZE_LIMIT = 3_000_000;

const OF_EACH_TYPE: readonly Json[] = [null, true, 0.5, "a", [], {}, 1];

/** Proof that every value of `inner` is one of `outer`. */
type IsPart = (inner: Conjunction, outer: Conjunction) => boolean;

/** A value, and its JSON. */
export interface Sampled {
  readonly value: Json;
  readonly text: string;
}

/**
 * Values that `inner` may take, chosen near the edges of both schemas, where one of them is most likely to be no value
 * of `outer`. Whether they are values of either is for the caller to check.
 */
export function sampleValues(inner: Conjunction, outer: Conjunction, isPart: IsPart): readonly Sampled[] {
  const languages = createLanguages();
  let [steps, size] = [0, 0];
  return sampleWithTexts(inner, outer, 0);

  function sample(own: Conjunction, theirs: Conjunction, depth: number): readonly Json[] {
    const isOpen =
      own.every(({ schema }) => schema === true) && theirs.every(({ schema }) => typeof schema === "boolean");
    return isOpen ? OF_EACH_TYPE : sampleWithTexts(own, theirs, depth).map(({ value }) => value);
  }

  function sampleWithTexts(own: Conjunction, theirs: Conjunction, depth: number): readonly Sampled[] {
    if (++steps > STEP_LIMIT || size > SIZE_LIMIT) return [];
    const hints = toShapesOfAll(theirs);
    const isSafe = depth > 0 && isPart(own, theirs);
    const limit = isSafe ? SAFE_LIMIT : depth === 0 ? VALUE_LIMIT : PART_LIMIT;
    const found = new Map<string, Json>();
    const add = (values: readonly Json[]) => {
      for (const value of values) {
        if (found.size >= (isSafe ? limit : limit * 2) || size > SIZE_LIMIT) return;
        const text = JSON.stringify(value);
        size += text.length;
        if (!found.has(text) && evaluateAll(value, own) !== false) found.set(text, value);
      }
    };
    const shapes = toShapesOfAll(own).slice(0, SHAPE_LIMIT);
    add(examplesOf(own));
    add(hints.flatMap(({ except }) => except));
    for (const shape of shapes) {
      const same = hints.filter(({ type }) => type === shape.type).slice(0, AIM_LIMIT);
      for (const aim of same.length === 0 ? [undefined] : same)
        add(sampleShape(shape, aim, theirs, isSafe ? depth + 1 : depth));
    }
    const sampled = [...found].map(([text, value]) => ({ text, value }));
    if (isSafe || (depth === 0 && sampled.length <= limit)) return sampled;
    const ranked = sampled.map((each) => ({ ...each, rank: rank(evaluateAll(each.value, theirs)) }));
    return ranked.toSorted((a, b) => a.rank - b.rank).slice(0, limit);
  }

  function sampleShape(shape: Shape, aim: Shape | undefined, theirs: Conjunction, depth: number): readonly Json[] {
    const values = listValues(shape);
    if (values !== undefined) {
      return values.toSorted((a, b) => rank(evaluateAll(a, theirs)) - rank(evaluateAll(b, theirs)));
    }
    if (shape.type === "number") return sampleNumbers(shape, aim?.type === "number" ? aim : undefined);
    if (shape.type === "string") return sampleStrings(shape, aim?.type === "string" ? aim : undefined, languages);
    if (shape.type === "array") {
      return depth >= DEPTH_LIMIT ? [[]] : sampleArrays(shape, aim?.type === "array" ? aim : undefined, depth, sample);
    }
    if (shape.type !== "object") return [];
    return depth >= DEPTH_LIMIT
      ? [{}]
      : sampleObjects(shape, aim?.type === "object" ? aim : undefined, depth, sample, languages);
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
