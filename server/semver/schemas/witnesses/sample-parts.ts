import type { Json } from "../../../json/types.ts";
import { ANYTHING, type Conjunction, isNever, TEXT } from "../located.ts";
import { itemAt, leastItems, longestPrefix, memberOf, mostItems, namesOf } from "../parts.ts";
import type { Languages } from "../patterns/languages.ts";
import type { ArrayShape, ObjectShape } from "../shape.ts";

/** Values that `inner` may take, those first that `outer` does not; how deep they stand is `depth`. */
type Sample = (inner: Conjunction, outer: Conjunction, depth: number) => readonly Json[];

const CHOICES = 10;
const CHANGES = 40;
const ITEM_LIMIT = 70;
/** Members, beyond which objects with all of them are not tried one change at a time. */
const NAME_LIMIT = 100;
/** Names that hardly any schema knows. */
const STRANGERS = ["anotherMember", "x", "other_member"];

/** Lists at the edges of both shapes. */
export function sampleArrays(
  shape: ArrayShape,
  aim: ArrayShape | undefined,
  depth: number,
  sample: Sample,
): readonly Json[] {
  const most = mostItems(shape);
  const least = leastItems(shape);
  const edges = aim === undefined ? [] : [aim.minItems - 1, mostItems(aim) + 1, aim.layers[0]?.prefix.length ?? 0];
  const found = aim?.contains.flatMap(({ min, max }) => [min - 1, max + 1]) ?? [];
  const longest = longestPrefix(...shape.layers, ...(aim?.layers ?? []));
  const lengths = new Set([least, least + 1, most, shape.maxItems, ...edges, ...found, 2, longest + 1]);
  const samples = new Map<number, readonly Json[]>();
  const samplesAt = (index: number) => {
    const place = Math.min(
      index,
      Math.max(0, ...[...shape.layers, ...(aim?.layers ?? [])].map((l) => l.prefix.length)),
    );
    const known =
      samples.get(place) ??
      sample(itemAt(shape.layers, place), itemAt(aim?.layers ?? [], place), depth + 1).slice(0, CHOICES);
    samples.set(place, known);
    return known;
  };
  const contained = sampleContained(shape, aim, depth, sample);
  // One for each that must be there: the first of each, then the second.
  const together = [0, 1, 2].map((place) => contained.flatMap(({ values }) => values.slice(place, place + 1)));
  return [...lengths]
    .filter((length) => length >= least && length <= Math.min(most, ITEM_LIMIT))
    .flatMap((length): Json[] => {
      const choices = Array.from({ length }, (_, index) => samplesAt(index));
      if (choices.some((values) => values.length === 0)) return [];
      const base = choices.map((values, index) => at(values, shape.unique ? -1 - index : -1));
      const different = choices.map((values, index) => at(values, index));
      const changed = choices.flatMap((values, index) => values.map((value) => base.with(index, value)));
      const filled = contained.flatMap(({ values, counts }) =>
        values.flatMap((value) =>
          [1, ...counts].map((count) => [...base].fill(value, 0, Math.min(count, base.length))),
        ),
      );
      const doubled = choices.slice(0, 1).flatMap((values) => values.map((value) => base.map(() => value)));
      const joined = together.map((values) => [...values, ...base.slice(values.length)]);
      return [base, different, ...joined, ...filled, ...changed.slice(0, CHANGES), ...doubled];
    });
}

/** Items that `contains` of either shape finds: such as the shape takes, first those that the aim takes or finds not. */
function sampleContained(shape: ArrayShape, aim: ArrayShape | undefined, depth: number, sample: Sample) {
  const place = longestPrefix(...shape.layers, ...(aim?.layers ?? []));
  const [own, theirs] = [itemAt(shape.layers, place), itemAt(aim?.layers ?? [], place)];
  const others = (aim?.contains ?? []).slice(0, 2).map(({ what }) => what);
  return [...shape.contains, ...(aim?.contains ?? [])].map(({ what, min, max }) => ({
    values: [theirs, ...others, ANYTHING].flatMap((outer, index) =>
      sample(index <= others.length ? [...what, ...own] : what, outer, depth + 1).slice(0, 3),
    ),
    counts: [min, max, max + 1].filter((count) => count > 0 && count <= ITEM_LIMIT),
  }));
}

/** Objects with as few, and with as many, members as are known, and with one of them changed. */
export function sampleObjects(
  shape: ObjectShape,
  aim: ObjectShape | undefined,
  depth: number,
  sample: Sample,
  languages: Languages,
): readonly Json[] {
  const shapes = aim === undefined ? [shape] : [shape, aim];
  const named = shapes.flatMap(({ layers, required }) => [...required, ...namesOf(layers)]);
  const sources = shapes.flatMap(({ layers }) => layers.flatMap(({ patterns }) => [...patterns.keys()]));
  const matching = sources.flatMap((source) => languages.find({ patterns: [source] }) ?? []);
  const rules = shapes.flatMap(({ names: each }) => each.flat());
  const texts = rules.length === 0 ? [] : sample([TEXT, ...shape.names.flat()], aim?.names.flat() ?? [], depth + 1);
  const fitting = texts.filter((text) => typeof text === "string").slice(0, CHOICES);
  const names = [...new Set([...named, ...matching, ...fitting, ...(depth === 0 ? STRANGERS : STRANGERS.slice(0, 1))])];
  const choices = new Map(
    names.map((name) => {
      const own = memberOf(shape.layers, name);
      const values = isNever(own) ? [] : sample(own, memberOf(aim?.layers ?? [], name), depth + 1).slice(0, CHOICES);
      return [name, values];
    }),
  );
  const build = (chosen: readonly string[], place: number): Record<string, Json> =>
    Object.fromEntries(
      chosen.flatMap((name): [string, Json][] => {
        const values = choices.get(name) ?? [];
        return values.length === 0 ? [] : [[name, at(values, place)]];
      }),
    );
  const needed = [...shape.required];
  const known = [...new Set(named)];
  const [least, full] = [build(needed, -1), build(known, -1)];
  const result: Json[] = [least, full, build(needed, 0), build(known, 0)];
  for (const name of names) {
    if (!shape.required.has(name) && names.length <= NAME_LIMIT) result.push(without(full, name));
    for (const value of choices.get(name) ?? []) {
      result.push({ ...least, [name]: value });
      if (names.length <= NAME_LIMIT) result.push({ ...full, [name]: value });
    }
  }
  const counts = [shape.minProperties, shape.maxProperties, ...(aim === undefined ? [] : [aim.maxProperties + 1])];
  const [stranger = 1] = choices.get(STRANGERS[0] ?? "") ?? [];
  for (const count of counts.filter((each) => each <= ITEM_LIMIT)) {
    for (const base of [least, full])
      result.push(fillUp(base, count, full, stranger), fillUp(base, count, {}, stranger));
  }
  return result;
}

function without(object: Readonly<Record<string, Json>>, name: string): Json {
  const { [name]: _left, ...rest } = object;
  return rest;
}

/** The object with members of the other, and then strangers, until there are so many. */
function fillUp(
  base: Readonly<Record<string, Json>>,
  count: number,
  full: Readonly<Record<string, Json>>,
  value: Json,
) {
  const result: Record<string, Json> = { ...base };
  for (const [name, member] of Object.entries(full)) if (Object.keys(result).length < count) result[name] ??= member;
  for (let index = 0; Object.keys(result).length < count; index++) result[`member${index}`] = value;
  return result;
}

function at(values: readonly Json[], place: number): Json {
  return values.at(place % values.length) ?? null;
}
