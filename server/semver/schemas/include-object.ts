import { evaluateAll } from "./evaluate.ts";
import { isObject } from "../../json/is-object.ts";
import { type Breaks, createOutcome, type Include, type Report, SILENT } from "./include.ts";
import { possibleNames } from "./list-values.ts";
import { type Conjunction, isNever, TEXT } from "./located.ts";
import { memberOf, namesOf, restOf } from "./parts.ts";
import type { Languages } from "./patterns/languages.ts";
import type { ObjectShape } from "./shape.ts";
import { countOf } from "./show.ts";

/** Patterns of names, beyond which the kinds of names that they divide are too many. */
const PATTERN_LIMIT = 5;

/** Proofs for members, and for their names. */
interface Provers {
  readonly include: Include;
  readonly languages: Languages;
}

export function includesObject(
  shape: ObjectShape,
  other: ObjectShape,
  path: readonly string[],
  report: Report,
  { include, languages }: Provers,
): boolean {
  const outcome = createOutcome(report);
  const { fail } = outcome;
  const closed = possibleNames(shape);
  const named = new Set([...namesOf(shape.layers), ...namesOf(other.layers), ...shape.required, ...(closed ?? [])]);
  const possible = [...named].filter(
    (name) => (closed?.includes(name) ?? true) && !isNever(memberOf(shape.layers, name)),
  );

  for (const name of other.required) {
    if (!shape.required.has(name))
      fail(
        [...path, name],
        "required-added",
        "must be there now",
        hasNames((names) => !names.includes(name)),
      );
  }
  const least = Math.max(shape.minProperties, shape.required.size);
  if (other.minProperties > least) {
    const phrase = `must now have at least ${countOf(other.minProperties, "member")}`;
    fail(
      path,
      "length-narrowed",
      phrase,
      hasNames((names) => names.length < other.minProperties),
    );
  }
  const most = Math.min(shape.maxProperties, closed?.length ?? Infinity);
  if (other.maxProperties < most) {
    const phrase = `must now have at most ${countOf(other.maxProperties, "member")}`;
    fail(
      path,
      "length-narrowed",
      phrase,
      hasNames((names) => names.length > other.maxProperties),
    );
  }
  for (const name of possible) {
    const [own, theirs] = [memberOf(shape.layers, name), memberOf(other.layers, name, "outer")];
    const place = [...path, name];
    if (include(own, theirs, place, isNever(theirs) ? SILENT : report)) continue;
    outcome.holds = false;
    if (isNever(theirs))
      report(
        place,
        "member-closed",
        "is no longer allowed",
        hasNames((names) => names.includes(name)),
      );
  }
  if (closed === undefined && !includesRest(shape, other, path, fail, { include, languages })) outcome.holds = false;
  for (const names of other.names) {
    if (!areNamed(shape, names, closed, include)) {
      const isMisnamed = hasNames((all) => all.some((name) => evaluateAll(name, names) !== true));
      fail([...path, "*"], "member-closed", "must now have a name of a certain form", isMisnamed);
    }
  }
  return outcome.holds;
}

/** Creates a test of objects by the names of their members. */
function hasNames(isWrong: (names: readonly string[]) => boolean): Breaks {
  return (value) => isObject(value) && isWrong(Object.keys(value));
}

/** Members that neither side names: for every set of patterns that a name could match. */
function includesRest(
  shape: ObjectShape,
  other: ObjectShape,
  path: readonly string[],
  fail: Report,
  { include, languages }: Provers,
): boolean {
  const patterns = [...new Set([...shape.layers, ...other.layers].flatMap((layer) => [...layer.patterns.keys()]))];
  if (patterns.length > PATTERN_LIMIT) {
    fail([...path, "*"], "condition-unproven", "has too many patterns of names to be compared");
    return false;
  }
  const place = [...path, "*"];
  for (let set = 0; set < 1 << patterns.length; set++) {
    const matched = new Set(patterns.filter((_, index) => (set >> index) % 2 === 1));
    const not = patterns.filter((pattern) => !matched.has(pattern));
    if (set > 0 && languages.find({ patterns: [...matched], not }) === null) continue;
    const [own, theirs] = [restOf(shape.layers, matched), restOf(other.layers, matched)];
    if (include(own, theirs, place, isNever(theirs) ? SILENT : fail)) continue;
    const hasStranger = hasNames((names) => names.some((name) => isNever(memberOf(other.layers, name, "outer"))));
    if (isNever(theirs)) fail(place, "member-closed", "is no longer allowed", hasStranger);
    return false;
  }
  return true;
}

function areNamed(
  shape: ObjectShape,
  names: Conjunction,
  closed: readonly string[] | undefined,
  include: Include,
): boolean {
  if (include([TEXT, ...shape.names.flat()], names, [], SILENT)) return true;
  return closed?.every((name) => evaluateAll(name, names) === true) ?? false;
}
