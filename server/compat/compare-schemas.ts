import type { Json } from "../store/store.ts";
import { type CompatRule } from "./failure.ts";
import { createInclude } from "./include.ts";
import { toRoot } from "./located.ts";
import { sample } from "./sample.ts";
import { canonicalJson } from "../canonical-json.ts";

/** What makes one schema no part of another, or might. */
export interface SchemaFinding {
  /** Where in a value: names of members, `[]` for any item, `*` for members without a name of their own. */
  readonly path: readonly string[];
  readonly rule: CompatRule;
  readonly message: string;
}

export type Comparison =
  | { readonly verdict: "included" }
  | {
      /** `excluded`: `witness` proves it. `unknown`: neither a proof nor a value against it was found. */
      readonly verdict: "excluded";
      readonly findings: readonly SchemaFinding[];
      readonly witness: Json;
    }
  | { readonly verdict: "unknown"; readonly findings: readonly SchemaFinding[] };

/** Whether the validator that really guards the tool takes a value. */
export type Accepts = (value: Json) => boolean;

const FINDING_LIMIT = 50;

/**
 * Whether every value of the schema `inner` is a value of `outer`. `included` is proven from the schemas' structure;
 * `excluded` is proven by a value that the real validators take and refuse.
 */
export function compareSchemas(
  inner: { readonly schema: unknown; readonly accepts: Accepts },
  outer: { readonly schema: unknown; readonly accepts: Accepts },
): Comparison {
  const [one, other] = [[toRoot(inner.schema)], [toRoot(outer.schema)]];
  const findings = new Map<string, SchemaFinding>();
  const report = (path: readonly string[], rule: CompatRule, message: string) => {
    if (findings.size < FINDING_LIMIT) findings.set(`${path.join("/")} ${rule} ${message}`, { path, rule, message });
  };
  if (createInclude()(one, other, [], report)) return { verdict: "included" };
  const against = sample(one, other).filter((value) => inner.accepts(value) && !outer.accepts(value));
  const [witness] = against.toSorted((a, b) => canonicalJson(a).length - canonicalJson(b).length);
  const all = [...findings.values()];
  return witness === undefined
    ? { verdict: "unknown", findings: all }
    : { verdict: "excluded", findings: all, witness };
}
