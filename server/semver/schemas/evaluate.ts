import type { Json } from "../../json/types.ts";
import { isObject } from "../../json/is-object.ts";
import { type Conjunction, createMemory, type Located } from "./located.ts";
import {
  all,
  type Answer,
  type Constraint,
  type Constraints,
  type JsonObject,
  type Steps,
  toConstraints,
} from "./to-constraints.ts";

const DEPTH_LIMIT = 128;
/** Schemas looked at for one value: references can make them exponentially many. */
const STEP_LIMIT = 2_000;

const known = createMemory<Constraints>();

/**
 * Evaluates the value against the schema; undefined where this cannot decide (unevaluated parts, unsafe patterns, nesting without
 * end). It checks one value at a time, without compiling anything, as the parts of a comparison are many and small.
 */
export function evaluate(value: Json, located: Located): boolean | undefined {
  return visit(value, located, { left: STEP_LIMIT }, 0);
}

/** Checks that so many schemas apply to the value that checking it would take long. */
export function isCostly(value: Json, located: Located): boolean {
  const steps = { left: STEP_LIMIT };
  visit(value, located, steps, 0);
  return steps.left < 0;
}

export function evaluateAll(value: Json, conjunction: Conjunction): boolean | undefined {
  return all(conjunction.map((located) => evaluate(value, located)));
}

function visit(value: Json, located: Located, steps: Steps, depth: number): Answer {
  const { schema, root } = located;
  if (typeof schema === "boolean") return schema;
  if (depth > DEPTH_LIMIT || --steps.left < 0) return undefined;
  let constraints = known.get(located);
  if (constraints === undefined) known.set(located, (constraints = toConstraints(schema, root, visit)));
  const answer = meets(constraints.all, value, steps, depth);
  if (answer === false) return false;
  const own = meetsOwn(constraints, value, steps, depth);
  return own === true ? answer : own;
}

function meetsOwn(constraints: Constraints, value: Json, steps: Steps, depth: number): Answer {
  if (typeof value === "number") return meets(constraints.number, value, steps, depth);
  if (typeof value === "string") return meets(constraints.string, value, steps, depth);
  if (Array.isArray(value)) return meets(constraints.array, value as readonly Json[], steps, depth);
  return isObject(value) ? meets(constraints.object, value as JsonObject, steps, depth) : true;
}

function meets<Value extends Json>(
  constraints: readonly Constraint<Value>[],
  value: Value,
  steps: Steps,
  depth: number,
): Answer {
  let answer: Answer = true;
  for (const constraint of constraints) {
    const part = constraint(value, steps, depth);
    if (part === false) return false;
    if (part === undefined) answer = undefined;
  }
  return answer;
}
