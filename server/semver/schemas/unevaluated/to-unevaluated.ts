import { NONE } from "./evaluated.ts";
import { toNamePattern } from "../facets.ts";
import { intersect } from "../intersect.ts";
import { ANYTHING, locate, type Located, negate, type SchemaObject } from "../located.ts";
import type { Note, Notes } from "./notes.ts";
import { toText } from "../schema-text.ts";
import { ALL_SHAPES, type ObjectShape, type Reader, type Shape, TOPS, withoutMember, withText } from "../shape.ts";
import { type Noted, takeNotes } from "./take-notes.ts";
import { meet, SHAPE_LIMIT, unite } from "../unite.ts";

/** Evaluated members, each of which may be there or not, beside one that is left. */
const NAME_LIMIT = 3;
const KEYWORDS = { object: "unevaluatedProperties", array: "unevaluatedItems" } as const;

/** Keywords that evaluate parts of a value, or decide which other keywords do: all that unevaluated parts depend on. */
const DECIDING = new Set(
  (
    "$ref $dynamicRef additionalProperties allOf anyOf contains dependentSchemas else if items maxContains minContains oneOf " +
    "patternProperties prefixItems properties then unevaluatedItems unevaluatedProperties"
  ).split(" "),
);

/**
 * Converts `unevaluatedProperties` or `unevaluatedItems`: for each way through the schema, the parts that must meet it.
 * Undefined where there are too many ways. Where ajv's answer is not certain, a text stands for it.
 */
export function toUnevaluated(located: Located, noted: Noted, reader: Reader): readonly Shape[] | undefined {
  const text = toDecidingText(located);
  const others = ALL_SHAPES.filter(({ type }) => type !== noted);
  return convert(located, noted, reader, (rest) => [
    ...others,
    ...(rest === undefined ? withText([TOPS[noted]], text) : [toLimit(rest, located, noted)]),
  ]);
}

/** Converts the opposite: values with a part that must meet the keyword, and does not. */
export function toViolating(located: Located, noted: Noted, reader: Reader): readonly Shape[] | undefined {
  const text = `not ${toDecidingText(located)}`;
  return convert(located, noted, reader, (rest) => {
    return (rest && toViolation(rest, located, noted)) ?? withText([TOPS[noted]], text);
  });
}

/** A text for the keywords of unevaluated parts, without keywords that they do not depend on. */
export function toDecidingText({ schema, root }: Located): string {
  const own = Object.entries(schema as SchemaObject).filter(([keyword]) => DECIDING.has(keyword));
  return toText(locate(Object.fromEntries(own), root));
}

/** Parts that are left to the keyword: members of other names, items from a number on, or the lengths it refuses. */
type Rest =
  | { readonly of: "nothing" }
  | { readonly of: "members"; readonly names: readonly string[]; readonly patterns: readonly string[] }
  | { readonly of: "items"; readonly from: number }
  | { readonly of: "lengths"; readonly most: number };

function convert(
  located: Located,
  noted: Noted,
  reader: Reader,
  toPart: (rest: Rest | undefined) => readonly Shape[],
): readonly Shape[] | undefined {
  const notes = takeNotes(located, noted, reader);
  const cases = notes?.cases.map(({ shapes, note }) =>
    meet(shapes, toPart(toRest(note, notes.kind, noted, leftOf(located, noted).schema)), intersect),
  );
  if (cases?.every((shapes) => shapes !== undefined) !== true) return undefined;
  const union = unite(cases.flat());
  return union.length > SHAPE_LIMIT ? undefined : union;
}

function leftOf({ schema, root }: Located, noted: Noted): Located {
  return locate((schema as SchemaObject)[KEYWORDS[noted]], root);
}

/** Says what is left when ajv comes to the keyword; undefined where that is not certain. */
function toRest(note: Note, kind: Notes["kind"], noted: Noted, left: Located["schema"]): Rest | undefined {
  if (note === "unsure" || (kind === "either" && note === "none")) return undefined;
  const { names, patterns, hasAllMembers, items } = note === "none" ? NONE : note;
  if (noted === "object") return hasAllMembers ? { of: "nothing" } : { of: "members", names, patterns };
  const isVariable = kind === "variable" || kind === "either";
  // Ajv compares the length of a list with the variable: nothing is more than none, and all items count as one.
  if (isVariable && note === "none") return { of: "nothing" };
  if (items < Infinity) return { of: "items", from: items };
  if (!isVariable) return { of: "nothing" };
  return kind === "variable" && left === false ? { of: "lengths", most: 1 } : undefined;
}

function toLimit(rest: Rest, located: Located, noted: Noted): Shape {
  if (rest.of === "items") {
    const prefix = Array.from({ length: rest.from }, () => ANYTHING);
    return { ...TOPS.array, layers: [{ prefix, rest: [leftOf(located, noted)] }] };
  }
  if (rest.of === "lengths") return { ...TOPS.array, maxItems: rest.most };
  if (rest.of === "nothing") return TOPS[noted];
  const layer = {
    properties: new Map(rest.names.map((name) => [name, ANYTHING])),
    patterns: new Map(rest.patterns.map((pattern) => [pattern, toNamePattern(pattern, ANYTHING, located.root)])),
    additional: [leftOf(located, noted)],
  };
  return { ...TOPS.object, layers: [layer] };
}

function toViolation(rest: Rest, located: Located, noted: Noted): readonly Shape[] | undefined {
  const left = leftOf(located, noted);
  if (rest.of === "nothing") return [];
  if (rest.of === "lengths") return [{ ...TOPS.array, minItems: rest.most + 1 }];
  if (rest.of === "items") {
    if (left.schema === false) return [{ ...TOPS.array, minItems: rest.from + 1 }];
    return rest.from > 0 ? undefined : [{ ...TOPS.array, contains: [{ what: [negate(left)], min: 1, max: Infinity }] }];
  }
  return left.schema === false && rest.patterns.length === 0 ? withAnother(rest.names) : undefined;
}

/** Objects with a member that has none of these names; undefined where they are too many. */
function withAnother(names: readonly string[]): readonly Shape[] | undefined {
  if (names.length > NAME_LIMIT) return undefined;
  return Array.from({ length: 1 << names.length }, (_, set): ObjectShape => {
    const required = new Set(names.filter((__, index) => (set >> index) % 2 === 1));
    const layers = names.filter((name) => !required.has(name)).flatMap((name) => withoutMember(name).layers);
    return { ...TOPS.object, required, minProperties: required.size + 1, layers };
  });
}
