import { nestsDeeper } from "../../json/nests-deeper.ts";
import type { Check, Json } from "../../json/types.ts";
import { isCostly } from "./evaluate.ts";
import { findWitnesses, type Reason, type Refused } from "./witnesses/find-witnesses.ts";
import { type Include, SILENT } from "./include.ts";
import type { Conjunction, Located } from "./located.ts";
import { createProver } from "./prover.ts";
import type { CompatRule } from "./rules.ts";
import { sampleValues } from "./witnesses/sample.ts";
import { showPlace } from "./show.ts";

/** Reason why one schema is no part of another, or might be none. */
export interface SchemaFinding {
  /** Path in a value: names of members, `[]` for any item, `*` for other members. */
  readonly path: readonly string[];
  readonly rule: CompatRule;
  readonly message: string;
  /** The smallest value found that the one schema takes and the other refuses at this place. */
  readonly value?: Json;
}

export type Comparison =
  /** Proven from the schemas' structure. */
  | { readonly verdict: "included"; readonly findings: readonly [] }
  /** Proven by `witness`, which the one validator takes and the other refuses. */
  | { readonly verdict: "excluded"; readonly findings: readonly SchemaFinding[]; readonly witness: Json }
  /** Neither a proof nor a value against it was found. */
  | { readonly verdict: "unknown"; readonly findings: readonly SchemaFinding[] };

/** A schema, and what really checks values against it. */
export interface Side {
  readonly place: Located;
  /** Further schemas that the check asks for. */
  readonly also?: Conjunction;
  readonly check: Check;
  /** Says whether the check can tell if a value fits; absent: always. Values of which it cannot are no examples. */
  readonly decides?: ((value: Json) => boolean) | undefined;
}

const FINDING_LIMIT = 50;
/** Containers in one another in a schema, beyond which it is not looked into. */
const NESTING_LIMIT = 100;

const TOO_COMPLEX: SchemaFinding = {
  path: [],
  rule: "condition-unproven",
  message: "The value is too complex to be compared",
};

/** Checks that every value of `inner` is a value of `outer`. */
export function compareSchemas(inner: Side, outer: Side): Comparison {
  if ([inner, outer].some(({ place }) => nestsDeeper(place.root.document, NESTING_LIMIT))) {
    return { verdict: "unknown", findings: [TOO_COMPLEX] };
  }
  const found = new Map<string, Reason>();
  const prove = createProver();
  const isProven = prove(toPlaces(inner), toPlaces(outer), [], (path, rule, phrase, breaks) => {
    const message = `${showPlace(path)} ${phrase}`;
    if (found.size < FINDING_LIMIT) found.set(`${rule} ${message}`, { path, rule, message, breaks });
  });
  if (isProven) return { verdict: "included", findings: [] };
  if (found.size === 0) found.set("", { ...TOO_COMPLEX, breaks: undefined });
  const { findings, smallest } = findWitnesses([...found.values()], findRefused(inner, outer, prove), (value) =>
    judge(value, inner, outer),
  );
  return smallest === undefined
    ? { verdict: "unknown", findings }
    : { verdict: "excluded", findings, witness: smallest.value };
}

/** Values that the one validator takes and the other refuses, the smallest first, as far as a search finds them. */
export function* findRefused(inner: Side, outer: Side, prove: Include): Generator<Refused> {
  const sampled = sampleValues(toPlaces(inner), toPlaces(outer), (own, theirs) => prove(own, theirs, [], SILENT));
  for (const { value } of sampled.toSorted((a, b) => a.text.length - b.text.length)) {
    const refused = judge(value, inner, outer);
    if (refused !== undefined) yield refused;
  }
}

function judge(value: Json, inner: Side, outer: Side): Refused | undefined {
  if (isCostly(value, inner.place) || isCostly(value, outer.place)) return undefined;
  if ([inner, outer].some(({ decides }) => decides?.(value) === false)) return undefined;
  if (inner.check(value, "first").length > 0) return undefined;
  const violations = outer.check(value, "first");
  return violations.length === 0 ? undefined : { value, violations, listViolations: () => outer.check(value) };
}

function toPlaces({ place, also = [] }: Side): Conjunction {
  return [place, ...also];
}
