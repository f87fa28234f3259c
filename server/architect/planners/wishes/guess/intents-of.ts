import { type Intent, likelihoodOf, type Likelihoods } from "../intent/read-intent.ts";
import { findSet } from "../kinds/kinds-of.ts";
import type { Place, Places } from "../places/places.ts";
import type { KeyWord } from "../words/key-words.ts";
import type { Signs } from "./signs.ts";

/** A change by its name, and the place that it sets, where it sets one. */
interface Named {
  readonly name: string;
  readonly signs: Signs;
}

/** Any of some intents; those in a list of their own are one intent by several names, of which people mean one as well as the other. */
type Intents = readonly (Intent | readonly Intent[])[];

const UP: Readonly<Partial<Record<KeyWord, readonly [up: Intents, down: Intents]>>> = {
  ...fill(["time", "cpu", "memory", "payload", "rate", "concurrency", "dailyCost"], ["limit-up"], ["limit-down"]),
  ...fill(["maximum", "maxLength", "maxItems"], ["bound-looser"], ["bound-tighter"]),
  ...fill(["minimum", "minLength", "minItems"], ["bound-tighter"], ["bound-looser"]),
};
const BY_KEY: Readonly<Partial<Record<KeyWord, Intents>>> = {
  cost: ["cost-set"],
  pattern: ["bound-looser", "bound-tighter"],
  title: ["text-replace"],
  description: ["text-replace", "text-extend"],
  instructions: ["text-replace", "text-extend"],
  min: ["param-bound"],
  max: ["param-bound"],
  step: ["param-bound"],
  maxErrorRate: ["guardrail-set"],
  maxDrop: ["guardrail-set"],
  minSamples: ["promotion-set", "guardrail-set"],
  maxSamples: ["promotion-set"],
  promote: ["promotion-set"],
  delta: ["promotion-set"],
  epsilon: ["promotion-set"],
  share: ["experiment-set"],
  floor: ["experiment-set"],
  kind: ["experiment-set"],
  assignBy: ["experiment-set"],
  deadline: ["experiment-set"],
  sigma: ["experiment-set"],
  evaluations: ["experiment-set"],
};
/** What an experiment has is told apart by the words for it, and not by what is wanted of it. */
const SETTINGS: Intents = [["experiment-set", "promotion-set", "guardrail-set", "param-set"]];
/** Bounds that are said as such ("must not be below 5") are meant, be they wider or narrower than now. */
const STATED_BOUND: Intents = [["bound-tighter", "bound-looser"]];
const BOUNDS: ReadonlySet<KeyWord> = new Set<KeyWord>([
  "maximum",
  "maxLength",
  "maxItems",
  "minimum",
  "minLength",
  "minItems",
]);
const PROMISES: ReadonlySet<KeyWord> = new Set(["deterministic", "idempotent", "sideEffect", "interactive", "record"]);
/** Intents of messages that speak of examples: no intent is for other values in one that there is. */
const OF_EXAMPLES: Intents = ["example-remove", "example-add"];
/** Changes that set no place, by how their names begin. */
const BY_NAME: readonly (readonly [RegExp, Intents])[] = [
  [/^require \S*:/, ["need-capability"]],
  [/^require /, ["required"]],
  [/^role /, ["role-new"]],
  [/^return /, ["tool-undeprecate"]],
  [/^relax /, ["optional"]],
  [/^remove input|^remove output|^remove .*\bfield\b/, ["field-remove"]],
  [/^remove role /, ["right-revoke"]],
  [/^remove experiment /, ["experiment-stop"]],
  [/^remove arm /, ["arm-remove"]],
  [/^arm /, ["arm-add"]],
  [/^promote /, ["arm-promote"]],
  [/^defaults /, [["default-set", "param-set", "arm-promote"]]],
  [/^retire /, ["tool-deprecate"]],
  [/^grant |^exchange .*\+/, ["right-grant"]],
  [/^revoke |^exchange .* -/, ["right-revoke"]],
  [/^drop /, ["free-capability"]],
  [/^label - /, ["label-remove"]],
  [/^label /, ["label-move"]],
  [/^example /, ["example-add"]],
  [/^change example /, OF_EXAMPLES],
  [/^command \+ /, ["command-add"]],
  [/^command - /, ["command-remove"]],
  [/^\S+#egress \+|^hosts of .* \+ /, ["host-add"]],
  [/^\S+#egress -|^hosts of .* - |^block /, ["host-remove"]],
  [/^hosts \S+ \S+ > /, ["host-add", "host-remove"]],
  [/^\S+#\S+ add /, ["value-add"]],
  [/^\S+#\S+ remove /, ["value-remove"]],
  [/^\S+#\S+ \S+ > /, ["value-rename"]],
];

/** Share of a name by which a thing is named. */
const NAMED = 0.5;
/** A parameter is set by its default. */
const PARAMETER: readonly Intent[] = ["param-set", "default-set"];

function fill(keys: readonly KeyWord[], up: Intents, down: Intents): Partial<Record<KeyWord, [Intents, Intents]>> {
  return Object.fromEntries(keys.map((key) => [key, [up, down]]));
}

/** What a message wants that asks for a change. Empty: none of the intents that examples were written for. */
export function intentsOf({ name, signs }: Named, places: Places): Intents {
  const set = findSet(name, places);
  if (set !== undefined) return intentsOfPlace(set.place, set.text, signs);
  // "Stop requiring it" speaks of what is required, as wishes to require it do.
  if (signs.relax !== undefined && signs.verb === 1)
    return [["optional", "required", "need-capability", "free-capability"]];
  if (signs.removeField !== undefined) return ["field-remove"];
  if (signs.removeTool !== undefined) return ["tool-remove"];
  if (signs.addField !== undefined) return ["field-add"];
  if (signs.example !== undefined && name.startsWith("remove")) return ["example-remove"];
  if (signs.deprecate !== undefined && !name.startsWith("return "))
    return name.startsWith("retire ") ? ["tool-deprecate"] : ["field-deprecate"];
  if (signs.rename !== undefined) return ["field-rename", "tool-rename"];
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? [];
}

function intentsOfPlace({ key, thing, now }: Place, text: string, signs: Signs): Intents {
  if (text === "") return key === "default" ? ["default-remove"] : ["bound-none"];
  const isUp = typeof now === "number" && Number(text) > now;
  const directed = UP[key];
  if (thing.kind === "experiment" && signs.key === 1) return SETTINGS;
  if (directed !== undefined && BOUNDS.has(key) && signs.marked === 1 && signs.exact === 1) return STATED_BOUND;
  // A bound where there is none is a tighter one, whichever end it is of.
  if (directed !== undefined && now === undefined) return BOUNDS.has(key) ? ["bound-tighter"] : directed[1];
  if (directed !== undefined) return isUp ? directed[0] : directed[1];
  // To be called read only is a promise, and to have effects is none.
  if (PROMISES.has(key)) return [(text === "true") === (key !== "sideEffect") ? "promise-on" : "promise-off"];
  if (thing.kind === "parameter" && key === "default") {
    // Defaults of what is not named, or whose bounds are, are none of it.
    const isOwn = (signs.name ?? 0) >= NAMED && signs.otherKey === undefined;
    const own = isOwn ? PARAMETER : "param-set";
    return typeof now === "number" ? [own, isUp ? "param-up" : "param-down"] : [own];
  }
  if (key === "default") return ["default-set"];
  return [...(BY_KEY[key] ?? []), ...(thing.kind === "example" ? OF_EXAMPLES : [])];
}

/** How much likelier than by chance a message wants one of some intents, as a binary logarithm from -3 to 5. */
export function surpriseOf(intents: Intents, likelihoods: Likelihoods): number {
  const share = likelihoodOf(likelihoods, ...intents.flat());
  return Math.min(5, Math.max(-3, Math.log2((share * likelihoods.size) / Math.max(1, intents.length))));
}
