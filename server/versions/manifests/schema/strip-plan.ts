import type { JsonSchema } from "../../../host-api.ts";
import { isObject } from "../../../json/is-object.ts";
import { IN_PLACE, type SchemaNode, subschemas } from "../../../json/schema-keywords.ts";
import { listTargets, toTarget } from "../../../json/resolve-reference.ts";
import { createSafePattern, type SafePattern } from "../../../json/safe-pattern.ts";

/** Combinations of schemas remembered; of a schema with more, the others are worked out each time they are met. */
const PLAN_LIMIT = 1000;

/** Plan of what is kept of a value to which several schemas apply at once. */
export interface Plan {
  readonly nodes: readonly SchemaNode[];
  /** Says whether members that nothing names are dropped. */
  readonly strips: boolean;
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly SafePattern[];
  /** True where all is kept that is in the value, because no schema speaks of parts of it. */
  readonly keepsAll: boolean;
  /** Plans of named members. */
  readonly members: Map<string, Plan>;
  /** Plans of what is met most often, once it was: members that nothing names, and items behind those with a schema of their own. */
  readonly others: { member?: Plan; item?: Plan };
}

/** Keywords whose schemas are about a part of the value. */
export const PARTS: ReadonlySet<string> = new Set(
  "additionalProperties contains items patternProperties prefixItems properties unevaluatedItems unevaluatedProperties".split(
    " ",
  ),
);

/** The schemas inside one schema, and what is known of those that were met. */
export interface Plans {
  /** Places that references can lead to. */
  readonly targets: ReturnType<typeof listTargets>;
  readonly ids: Map<SchemaNode, number>;
  /** By the ids of the schemas that apply together. */
  readonly made: Map<string, Plan>;
  /** Undefined: one that is not matched in linear time. */
  readonly patterns: Map<string, SafePattern | undefined>;
}

/** Creates the plans of a schema, as yet none. */
export function createPlans(schema: JsonSchema): Plans {
  return { targets: listTargets(schema), ids: new Map(), made: new Map(), patterns: new Map() };
}

export function toMember(plans: Plans, plan: Plan, name: string): Plan {
  const isNamed = plan.names.has(name);
  const known = isNamed ? plan.members.get(name) : plan.patterns.length === 0 ? plan.others.member : undefined;
  if (known !== undefined) return known;
  const member = toPlan(
    plans,
    plan.nodes.flatMap((node) => memberNodes(plans, node, name)),
  );
  if (isNamed) plan.members.set(name, member);
  else if (plan.patterns.length === 0) plan.others.member = member;
  return member;
}

/** Returns the plan of the item at an index. */
export function toItem(plans: Plans, plan: Plan, index: number): Plan {
  const isOther = plan.nodes.every(({ prefixItems }) => !Array.isArray(prefixItems) || prefixItems.length <= index);
  if (!isOther) return toPlan(plans, itemNodes(plan, index));
  plan.others.item ??= toPlan(plans, itemNodes(plan, index));
  return plan.others.item;
}

function memberNodes(plans: Plans, node: SchemaNode, name: string): readonly unknown[] {
  const { properties, patternProperties } = node;
  const found: unknown[] = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  for (const [source, inner] of Object.entries(isObject(patternProperties) ? patternProperties : {})) {
    if (toPattern(plans, source)?.test(name) === true) found.push(inner);
  }
  return found.length > 0 ? found : [node["additionalProperties"], node["unevaluatedProperties"]];
}

/** Returns the plan of a member that no schema names and that matches this pattern alone, or none. */
export function toOther(plans: Plans, { nodes }: Plan, source?: string): Plan {
  const others = nodes.flatMap((node): readonly unknown[] => {
    const { patternProperties } = node;
    const isMatched = source !== undefined && isObject(patternProperties) && Object.hasOwn(patternProperties, source);
    return isMatched ? [patternProperties[source]] : [node["additionalProperties"], node["unevaluatedProperties"]];
  });
  return toPlan(plans, others);
}

export function itemNodes({ nodes }: Plan, index: number): readonly unknown[] {
  return nodes.flatMap(({ prefixItems, items, contains, unevaluatedItems }) => {
    const first: unknown = Array.isArray(prefixItems) ? prefixItems[index] : undefined;
    return [first ?? items, contains, unevaluatedItems];
  });
}

export function toPlan(plans: Plans, start: readonly unknown[]): Plan {
  const key = start.flatMap((node) => (isObject(node) ? [idOf(plans, node)] : [])).join();
  const known = plans.made.get(key);
  if (known !== undefined) return known;
  const plan = createPlan(plans, start);
  if (plans.made.size < PLAN_LIMIT) plans.made.set(key, plan);
  return plan;
}

function createPlan(plans: Plans, start: readonly unknown[]): Plan {
  const all = expand(plans, start, (keyword) => IN_PLACE.has(keyword));
  const asserted = expand(plans, start, (keyword) => IN_PLACE.has(keyword) && keyword !== "not" && keyword !== "if");
  const certain = expand(plans, start, (keyword) => keyword === "allOf");
  const isUnsaid = (node: SchemaNode) =>
    ("properties" in node || "patternProperties" in node) && othersOf(node).length === 0;
  const strips =
    asserted.some(isUnsaid) &&
    !certain.some((node) => othersOf(node).includes(false)) &&
    !all.some((node) => othersOf(node).some((others) => others !== false) || holdsObject(node));
  return Object.freeze({
    nodes: all,
    strips,
    names: new Set(all.flatMap(namesOf)),
    patterns: all.flatMap(({ patternProperties }) =>
      isObject(patternProperties)
        ? Object.keys(patternProperties).flatMap((source) => toPattern(plans, source) ?? [])
        : [],
    ),
    keepsAll: !strips && !all.some((node) => Object.keys(node).some((keyword) => PARTS.has(keyword))),
    members: new Map(),
    others: {},
  });
}

/** Adds the schemas that apply to the value by way of references and of the wanted keywords. */
function expand(
  plans: Plans,
  start: readonly unknown[],
  isWanted: (keyword: string) => boolean,
): readonly SchemaNode[] {
  const found = new Set(start);
  // A set that grows while it is walked is walked to its new end.
  for (const node of found) {
    if (!isObject(node)) continue;
    for (const reference of [node["$ref"], node["$dynamicRef"]]) {
      if (typeof reference === "string") found.add(plans.targets.get(toTarget(reference)));
    }
    for (const { keyword, schema: inner } of subschemas(node)) if (isWanted(keyword)) found.add(inner);
  }
  return [...found].filter(isObject);
}

function toPattern(plans: Plans, source: string): SafePattern | undefined {
  if (!plans.patterns.has(source)) {
    const compiled = createSafePattern(source);
    plans.patterns.set(source, "refused" in compiled ? undefined : compiled);
  }
  return plans.patterns.get(source);
}

function idOf(plans: Plans, node: SchemaNode): number {
  const id = plans.ids.get(node) ?? plans.ids.size;
  plans.ids.set(node, id);
  return id;
}

export function isDeclared({ names, patterns }: Plan, name: string): boolean {
  return names.has(name) || patterns.some((pattern) => pattern.test(name));
}

/** Lists what a schema says of members that it does not name. */
export function othersOf({ additionalProperties, unevaluatedProperties }: SchemaNode): readonly unknown[] {
  return [additionalProperties, unevaluatedProperties].filter((said) => said !== undefined);
}

/** Says whether a schema gives whole objects to be equal to, and so declares all that is in them. */
function holdsObject({ const: constant, enum: values }: SchemaNode): boolean {
  return [constant, ...(Array.isArray(values) ? values : [])].some(isObject);
}

function namesOf({ properties, required, dependentRequired, dependentSchemas }: SchemaNode): readonly string[] {
  const dependents = isObject(dependentRequired) ? Object.values(dependentRequired) : [];
  return [
    ...[properties, dependentRequired, dependentSchemas].flatMap((map) => (isObject(map) ? Object.keys(map) : [])),
    ...[required, ...dependents].flatMap((names) => (Array.isArray(names) ? names.map(String) : [])),
  ];
}
