import { readRfc3339 } from "../time/read-rfc3339.ts";
import { hasFormat } from "./formats.ts";
import { matchesPattern } from "./matches-pattern.ts";
import type { Field } from "./read-fields.ts";

/** Checks that `value` has the field's type, is within its bounds and, as far as cheaply checked, has its form. */
export function fits(field: Field, value: unknown): boolean {
  const { kind, schema, choices, items } = field;
  switch (kind) {
    case "choice":
      return choices.some((choice) => choice === value);
    case "flag":
      return typeof value === "boolean";
    case "integer":
      return Number.isInteger(value) && isWithin(schema, value as number);
    case "number":
      return typeof value === "number" && Number.isFinite(value) && isWithin(schema, value);
    case "date-time":
      return typeof value === "string" && (value === "now" ? namesNow(field) : readRfc3339(value) !== undefined);
    case "date":
      return typeof value === "string" && readRfc3339(`${value}T00:00:00Z`) !== undefined;
    case "time":
      return typeof value === "string" && readRfc3339(`2000-01-01T${value}`) !== undefined;
    case "text":
      return (
        typeof value === "string" &&
        hasLength(schema, value.length, "minLength", "maxLength") &&
        hasFormat(value, schema["format"]) &&
        matchesPattern(schema, value) !== false
      );
    case "list":
      return (
        Array.isArray(value) &&
        hasLength(schema, value.length, "minItems", "maxItems") &&
        value.every((item) => !items || fits(items, item))
      );
    case "opaque":
      return true;
  }
}

/** Checks that the field accepts the word `now` in place of a date-time. */
export function namesNow({ description, schema }: Field): boolean {
  return /["'`“‘]now["'`”’]/i.test(description) || schema["default"] === "now";
}

function isWithin(schema: Field["schema"], value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return (
    !(typeof minimum === "number" && value < minimum) &&
    !(typeof maximum === "number" && value > maximum) &&
    !(typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) &&
    !(typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) &&
    !(typeof multipleOf === "number" && !Number.isInteger(value / multipleOf))
  );
}

function hasLength(schema: Field["schema"], length: number, least: string, most: string): boolean {
  const [low, high] = [schema[least], schema[most]];
  return !(typeof low === "number" && length < low) && !(typeof high === "number" && length > high);
}
