import type { ErrorObject } from "ajv/dist/2020.js";
import type { SchemaNode } from "../../../json/schema-keywords.ts";
import { showCount, showTypes, showValue, showValues } from "./show.ts";

/** Describes a value's requirement, as the end of a sentence about it. */
export function toRequirement({ keyword, params, schema, parentSchema, message }: ErrorObject): string {
  const limit: unknown = params["limit"];
  switch (keyword) {
    case "type":
      return `must be ${showTypes([params["type"]].flat().map(String))}`;
    case "enum":
      return `must be one of ${showValues(asArray(params["allowedValues"]))}`;
    case "const":
      return `must be ${showValue(params["allowedValue"])}`;
    case "minimum":
      return `must be at least ${String(limit)}`;
    case "maximum":
      return `must be at most ${String(limit)}`;
    case "exclusiveMinimum":
      return `must be greater than ${String(limit)}`;
    case "exclusiveMaximum":
      return `must be less than ${String(limit)}`;
    case "multipleOf":
      return `must be a multiple of ${String(params["multipleOf"])}`;
    case "minLength":
      return limit === 1 ? "must not be empty" : `must have at least ${showCount(limit, "character")}`;
    case "maxLength":
      return `must have at most ${showCount(limit, "character")}`;
    case "minItems":
      return limit === 1 ? "must not be empty" : `must have at least ${showCount(limit, "item")}`;
    case "maxItems":
    case "items":
    case "unevaluatedItems":
      return `must have at most ${showCount(limit ?? params["len"], "item")}`;
    case "minProperties":
      return limit === 1 ? "must not be empty" : `must have at least ${showCount(limit, "property", "properties")}`;
    case "maxProperties":
      return `must have at most ${showCount(limit, "property", "properties")}`;
    case "uniqueItems":
      return "must not have the same item twice";
    case "contains":
      return `must contain at least ${showCount(params["minContains"], "item")} of the kind that the schema asks for`;
    case "pattern":
      return patternMessage(parentSchema) ?? `must match the pattern ${showValue(params["pattern"])}`;
    case "format":
      return `must be a valid ${showValue(params["format"])}${EXAMPLES[String(params["format"])] ?? ""}`;
    case "required":
      return `must have \`${String(params["missingProperty"])}\``;
    case "not":
      return `must not match ${showValue(schema)}`;
    case "false schema":
      return "is not allowed";
    default:
      return message ?? `does not fulfil \`${keyword}\``;
  }
}

const EXAMPLES: Readonly<Record<string, string>> = {
  date: " such as 2025-06-10",
  "date-time": " such as 2025-06-10T12:34:56Z",
  duration: " such as PT15M",
  time: " such as 12:34:56Z",
  uri: " such as https://example.com/",
};

function patternMessage(parent: SchemaNode | undefined): string | undefined {
  const text: unknown = parent?.["patternErrorMessage"];
  return typeof text === "string" ? text : undefined;
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
