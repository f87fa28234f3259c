import { evaluateAll } from "./evaluate.ts";
import { type Include, type Report, SILENT } from "./include.ts";
import { possibleNames } from "./list-values.ts";
import { type Conjunction, isNever, TEXT } from "./located.ts";
import { memberOf, namesOf, restOf } from "./parts.ts";
import type { ObjectShape } from "./shape.ts";

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
  const named = new Set([...namesOf(shape.layers), ...namesOf(other.layers), ...shape.required]);
  const possible = [...named].filter((name) => !isNever(memberOf(shape.layers, name)));
  const closed = possibleNames(shape);

  for (const name of other.required) {
    if (!shape.required.has(name)) fail([...path, name], "required-added", "must be there now");
  }
  const least = Math.max(shape.minProperties, shape.required.size);
  if (other.minProperties > least) {
    fail(path, "length-narrowed", `must now have at least ${other.minProperties} members`);
  }
  const most = Math.min(shape.maxProperties, closed?.length ?? Infinity);
  if (other.maxProperties < most) {
    fail(path, "length-narrowed", `must now have at most ${other.maxProperties} members`);
  }
  for (const name of possible) {
    const [own, theirs] = [memberOf(shape.layers, name), memberOf(other.layers, name, "outer")];
    const place = [...path, name];
    if (include(own, theirs, place, isNever(theirs) ? SILENT : report)) continue;
    ok = false;
    if (isNever(theirs)) report(place, "member-closed", "is no longer allowed");
  }
  if (!includesRest(shape, other, path, fail, include)) ok = false;
  for (const names of other.names) {
    if (!areNamed(shape, names, closed, include)) {
      fail([...path, "*"], "member-closed", "must now have a name of a certain form");
    }
  }
  return ok;
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
    fail([...path, "*"], "condition-unproven", "has too many patterns of names to be compared");
    return false;
  }
  const place = [...path, "*"];
  for (let set = 0; set < 1 << patterns.length; set++) {
    const matched = new Set(patterns.filter((_, index) => (set >> index) % 2 === 1));
    const [own, theirs] = [restOf(shape.layers, matched), restOf(other.layers, matched)];
    if (include(own, theirs, place, isNever(theirs) ? SILENT : fail)) continue;
    if (isNever(theirs)) fail(place, "member-closed", "is no longer allowed");
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
