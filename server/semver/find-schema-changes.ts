import type { JsonSchema } from "../host-api.ts";
import { isObject } from "../json/is-object.ts";
import type { SchemaNode } from "../json/schema-keywords.ts";
import type { Check, Json } from "../json/types.ts";
import type { Tool } from "../versions/version.ts";
import type { BumpRule } from "./bump-rules.ts";
import { explainMembers, explainWidenings, type Widening } from "./explain-schemas.ts";
import { compareInputs, compareOutputs, findLostMembers, type ToolInput, type ToolOutput } from "./compare-tools.ts";
import { createOutputSearch, explainRefusal, findOtherReading } from "./find-example.ts";
import type { Reading } from "./reading.ts";
import type { Comparison, SchemaFinding } from "./schemas/compare-schemas.ts";
import type { CompatRule } from "./schemas/rules.ts";
import { isSame } from "./schemas/same.ts";
import { showPlace } from "./schemas/show.ts";
import { createFinding, type Finding, placeIn, type Step } from "./finding.ts";
import { defined } from "../json/defined.ts";

/** Tool as far as its schemas matter. */
export type SchemaTool = Pick<Tool, "name" | "server" | "file"> & ToolInput & ToolOutput;

/** Finds differences of a tool's schemas: of inputs that callers may send, and outputs that they may receive. */
export function findSchemaChanges(was: SchemaTool, is: SchemaTool, reading: Reading): readonly Finding[] {
  return [...findInputChanges(was, is, reading), ...findOutputChanges(was, is, reading)];
}

function findInputChanges(was: SchemaTool, is: SchemaTool, reading: Reading): readonly Finding[] {
  if (isSame(was.input, is.input)) return [];
  const forth = compareInputs(was, is, reading);
  const meaning = forth.meaning.map((finding) => {
    const example = findOtherReading(was, is, finding.path);
    return toFinding("input-meaning-changed", is, "input", { ...finding, ...example });
  });
  const refuse = (value: Json, path: readonly string[]) =>
    defined({ refusal: explainRefusal((each) => is.checkInput(is.withDefaults(each)), value, path) });
  if (forth.verdict !== "included") return [...toFindings(forth, is, "input", refuse), ...meaning];
  if (meaning.length > 0) return meaning;
  const back = compareInputs(is, was, reading);
  if (back.verdict === "included") return [toRewording(was, is, "input")];
  const widenings = explainWidenings(was.input, back.findings);
  if (widenings.length === 0) return [toWhole("input-widened", is, "input")];
  return widenings.map((widening) => toWidening(was, is, widening));
}

function findOutputChanges(was: SchemaTool, is: SchemaTool, reading: Reading): readonly Finding[] {
  if (isSame(was.output, is.output)) return [];
  const forth = compareOutputs(was, is, reading);
  const lost = reading === "declared" ? findLostMembers(was, is) : [];
  const gone = lost.map((finding) => {
    const after = finding.value === undefined ? undefined : is.stripUndeclared(finding.value);
    return toFinding("output-member-removed", is, "output", { ...finding, ...defined({ after }) });
  });
  const findBefore = createOutputSearch(was, is);
  const before = (value: Json, path: readonly string[]) => defined({ before: findBefore(value, path) });
  if (forth.verdict !== "included") return [...toFindings(forth, is, "output", before), ...gone];
  if (gone.length > 0) return gone;
  const strict = reading === "declared" ? compareOutputs(was, is, "strict") : forth;
  if (strict.verdict !== "included") return toParts("output-extended", strict, is);
  const narrower = compareOutputs(is, was, reading === "declared" ? "strict" : reading);
  return narrower.verdict === "included" ? [toRewording(was, is, "output")] : toParts("output-narrowed", narrower, is);
}

type Key = "input" | "output";

/** Finds what came of an example, which is about the part at a path, on the other side of a change. */
type Explain = (value: Json, path: readonly string[]) => Outcome;
type Outcome = Pick<Finding, "before" | "after" | "refusal">;

function toFindings(comparison: Comparison, tool: SchemaTool, key: Key, explain: Explain): readonly Finding[] {
  const { verdict, findings } = comparison;
  const isExcluded = verdict === "excluded";
  const unproven = `${key}-unproven` as const;
  const proven = key === "input" ? "input-narrowed" : "output-widened";
  if (findings.length === 0) {
    const witness = isExcluded ? { value: comparison.witness, ...explain(comparison.witness, []) } : {};
    const message = `The ${key} differs in what it allows`;
    return [
      toFinding(isExcluded ? proven : unproven, tool, key, {
        path: [],
        rule: "condition-unproven",
        message,
        ...witness,
      }),
    ];
  }
  // Where nothing has a value of its own, the whole one speaks for all.
  const hasOwn = findings.some(({ value }) => value !== undefined);
  return findings.map((finding, index) => {
    const isProven = finding.value !== undefined || (isExcluded && !hasOwn);
    const value = finding.value ?? (isExcluded && !hasOwn && index === 0 ? comparison.witness : undefined);
    const outcome = value === undefined ? {} : { value, ...explain(value, finding.path) };
    return toFinding(isProven ? proven : unproven, tool, key, { ...finding, ...outcome });
  });
}

function toFinding(
  rule: BumpRule,
  { name, server, file, ...tool }: SchemaTool,
  key: Key,
  finding: SchemaFinding & Outcome,
): Finding {
  const { path, value, before, after, refusal, rule: schemaRule } = finding;
  const phrase = rule === "output-member-removed" ? "could be there, and does not come any more" : OUTPUTS[schemaRule];
  const needed = key === "input" ? explainMembers(tool.input, finding) : undefined;
  const message = key === "input" ? (needed ?? finding.message) : `${showPlace(path)} ${phrase}`;
  const place = placeIn("after", file, key, ...toSteps(tool[key], path));
  const why = rule === `${key}-unproven` ? ", and it cannot be proven compatible" : "";
  const about = {
    server,
    tool: name,
    schemaRule,
    ...defined({ value, before, after, refusal }),
    ...(path.length > 0 && { member: path.join(".") }),
  };
  return createFinding(rule, `${key === "input" ? "Input" : "Output"} of \`${name}\`: ${message}${why}.`, place, about);
}

function toWidening(was: SchemaTool, is: SchemaTool, { path, message, value }: Widening): Finding {
  const { name, server, file, input } = is;
  const place = placeIn("after", file, "input", ...toSteps(input, path));
  const member = path.length > 0 ? { member: path.join(".") } : {};
  const smallest = value === undefined ? undefined : toSmallest(was, is, value, path);
  const check: Check = (each) => was.checkInput(was.withDefaults(each));
  const refusal = smallest === undefined ? undefined : explainRefusal(check, smallest, path);
  const about = { server, tool: name, ...member, ...defined({ value: smallest, refusal }) };
  return createFinding("input-widened", `Input of \`${name}\`: ${message}.`, place, about);
}

/** Leaves out the members of an example that a call does not need, and that it is not about. */
function toSmallest(was: ToolInput, is: ToolInput, value: Json, [about]: readonly string[]): Json {
  if (!isObject(value)) return value;
  const accepts = ({ checkInput, withDefaults }: ToolInput, each: Json) =>
    checkInput(withDefaults(each), "first").length === 0;
  const isIgnored = accepts(was, value);
  return Object.keys(value).reduce<Readonly<Record<string, Json>>>(
    (kept, name) => {
      const { [name]: _left, ...less } = kept;
      return name !== about && accepts(is, less) && (isIgnored || !accepts(was, less)) ? less : kept;
    },
    value as Readonly<Record<string, Json>>,
  );
}

/** Findings of an output that are told one by one. */
const PARTS_SHOWN = 5;

/** Turns what differs of outputs without breaking anyone into a finding for each member. */
function toParts(
  rule: "output-extended" | "output-narrowed",
  { findings }: Comparison,
  tool: SchemaTool,
): readonly Finding[] {
  const { name, server, file, output } = tool;
  const toText = ({ path, rule: schemaRule, message }: SchemaFinding) => {
    const place = showPlace(path);
    if (rule === "output-extended") return schemaRule === "member-closed" ? `${place} can be there now` : undefined;
    return schemaRule === "required-added" ? `${place} is always there now` : message;
  };
  const parts = findings.flatMap((finding) => {
    const { path, value } = finding;
    const text = path.length === 0 || value === undefined ? undefined : toText(finding);
    if (text === undefined) return [];
    const place = placeIn("after", file, "output", ...toSteps(output, path));
    const about = { server, tool: name, member: path.join("."), ...defined({ value }) };
    return [createFinding(rule, `Output of \`${name}\`: ${text}.`, place, about)];
  });
  return parts.length === 0 || parts.length > PARTS_SHOWN ? [toWhole(rule, tool, "output")] : parts;
}

function toWhole(
  rule: "input-widened" | "output-extended" | "output-narrowed",
  { name, server, file }: SchemaTool,
  key: Key,
): Finding {
  const what = {
    "input-widened": "accepts more than before",
    "output-extended": "has more than before, which clients were free to expect",
    "output-narrowed": "promises more than before",
  }[rule];
  return createFinding(rule, `The ${key} of \`${name}\` ${what}.`, placeIn("after", file, key), { server, tool: name });
}

/** Names the member that is worded in another way, where it is only one. */
function toRewording(was: SchemaTool, { name, server, file, ...is }: SchemaTool, key: Key): Finding {
  const path = findOnlyDifference(was[key], is[key]);
  const what = "is worded in another way, and allows the same";
  const place = placeIn("after", file, key, ...toSteps(is[key], path));
  if (path.length === 0) {
    return createFinding("schema-reworded", `The ${key} of \`${name}\` ${what}.`, place, { server, tool: name });
  }
  const message = `${key === "input" ? "Input" : "Output"} of \`${name}\`: ${showPlace(path)} ${what}.`;
  return createFinding("schema-reworded", message, place, { server, tool: name, member: path.join(".") });
}

/** Finds the path to the one member in which two schemas differ, as deep as it goes; empty where there are several. */
function findOnlyDifference(one: unknown, other: unknown): readonly string[] {
  if (!isObject(one) || !isObject(other)) return [];
  const keys = listDifferent(one, other);
  const [key] = keys;
  if (keys.length !== 1 || (key !== "properties" && key !== "items")) return [];
  const [old, young] = [one[key], other[key]];
  if (key === "items") return Array.isArray(old) ? [] : ["[]", ...findOnlyDifference(old, young)];
  if (!isObject(old) || !isObject(young)) return [];
  const [name, ...more] = listDifferent(old, young);
  const isMember = name !== undefined && more.length === 0 && Object.hasOwn(old, name) && Object.hasOwn(young, name);
  return isMember ? [name, ...findOnlyDifference(old[name], young[name])] : [];
}

function listDifferent(one: SchemaNode, other: SchemaNode): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (key) => !isSame((one[key] ?? null) as Json, (other[key] ?? null) as Json),
  );
}

/** As those who get outputs see it: what the new schema allows, and the old one did not. */
const OUTPUTS: Readonly<Record<CompatRule, string>> = {
  "type-narrowed": "can be of a type that it could not be of",
  "values-narrowed": "can be a value that it could not be",
  "bound-narrowed": "can be a number that it could not be",
  "length-narrowed": "can be longer or shorter than before",
  "pattern-narrowed": "need not match the pattern or format that it had to",
  "required-added": "may be left out",
  "member-closed": "can be there, and could not",
  "items-narrowed": "can have items that it could not have",
  "default-changed": "has another default",
  "condition-unproven": "meets another condition",
};

/** Finds the steps in a schema to the values at `path`, without following references. */
function toSteps(schema: JsonSchema, path: readonly string[]): readonly Step[] {
  const steps: string[] = [];
  let node: unknown = schema;
  for (const name of path) {
    const inner: readonly string[] =
      name === "[]" ? ["items"] : name === "*" ? ["additionalProperties"] : ["properties", name];
    const next = inner.reduce<unknown>(
      (at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined),
      node,
    );
    if (next === undefined) break;
    steps.push(...inner);
    node = next;
  }
  return steps;
}
