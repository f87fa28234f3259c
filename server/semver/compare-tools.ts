import type { Check } from "../json/types.ts";
import { isObject } from "../json/is-object.ts";
import type { JsonSchema } from "../host-api.ts";
import type { Tool } from "../versions/version.ts";
import { compareDefaults } from "./compare-defaults.ts";
import {
  compareSchemas,
  type Comparison,
  findRefused,
  type SchemaFinding,
  type Side,
} from "./schemas/compare-schemas.ts";
import { toFillPlan } from "./schemas/defaults/fill-plan.ts";
import { locate, type Located, toRoot } from "./schemas/located.ts";
import { createProver } from "./schemas/prover.ts";
import { toUnfilled } from "./schemas/defaults/unfilled.ts";

export type ToolInput = Pick<Tool, "input" | "checkInput" | "withDefaults">;
export type ToolOutput = Pick<Tool, "output" | "checkOutput">;

/** `meaning`: what is still accepted, and means something else. */
export type InputComparison = Comparison & { readonly meaning: readonly SchemaFinding[] };

const INCLUDED: Comparison = { verdict: "included", findings: [] };

/**
 * Compares inputs: the tool must accept every call that it accepted before. Defaults are filled in before an input is
 * checked, so a newly required member may be left out where it has a default.
 */
export function compareInputs(before: ToolInput, after: ToolInput): InputComparison {
  if (isSameText(before.input, after.input)) return { ...INCLUDED, meaning: [] };
  const meaning = compareDefaults(before.input, after.input);
  const [one, other] = [toUnfilled(before.input, "inner"), toUnfilled(after.input, "outer")];
  const toSide = (tool: ToolInput, place: Located): Side => ({
    place,
    check: (value, extent) => tool.checkInput(tool.withDefaults(value), extent),
  });
  const unfilled = one && other && compareSchemas(toSide(before, one), toSide(after, other));
  if (unfilled !== undefined && unfilled.verdict !== "unknown") return { ...unfilled, meaning };
  // What is filled in alike is alike after that: then the schemas of filled values can be compared.
  const [inner, outer] = [toSide(before, rootOf(before.input)), toSide(after, rootOf(after.input))];
  const filled = compareSchemas(inner, outer);
  const isProof = filled.verdict !== "included" || toFillPlan(before.input) === toFillPlan(after.input);
  if (isProof && (unfilled === undefined || filled.verdict === "included")) return { ...filled, meaning };
  return { ...(unfilled ?? withoutProof(inner, outer)), meaning };
}

/** Other defaults are filled in beside conditions that could tell them from what is given. */
function withoutProof(inner: Side, outer: Side): Comparison {
  const [smallest] = findRefused(inner, outer, createProver());
  const message =
    "The value is filled in with other defaults, beside conditions that could tell them from what is given";
  const finding: SchemaFinding = { path: [], rule: "condition-unproven", message };
  if (smallest === undefined) return { verdict: "unknown", findings: [finding] };
  const { value } = smallest;
  return { verdict: "excluded", findings: [{ ...finding, value }], witness: value };
}

/** Compares outputs: each later output must have been possible before. */
export function compareOutputs(before: ToolOutput, after: ToolOutput): Comparison {
  if (isSameText(before.output, after.output)) return INCLUDED;
  const { place, names } = toHandled(after.output);
  const isWhole = (value: unknown) => !isObject(value) || names.every((name) => typeof value[name] === "string");
  const check: Check = (value, extent) => (isWhole(value) ? after.checkOutput(value, extent) : LACKING);
  return compareSchemas({ place, check }, { place: rootOf(before.output), check: before.checkOutput });
}

/** Members that the server adds to outputs whose schemas have them; a handler cannot leave them out. */
const HANDLE: Readonly<Record<string, JsonSchema>> = {
  conversation_id: { type: "string", format: "uuid" },
  logs_uri: { type: "string", pattern: "^logs://" },
};
const LACKING = [{ path: "", message: "lacks what the server puts into it" }];

/** With the server's part as a further condition, at a place of its own, as references may lead to the root. */
function toHandled(schema: JsonSchema): { readonly place: Located; readonly names: readonly string[] } {
  const { properties } = schema;
  const own = Object.entries(HANDLE).filter(([name]) => isObject(properties) && Object.hasOwn(properties, name));
  const root = toRoot(schema);
  if (own.length === 0) return { place: locate(schema, root), names: [] };
  const names = own.map(([name]) => name);
  const handled = { allOf: [schema, { required: names, properties: Object.fromEntries(own) }] };
  return { place: locate(handled, root), names };
}

function rootOf(schema: JsonSchema): Located {
  return locate(schema, toRoot(schema));
}

/** Written alike, which most tools are. Members in another order are found to mean the same in the comparison. */
function isSameText(one: JsonSchema, other: JsonSchema): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
