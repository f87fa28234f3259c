import type { JsonSchema } from "../../host-api.ts";
import { isObject } from "../../json/is-object.ts";
import { toPointer } from "../../json/pointer.ts";
import { toLatestDraft } from "../../json/schema-draft.ts";
import type { SchemaNode } from "../../json/schema-keywords.ts";
import type { Json, Violation } from "../../json/types.ts";
import {
  createPlans,
  isDeclared,
  itemNodes,
  othersOf,
  type Plan,
  toMember,
  toOther,
  toPlan,
} from "../../versions/manifests/schema/strip-plan.ts";
import { follow, locate, type Located, toRoot } from "../schemas/located.ts";
import { isWithoutMeaning } from "../schemas/schema-text.ts";

/** Pairs of places looked at: schemas can combine in exponentially many ways. */
const PAIR_LIMIT = 2_000;

/**
 * Differences of the names of members that two schemas declare, each as a schema that forbids them at their places;
 * undefined where there are none.
 */
export interface Names {
  /** Names that the later schema declares, and the earlier one left open without a word about further members. */
  readonly gained?: Located | undefined;
  /** Names that the earlier schema declares, and the later one neither declares nor gives a schema as further members. */
  readonly lost?: Located | undefined;
}

/** Schemas for the same place in a value: what forbids gained names there, and what forbids lost ones. */
type Pair = readonly [gained: unknown, lost: unknown];

const NOTHING: Pair = [true, true];

/**
 * Compares the names that two schemas of tools declare, at each place of a value. Declared is as the service strips by.
 * Only gained names depend on an earlier root that says nothing of members, and only inputs are judged by those.
 */
export function compareNames(earlier: JsonSchema, later: JsonSchema): Names {
  const [before, after] = [sayNone(toLatestDraft(earlier)), toLatestDraft(later)];
  const [old, young] = [createPlans(before), createPlans(after)];
  const known = new Map<Plan, Map<Plan, string>>();
  const made = [new Map<string, unknown>(), new Map<string, unknown>()] as const;
  let count = 0;
  const [gained, lost] = refer(toPlan(old, [before]), toPlan(young, [after]));
  const toLocated = (schema: unknown, extra: ReadonlyMap<string, unknown>) =>
    [schema, ...extra.values()].some(forbids) ? locate(schema, toRoot(true, extra)) : undefined;
  return { gained: toLocated(gained, made[0]), lost: toLocated(lost, made[1]) };

  function refer(was: Plan, is: Plan): Pair {
    if (was.nodes.length === 0) return NOTHING;
    const own = known.get(was)?.get(is);
    if (own !== undefined) return [{ $ref: `#${own}` }, { $ref: `#${own}` }];
    // Beyond the limit no name counts as gained, and every object as one with lost names.
    if (++count > PAIR_LIMIT) return [true, false];
    const name = `/names/${count}`;
    known.set(was, (known.get(was) ?? new Map<Plan, string>()).set(is, name));
    const pair = convert(was, is);
    pair.forEach((schema, index) => made[index]?.set(name, schema));
    return [pair[0] === true || { $ref: `#${name}` }, pair[1] === true || { $ref: `#${name}` }];
  }

  function convert(was: Plan, is: Plan): Pair {
    const members = [...was.names.union(is.names)].map((name): readonly [string, Pair] => {
      const [isOld, isYoung] = [declares(was, name), declares(is, name)];
      if (!isOld && was.strips) return [name, [false, true]];
      if (was.names.has(name) && !isYoung && !isMap(is)) return [name, [true, false]];
      return [name, refer(toMember(old, was, name), toMember(young, is, name))];
    });
    const sources = [...new Set([...was.patterns, ...is.patterns].map(String))];
    const matching = sources.map((source): readonly [string, Pair] => [
      source,
      isOnly(source, was, is) ? refer(toOther(old, was, source), toOther(young, is, source)) : NOTHING,
    ]);
    const others = refer(toOther(old, was), toOther(young, is));
    const length = Math.max(lengthOf(was), lengthOf(is));
    const item = (index: number) => refer(toPlan(old, itemNodes(was, index)), toPlan(young, itemNodes(is, index)));
    const prefix = Array.from({ length }, (_, index) => item(index));
    const rest = item(length);
    return [0, 1].map((side) => {
      const pick = (pair: Pair) => pair[side];
      const all = [...members.map(([, pair]) => pair), ...matching.map(([, pair]) => pair), others, ...prefix, rest];
      if (all.every((pair) => pick(pair) === true)) return true;
      const toMapping = (entries: typeof members) =>
        Object.fromEntries(entries.map(([name, pair]) => [name, pick(pair)]));
      return {
        properties: toMapping(members),
        patternProperties: toMapping(matching),
        additionalProperties: pick(others),
        ...(length > 0 ? { prefixItems: prefix.map(pick) } : {}),
        items: pick(rest),
      };
    }) as unknown as Pair;
  }
}

/**
 * Adds empty `properties` to `{ type: object }`, by which servers say that a tool takes no arguments. Any other keyword
 * with a meaning says something of the members, so that they may be there.
 */
function sayNone(schema: JsonSchema): JsonSchema {
  const { type, ...others } = schema;
  const isBare = type === "object" && Object.keys(others).every(isWithoutMeaning);
  return isBare ? { ...schema, properties: {} } : schema;
}

/** Checks that a schema forbids a member somewhere; a name that only reads so costs nothing but time. */
export function forbids(schema: unknown): boolean {
  return JSON.stringify(schema).includes("false");
}

/** Lists the members of a value that one of those schemas forbids, at the objects that have them. */
export function* listForbidden({ schema, root }: Located, value: Json, pointer = ""): Generator<Violation> {
  if (typeof schema === "boolean" || typeof value !== "object" || value === null) return;
  const at = (inner: unknown, part: Json, step: string | number) =>
    listForbidden(locate(inner, root), part, pointer + toPointer([step]));
  if (typeof schema["$ref"] === "string") {
    const target = follow(schema["$ref"], root);
    if (target !== undefined) yield* listForbidden(target, value, pointer);
  } else if (Array.isArray(value)) {
    const prefix: readonly unknown[] = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : [];
    for (const [index, item] of (value as readonly Json[]).entries()) {
      yield* at(index < prefix.length ? prefix[index] : schema["items"], item, index);
    }
  } else {
    for (const [name, member] of Object.entries(value)) {
      const inner = toInner(schema, name, root.matches);
      if (inner === false) yield { path: pointer, message: `\`${name}\` is not declared` };
      else yield* at(inner, member, name);
    }
  }
}

function toInner(schema: SchemaNode, name: string, matches: Located["root"]["matches"]): unknown {
  const { properties, patternProperties, additionalProperties } = schema;
  if (isObject(properties) && Object.hasOwn(properties, name)) return properties[name];
  const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {});
  const hit = patterns.find(([source]) => matches(source, name) === true);
  return hit === undefined ? additionalProperties : hit[1];
}

/** Checks that a schema names the member, also among the names that it lets members have. */
function declares(plan: Plan, name: string): boolean {
  return (
    isDeclared(plan, name) ||
    plan.nodes.some(({ propertyNames: rule }) => {
      if (!isObject(rule)) return false;
      return rule["const"] === name || (Array.isArray(rule["enum"]) && rule["enum"].includes(name));
    })
  );
}

/** Checks that a schema says what members under any name are. */
function isMap({ nodes }: Plan): boolean {
  return nodes.some((node) =>
    othersOf(node).some((others) => isObject(others) && !Object.keys(others).every(isWithoutMeaning)),
  );
}

/** Checks that both schemas have this pattern alone, and name no member that has it. */
function isOnly(source: string, was: Plan, is: Plan): boolean {
  return [was, is].every(
    ({ patterns, names }) =>
      patterns.length > 0 &&
      patterns.every((pattern) => String(pattern) === source && ![...names].some((name) => pattern.test(name))),
  );
}

function lengthOf({ nodes }: Plan): number {
  return Math.max(0, ...nodes.map(({ prefixItems }) => (Array.isArray(prefixItems) ? prefixItems.length : 0)));
}
