import type { JsonSchema } from "../../host-api.ts";
import { toLatestDraft } from "../../json/schema-draft.ts";
import {
  createPlans,
  itemNodes,
  type Plan,
  toMember,
  toOther,
  toPlan,
} from "../../versions/manifests/schema/strip-plan.ts";
import { forbids } from "./names.ts";
import { locate, type Located, toRoot } from "../schemas/located.ts";

/** Plans looked at: schemas can combine in exponentially many ways. */
const PLAN_LIMIT = 500;

/**
 * Creates the schema of the values that lose nothing when the service strips undeclared members (`createStripUndeclared`);
 * undefined where those are all values. Where patterns of names overlap, an `inner` schema takes more values than that,
 * and an `outer` one fewer: both err on the side of no proof.
 */
export function toKept(written: JsonSchema, side: "inner" | "outer"): Located | undefined {
  const schema = toLatestDraft(written);
  const plans = createPlans(schema);
  const names = new Map<Plan, string>();
  const made = new Map<string, unknown>();
  const start = refer(toPlan(plans, [schema]));
  return [...made.values(), start].some(forbids) ? locate(start, toRoot(true, made)) : undefined;

  function refer(plan: Plan): unknown {
    if (plan.nodes.length === 0) return true;
    const known = names.get(plan);
    if (known !== undefined) return { $ref: `#${known}` };
    if (names.size >= PLAN_LIMIT) return side === "inner";
    const name = `/kept/${names.size}`;
    names.set(plan, name);
    const converted = convert(plan);
    made.set(name, converted);
    return converted === true ? true : { $ref: `#${name}` };
  }

  function convert(plan: Plan): unknown {
    const { nodes } = plan;
    const members = [...plan.names].map((name): [string, unknown] => [name, refer(toMember(plans, plan, name))]);
    const sources = [...new Set(plan.patterns.map(String))];
    const isExact =
      sources.length < 2 && !plan.patterns.some((pattern) => [...plan.names].some((name) => pattern.test(name)));
    const matching = sources.map((source): [string, unknown] => [
      source,
      isExact || side === "outer" ? refer(toOther(plans, plan, source)) : true,
    ]);
    const additional = plan.strips ? false : refer(toOther(plans, plan));
    const length = Math.max(
      0,
      ...nodes.map(({ prefixItems }) => (Array.isArray(prefixItems) ? prefixItems.length : 0)),
    );
    const prefix = Array.from({ length }, (_, index) => refer(toPlan(plans, itemNodes(plan, index))));
    const rest = refer(toPlan(plans, itemNodes(plan, length)));
    const parts = [...members, ...matching].map(([, part]) => part);
    if ([additional, rest, ...prefix, ...parts].every((part) => part === true)) return true;
    return {
      properties: Object.fromEntries(members),
      patternProperties: Object.fromEntries(matching),
      additionalProperties: additional,
      ...(length > 0 ? { prefixItems: prefix } : {}),
      items: rest,
    };
  }
}
