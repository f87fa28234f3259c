import type { JsonSchema } from "../host-api.ts";
import { isObject } from "../json/is-object.ts";
import type { Tool } from "../versions/version.ts";
import type { BumpRule } from "./bump-rules.ts";
import { compareInputs, compareOutputs, findLostMembers, type ToolInput, type ToolOutput } from "./compare-tools.ts";
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
  const meaning = forth.meaning.map((finding) => toFinding("input-meaning-changed", is, "input", finding));
  if (forth.verdict !== "included") return [...toFindings(forth, is, "input"), ...meaning];
  if (meaning.length > 0) return meaning;
  const isWider = compareInputs(is, was, reading).verdict !== "included";
  return [toRewording(isWider ? "input-widened" : "schema-reworded", is, "input")];
}

function findOutputChanges(was: SchemaTool, is: SchemaTool, reading: Reading): readonly Finding[] {
  if (isSame(was.output, is.output)) return [];
  const forth = compareOutputs(was, is, reading);
  const lost = reading === "declared" ? findLostMembers(was, is) : [];
  const gone = lost.map((finding) => toFinding("output-member-removed", is, "output", finding));
  if (forth.verdict !== "included") return [...toFindings(forth, is, "output"), ...gone];
  if (gone.length > 0) return gone;
  if (reading === "declared" && compareOutputs(was, is, "strict").verdict !== "included") {
    return [toRewording("output-extended", is, "output")];
  }
  const sent = reading === "declared" ? "strict" : reading;
  const isNarrower = compareOutputs(is, was, sent).verdict !== "included";
  return [toRewording(isNarrower ? "output-narrowed" : "schema-reworded", is, "output")];
}

type Key = "input" | "output";

function toFindings(comparison: Comparison, tool: SchemaTool, key: Key): readonly Finding[] {
  const { verdict, findings } = comparison;
  const isExcluded = verdict === "excluded";
  const unproven = `${key}-unproven` as const;
  const proven = key === "input" ? "input-narrowed" : "output-widened";
  if (findings.length === 0) {
    const witness = isExcluded ? { value: comparison.witness } : {};
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
    const value = isExcluded && !hasOwn && index === 0 ? { value: comparison.witness } : {};
    return toFinding(isProven ? proven : unproven, tool, key, { ...value, ...finding });
  });
}

function toFinding(
  rule: BumpRule,
  { name, server, file, ...tool }: SchemaTool,
  key: Key,
  finding: SchemaFinding,
): Finding {
  const { path, value, rule: schemaRule } = finding;
  const phrase = rule === "output-member-removed" ? "could be there, and does not come any more" : OUTPUTS[schemaRule];
  const message = key === "input" ? finding.message : `${showPlace(path)} ${phrase}`;
  const place = placeIn("after", file, key, ...toSteps(tool[key], path));
  const why = rule === `${key}-unproven` ? ", and it cannot be proven compatible" : "";
  const about = {
    server,
    tool: name,
    schemaRule,
    ...defined({ value }),
    ...(path.length > 0 && { member: path.join(".") }),
  };
  return createFinding(rule, `${key === "input" ? "Input" : "Output"} of \`${name}\`: ${message}${why}.`, place, about);
}

type Rewording = "input-widened" | "output-extended" | "output-narrowed" | "schema-reworded";

function toRewording(rule: Rewording, tool: SchemaTool, key: Key): Finding {
  const { name, server, file } = tool;
  const what = {
    "input-widened": "accepts more than before",
    "output-extended": "has more than before, which clients were free to expect",
    "output-narrowed": "promises more than before",
    "schema-reworded": "is worded in another way, and allows the same",
  }[rule];
  const place = placeIn("after", file, key);
  return createFinding(rule, `The ${key} of \`${name}\` ${what}.`, place, { server, tool: name });
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
