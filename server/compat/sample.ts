import { canonicalJson } from "../canonical-json.ts";
import { isObject } from "../is-object.ts";
import type { Json } from "../store/store.ts";
import { evaluateAll } from "./evaluate.ts";
import { itemAt, mostItems } from "./include-array.ts";
import { memberOf } from "./include-object.ts";
import { ANYTHING, type Conjunction } from "./located.ts";
import { sampleNumbers, sampleStrings } from "./sample-scalars.ts";
import type { ArrayShape, ObjectShape, Shape } from "./shape.ts";
import { toShapesOfAll } from "./to-shapes.ts";

/** Values tried for one place, and how deep values nest. */
const SAMPLE_LIMIT = 40;
const MEMBER_SAMPLE_LIMIT = 8;
const DEPTH_LIMIT = 6;
const SHAPE_LIMIT = 12;
const ITEM_LIMIT = 70;
/** A name that hardly any schema knows. */
const STRANGER = "anotherMember";

/**
 * Values that `inner` may take, chosen near the edges of both schemas, where one of them is most likely to be no value
 * of `outer`. Whether they are values of either is for the caller to check.
 */
export function sample(inner: Conjunction, outer: Conjunction, depth = 0): readonly Json[] {
  const hints = toShapesOfAll(outer);
  const found = new Map<string, Json>();
  for (const shape of toShapesOfAll(inner).slice(0, SHAPE_LIMIT)) {
    const same = hints.filter(({ type }) => type === shape.type);
    for (const value of [...examplesOf(inner), ...sampleShape(shape, same, outer, depth)]) {
      if (found.size >= SAMPLE_LIMIT * SHAPE_LIMIT) break;
      if (evaluateAll(value, inner) !== false) found.set(canonicalJson(value), value);
    }
  }
  // Those first that are no values of the other.
  const values = [...found.values()].map((value) => ({ value, rank: rank(evaluateAll(value, outer)) }));
  return values
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, depth === 0 ? SAMPLE_LIMIT * SHAPE_LIMIT : SAMPLE_LIMIT)
    .map(({ value }) => value);
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

function sampleShape(shape: Shape, hints: readonly Shape[], outer: Conjunction, depth: number): readonly Json[] {
  if (shape.only !== undefined) {
    return shape.only
      .toSorted((a, b) => rank(evaluateAll(a, outer)) - rank(evaluateAll(b, outer)))
      .slice(0, SAMPLE_LIMIT);
  }
  if (shape.type === "number") return sampleNumbers(shape, hints);
  if (shape.type === "string") return sampleStrings(shape, hints);
  if (depth >= DEPTH_LIMIT) return shape.type === "array" ? [[]] : [{}];
  if (shape.type === "array") return sampleArrays(shape, hints, depth);
  return shape.type === "object" ? sampleObjects(shape, hints, depth) : [];
}

function sampleArrays(shape: ArrayShape, hints: readonly Shape[], depth: number): readonly Json[] {
  const most = mostItems(shape);
  const others = hints.filter((hint) => hint.type === "array");
  const lengths = [
    shape.minItems,
    shape.minItems + 1,
    most,
    ...others.flatMap((hint) => [hint.minItems - 1, mostItems(hint) + 1]),
  ];
  const outer = others.length === 1 ? (others[0]?.layers ?? []) : [];
  const samplesAt = (index: number) =>
    sample(itemAt(shape.layers, index), itemAt(outer, index), depth + 1).slice(0, MEMBER_SAMPLE_LIMIT);
  const whats = shape.contains.flatMap(({ what }) => sample(what, ANYTHING, depth + 1).slice(0, 2));
  return lengths
    .filter((length) => length >= shape.minItems && length <= Math.min(most, ITEM_LIMIT))
    .flatMap((length): Json[] => {
      const choices = Array.from({ length }, (_, index) => samplesAt(index));
      const base = choices.map(
        (values, index) => values[shape.unique ? index % Math.max(1, values.length) : 0] ?? null,
      );
      const changed = choices.flatMap((values, index) => values.map((value) => base.with(index, value)));
      const contained = whats.flatMap((what) => base.map((_, index) => base.with(index, what)));
      return [base, ...changed.slice(0, SAMPLE_LIMIT), ...contained];
    });
}

function sampleObjects(shape: ObjectShape, hints: readonly Shape[], depth: number): readonly Json[] {
  const others = hints.filter((hint) => hint.type === "object");
  const outer = others.length === 1 ? (others[0]?.layers ?? []) : [];
  const namesOf = ({ layers, required }: ObjectShape) => [
    ...required,
    ...layers.flatMap(({ properties }) => [...properties.keys()]),
  ];
  const names = [...new Set([...namesOf(shape), ...others.flatMap(namesOf), STRANGER])];
  const choices = new Map(
    names.map((name) => [
      name,
      sample(memberOf(shape.layers, name), memberOf(outer, name), depth + 1).slice(0, MEMBER_SAMPLE_LIMIT),
    ]),
  );
  const first = (name: string): readonly [string, Json][] =>
    (choices.get(name) ?? []).slice(0, 1).map((value) => [name, value]);
  const plain = (name: string): readonly [string, Json][] =>
    (choices.get(name) ?? []).slice(-1).map((value) => [name, value]);
  const least = Object.fromEntries([...shape.required].flatMap(plain));
  const full = Object.fromEntries(names.filter((name) => name !== STRANGER).flatMap(plain));
  const result: Json[] = [least, full, Object.fromEntries([...shape.required].flatMap(first))];
  for (const name of names) {
    const { [name]: _left, ...without } = full;
    if (!shape.required.has(name)) result.push(without);
    for (const value of choices.get(name) ?? []) result.push({ ...least, [name]: value }, { ...full, [name]: value });
  }
  const most = Math.min(ITEM_LIMIT, ...others.map(({ maxProperties }) => maxProperties + 1));
  if (most < ITEM_LIMIT) {
    const [value = 1] = choices.get(STRANGER) ?? [];
    result.push({
      ...full,
      ...Object.fromEntries(Array.from({ length: most }, (_, index) => [`${STRANGER}${index}`, value])),
    });
  }
  return result;
}
