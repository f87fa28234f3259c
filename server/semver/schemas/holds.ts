import type { Json } from "../../json/types.ts";
import { isObject } from "../../json/is-object.ts";
import { isMultiple, isWithin } from "./bounds.ts";
import { evaluateAll } from "./evaluate.ts";
import { itemAt, memberOf } from "./parts.ts";
import { isAmong } from "./same.ts";
import { type ArrayShape, type NumberShape, type ObjectShape, type Shape, typeOf } from "./shape.ts";

type Answer = boolean | undefined;

/** Checks that a value has a shape, apart from `only` and `except`; undefined where that is not decidable. */
export function holds(value: Json, shape: Shape): Answer {
  if (typeOf(value) !== shape.type) return false;
  const answer = meets(value, shape);
  return answer === true && shape.opaque.size > 0 ? undefined : answer;
}

/** Checks that a value certainly has the shape. */
export function isInside(value: Json, shape: Shape): boolean {
  if (shape.only !== undefined && !isAmong(shape.only, value)) return false;
  return !isAmong(shape.except, value) && holds(value, shape) === true;
}

/** Checks that a value certainly does not have the shape. */
export function isOutside(value: Json, shape: Shape): boolean {
  if (shape.only !== undefined && !isAmong(shape.only, value)) return true;
  return isAmong(shape.except, value) || holds(value, shape) === false;
}

function meets(value: Json, shape: Shape): Answer {
  if (shape.type === "number" && typeof value === "number") return meetsNumber(value, shape);
  if (shape.type === "string" && typeof value === "string") {
    const length = [...value].length;
    if (length < shape.minLength || length > shape.maxLength) return false;
    return shape.patterns.size + shape.formats.size > 0 ? undefined : true;
  }
  if (shape.type === "array" && Array.isArray(value)) return meetsArray(value as readonly Json[], shape);
  if (shape.type === "object" && isObject(value)) return meetsObject(value as Readonly<Record<string, Json>>, shape);
  return true;
}

function meetsNumber(value: number, shape: NumberShape): Answer {
  if (!isWithin(value, shape) || (shape.integer && !Number.isInteger(value))) return false;
  return all(shape.multiples.map((multiple) => isMultiple(value, multiple)));
}

function meetsArray(value: readonly Json[], shape: ArrayShape): Answer {
  if (value.length < shape.minItems || value.length > shape.maxItems) return false;
  const answer = all(value.map((item, index) => evaluateAll(item, itemAt(shape.layers, index))));
  return answer === true && (shape.unique || shape.contains.length > 0) ? undefined : answer;
}

function meetsObject(value: Readonly<Record<string, Json>>, shape: ObjectShape): Answer {
  const members = Object.entries(value);
  if (members.length < shape.minProperties || members.length > shape.maxProperties) return false;
  if (![...shape.required].every((name) => Object.hasOwn(value, name))) return false;
  return all([
    ...members.map(([name, member]) => evaluateAll(member, memberOf(shape.layers, name))),
    ...shape.names.flatMap((names) => members.map(([name]) => evaluateAll(name, names))),
    // Where a pattern cannot be matched, `memberOf` leaves out what might apply.
    ...shape.layers.flatMap(({ patterns }) =>
      [...patterns.values()].map(({ matches }) => (matches("") === undefined ? undefined : true)),
    ),
  ]);
}

function all(answers: readonly Answer[]): Answer {
  return answers.includes(false) ? false : answers.includes(undefined) ? undefined : true;
}
