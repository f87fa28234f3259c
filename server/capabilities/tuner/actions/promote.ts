import { CairnError } from "../../../errors.ts";
import { canonicalJson } from "../../../json/canonical-json.ts";
import { canBe } from "../../../versions/manifests/kinds/read-arms.ts";
import type { Values } from "../state/values.ts";
import { suggestValues } from "../state/suggest-values.ts";
import type { TunedSet } from "../state/tuned-set.ts";
import { type Desk, openBook } from "./desk.ts";

export interface PromoteRequest {
  readonly experiment: string;
  /** Neither: what staging holds for best. */
  readonly arm?: string;
  readonly values?: Values;
}

/**
 * Makes values active at once. Values that are active already stay so, whatever made them: the same request again, or one for
 * what has become the default meanwhile, succeeds and records nothing. @throws CONFLICT when nothing is known yet.
 */
export async function promote(desk: Desk, { experiment, arm, values }: PromoteRequest) {
  const { ledger, set, state, enter } = await openBook(desk, experiment);
  const next = arm === undefined && values === undefined ? suggestValues(set, state()) : choose(set, arm, values);
  if (next === undefined) {
    throw new CairnError("CONFLICT", `Nothing is known of \`${experiment}\` yet that could be promoted.`);
  }
  if (canonicalJson(next.values) === canonicalJson(state().active.values)) {
    return { set, state: await ledger.read(), isChanged: false };
  }
  const given = next.arm === undefined ? {} : { arm: next.arm };
  enter({ kind: "promoted", values: next.values, ...given, by: desk.actor, at: desk.now });
  return { set, state: state(), isChanged: true };
}

/** Goes back to what was active before. @throws CONFLICT when nothing was. */
export async function revert(desk: Desk, { experiment }: { readonly experiment: string }) {
  const { set, state, enter } = await openBook(desk, experiment);
  if (state().former.length === 0) {
    throw new CairnError("CONFLICT", `Nothing was active in \`${experiment}\` before what is active now.`);
  }
  enter({ kind: "reverted", by: desk.actor, at: desk.now });
  return { set, state: state(), isChanged: true };
}

function choose(set: TunedSet, arm: string | undefined, values: Values | undefined) {
  const { arms } = set.experiment;
  if (arm !== undefined && values !== undefined) {
    throw new CairnError("BAD_REQUEST", "Name an `arm` or `values`, not both.");
  }
  if (arm !== undefined) {
    const found = arms.find(({ name }) => name === arm);
    if (found !== undefined) return { arm, values: found.values };
    const names = arms.map(({ name }) => `\`${name}\``).join(", ") || "none";
    throw new CairnError("BAD_REQUEST", `There is no arm \`${arm.slice(0, 64)}\`; there are: ${names}.`);
  }
  const wanted = values ?? {};
  for (const name of Object.keys(wanted)) {
    if (!set.parameters.has(name)) {
      throw new CairnError("BAD_REQUEST", `\`${set.name}\` has no parameter \`${name.slice(0, 64)}\`.`);
    }
  }
  for (const [name, parameter] of set.parameters) {
    const value = wanted[name];
    if (value === undefined || !canBe(parameter, value)) {
      throw new CairnError("BAD_REQUEST", `\`${name}\` of \`${set.name}\` cannot be \`${String(value)}\`.`);
    }
  }
  const same = arms.find((one) => canonicalJson(one.values) === canonicalJson(wanted));
  return { values: wanted, ...(same === undefined ? {} : { arm: same.name }) };
}
