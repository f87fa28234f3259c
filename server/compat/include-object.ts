import { evaluateAll, matches } from "./evaluate.ts";
import { type Report, SILENT } from "./failure.ts";
import type { Include } from "./include.ts";
import { type Conjunction, isNever } from "./located.ts";
import type { ObjectLayer, ObjectShape } from "./shape.ts";

/** Patterns of names, beyond which the kinds of names that they divide are too many. */
const PATTERN_LIMIT = 5;

export function includesObject(
  shape: ObjectShape,
  other: ObjectShape,
  path: readonly string[],
  report: Report,
  include: Include,
): boolean {
  let ok = true;
  const fail: Report = (...failure) => {
    ok = false;
    report(...failure);
  };
  const named = new Set([...shape.layers, ...other.layers].flatMap(({ properties }) => [...properties.keys()]));
  const possible = [...new Set([...named, ...shape.required])].filter((name) => !isNever(memberOf(shape.layers, name)));

  for (const name of other.required) {
    if (!shape.required.has(name)) fail([...path, name], "required-added", "it must be there now");
  }
  const least = Math.max(shape.minProperties, shape.required.size);
  if (other.minProperties > least)
    fail(path, "length-narrowed", `at least ${other.minProperties} members are needed now`);
  const isClosed =
    isNever(restOf(shape.layers, new Set())) && shape.layers.every(({ patterns }) => patterns.size === 0);
  const most = Math.min(shape.maxProperties, isClosed ? possible.length : Infinity);
  if (other.maxProperties < most)
    fail(path, "length-narrowed", `at most ${other.maxProperties} members are allowed now`);

  for (const name of possible) {
    const [own, theirs] = [memberOf(shape.layers, name), memberOf(other.layers, name, "outer")];
    if (isNever(theirs)) {
      if (!include(own, theirs, [...path, name], SILENT))
        fail([...path, name], "member-closed", "it is no longer allowed");
    } else if (!include(own, theirs, [...path, name], report)) ok = false;
  }
  if (!includesRest(shape, other, path, fail, include)) ok = false;
  for (const names of other.names) {
    if (!areNamed(shape, names, possible, isClosed, include)) {
      fail(path, "member-closed", "names of members are restricted now");
    }
  }
  return ok;
}

/**
 * What the member of this name must be. Where a pattern cannot be matched, `inner` leaves out what might not apply, and
 * `outer` takes in what might: both err on the side of no proof.
 */
export function memberOf(layers: readonly ObjectLayer[], name: string, side: "inner" | "outer" = "inner"): Conjunction {
  return layers.flatMap(({ properties, patterns, additional }) => {
    const own = properties.get(name);
    const answers = [...patterns].map(([pattern, conjunction]) => ({ answer: matches(pattern, name), conjunction }));
    const hits = answers.filter(({ answer }) => answer === true || (answer === undefined && side === "outer"));
    const isNamed = own !== undefined || answers.some(({ answer }) => answer === true);
    const isOpen = answers.some(({ answer }) => answer === undefined);
    const rest = isNamed || (isOpen && side === "inner") ? [] : additional;
    return [...(own ?? []), ...hits.flatMap(({ conjunction }) => conjunction), ...rest];
  });
}

/** What members must be that no layer names, and that match these patterns and no others. */
function restOf(layers: readonly ObjectLayer[], matched: ReadonlySet<string>): Conjunction {
  return layers.flatMap(({ patterns, additional }) => {
    const hits = [...patterns].filter(([pattern]) => matched.has(pattern));
    return hits.length === 0 ? additional : hits.flatMap(([, conjunction]) => conjunction);
  });
}

/** Members that neither side names: for every set of patterns that a name could match. */
function includesRest(
  shape: ObjectShape,
  other: ObjectShape,
  path: readonly string[],
  fail: Report,
  include: Include,
): boolean {
  const patterns = [...new Set([...shape.layers, ...other.layers].flatMap((layer) => [...layer.patterns.keys()]))];
  if (patterns.length > PATTERN_LIMIT) {
    fail(path, "condition-unproven", "too many patterns of names to compare");
    return false;
  }
  for (let set = 0; set < 1 << patterns.length; set++) {
    const matched = new Set(patterns.filter((_, index) => (set >> index) % 2 === 1));
    const [own, theirs] = [restOf(shape.layers, matched), restOf(other.layers, matched)];
    const place = [...path, matched.size === 0 ? "*" : [...matched].join(" & ")];
    if (isNever(own) || (isNever(theirs) && include(own, theirs, place, SILENT))) continue;
    if (isNever(theirs)) {
      fail(place, "member-closed", "other members are no longer allowed");
      return false;
    }
    if (!include(own, theirs, place, fail)) return false;
  }
  return true;
}

function areNamed(
  shape: ObjectShape,
  names: Conjunction,
  possible: readonly string[],
  isClosed: boolean,
  include: Include,
): boolean {
  if (shape.names.some((own) => include(own, names, [], SILENT))) return true;
  return isClosed && possible.every((name) => evaluateAll(name, names) === true);
}
