import type { Check, Json } from "../json/types.ts";
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
import { locate, type Located, toPlace, toRoot } from "./schemas/located.ts";
import { createProver } from "./schemas/prover.ts";
import { toUnfilled } from "./schemas/defaults/unfilled.ts";
import { toKept } from "./declared/kept.ts";
import { compareNames, listForbidden, type Names } from "./declared/names.ts";
import type { Reading } from "./reading.ts";
import { showPlace } from "./schemas/show.ts";

/** `isForeign`: of another server than Cairn, which need not fill in defaults and adds no members of Cairn's. */
interface Origin {
  readonly isForeign?: true;
}

/** `decidesInput`: says whether `checkInput` can tell of a value; absent: of all. */
export type ToolInput = Pick<Tool, "input" | "checkInput" | "withDefaults"> &
  Origin & { readonly decidesInput?: (value: Json) => boolean };
/** `decidesOutput`: says whether `checkOutput` can tell of a value; absent: of all. */
export type ToolOutput = Pick<Tool, "output" | "checkOutput" | "stripUndeclared"> &
  Origin & { readonly decidesOutput?: (value: Json) => boolean };

/** `meaning`: what is still accepted, and means something else. */
export type InputComparison = Comparison & { readonly meaning: readonly SchemaFinding[] };

const INCLUDED: Comparison = { verdict: "included", findings: [] };

/**
 * Compares inputs: the tool must accept every call that it accepted before. Defaults are filled in before an input is
 * checked, so a newly required member may be left out where it has a default. With the reading `declared`, callers send no
 * member that they could not know, and those that they could know must stay known.
 */
export function compareInputs(before: ToolInput, after: ToolInput, reading: Reading): InputComparison {
  if (isSameText(before.input, after.input)) return { ...INCLUDED, meaning: [] };
  const meaning = compareDefaults(before.input, after.input, after.isForeign ? "plain" : reading);
  const names = reading === "declared" ? compareNames(before.input, after.input) : {};
  return { ...tellIgnored(compareAccepted(before, after, names), after), meaning };
}

function compareAccepted(before: ToolInput, after: ToolInput, { gained, lost }: Names): Comparison {
  const toSide = (tool: ToolInput, place: Located, forbidden: Located | undefined): Side => ({
    place,
    also: forbidden === undefined ? [] : [forbidden],
    decides: tool.decidesInput,
    check: (value, extent) => [
      ...tool.checkInput(tool.withDefaults(value), extent),
      ...(forbidden === undefined ? [] : listForbidden(forbidden, value as Json)),
    ],
  });
  if (after.isForeign)
    return compareSchemas(toSide(before, toPlace(before.input), gained), toSide(after, toPlace(after.input), lost));
  const [one, other] = [toUnfilled(before.input, "inner"), toUnfilled(after.input, "outer")];
  const unfilled = one && other && compareSchemas(toSide(before, one, gained), toSide(after, other, lost));
  if (unfilled !== undefined && unfilled.verdict !== "unknown") return unfilled;
  // What is filled in alike is alike after that: then the schemas of filled values can be compared.
  const inner = toSide(before, toPlace(before.input), gained);
  const outer = toSide(after, toPlace(after.input), lost);
  const filled = compareSchemas(inner, outer);
  const isProof = filled.verdict !== "included" || toFillPlan(before.input) === toFillPlan(after.input);
  if (isProof && (unfilled === undefined || filled.verdict === "included")) return filled;
  return unfilled ?? withoutProof(inner, outer);
}

/** Says of members that are refused for their names alone that the tool would ignore them. */
function tellIgnored(comparison: Comparison, { checkInput, withDefaults }: ToolInput): Comparison {
  if (comparison.verdict !== "excluded") return comparison;
  const findings = comparison.findings.map((finding): SchemaFinding => {
    const { rule, path, value } = finding;
    if (rule !== "member-closed" || value === undefined || checkInput(withDefaults(value), "first").length > 0) {
      return finding;
    }
    return { ...finding, message: `${showPlace(path)} is declared no more, and would be ignored` };
  });
  return { ...comparison, findings };
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

/**
 * Compares outputs: each later output must have been possible before. Read `plain`, all values of the schemas count;
 * `strict`, those that the service sends; `declared`, those that it sends next to those that the earlier schema allows,
 * by which clients check.
 */
export function compareOutputs(before: ToolOutput, after: ToolOutput, reading: Reading): Comparison {
  if (isSameText(before.output, after.output)) return INCLUDED;
  const published: Side = {
    place: toPlace(before.output),
    check: before.checkOutput,
    decides: before.decidesOutput,
  };
  return compareSchemas(
    toHandled(after, reading === "plain" ? undefined : toKept(after.output, "inner")),
    reading === "strict" ? toSent(published, before, "outer") : published,
  );
}

/** Finds the members that outputs could have, and that no later schema declares. */
export function findLostMembers(before: ToolOutput, after: ToolOutput): readonly SchemaFinding[] {
  const { lost } = compareNames(before.output, after.output);
  if (lost === undefined) return [];
  const check: Check = (value) => [...listForbidden(lost, value as Json)];
  const { findings } = compareSchemas(toHandled(before, toKept(before.output, "inner")), { place: lost, check });
  return findings;
}

/** As the service sends values: without what it strips. */
function toSent(published: Side, tool: ToolOutput, side: "inner" | "outer"): Side {
  const kept = toKept(tool.output, side);
  return kept === undefined ? published : { ...published, also: [kept], check: toSentCheck(tool, published.check) };
}

function toSentCheck({ stripUndeclared }: ToolOutput, check: Check): Check {
  return (value, extent) =>
    stripUndeclared(value as Json) === value ? check(value, extent) : [...check(value, extent), STRIPPED];
}

/** Members that the server adds to outputs whose schemas have them; a handler cannot leave them out. */
const HANDLE: Readonly<Record<string, JsonSchema>> = {
  conversation_id: { type: "string", format: "uuid" },
  logs_uri: { type: "string", pattern: "^logs://" },
};
const STRIPPED = { path: "", message: "has members that are not declared, and are stripped" };
const LACKING = [{ path: "", message: "lacks what the server puts into it" }];

/** An output with the server's part as a further condition, at a place of its own, as references may lead to the root. */
function toHandled(tool: ToolOutput, kept: Located | undefined): Side {
  const { properties } = tool.output;
  const own = Object.entries(tool.isForeign ? {} : HANDLE).filter(
    ([name]) => isObject(properties) && Object.hasOwn(properties, name),
  );
  const names = own.map(([name]) => name);
  const handled = locate({ required: names, properties: Object.fromEntries(own) }, toRoot(true));
  const checkSent = kept === undefined ? tool.checkOutput : toSentCheck(tool, tool.checkOutput);
  const isWhole = (value: unknown) => !isObject(value) || names.every((name) => typeof value[name] === "string");
  return {
    place: toPlace(tool.output),
    also: [...(own.length === 0 ? [] : [handled]), ...(kept === undefined ? [] : [kept])],
    decides: tool.decidesOutput,
    check: (value, extent) => (isWhole(value) ? checkSent(value, extent) : LACKING),
  };
}

/** Written alike, which most tools are. Members in another order are found to mean the same in the comparison. */
function isSameText(one: JsonSchema, other: JsonSchema): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
