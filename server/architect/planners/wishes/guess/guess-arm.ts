import type { Json } from "../../../../store/store.ts";
import type { Parameter, ParameterSet } from "../../../../versions/version.ts";
import type { Clause } from "../clause.ts";
import type { Thing } from "../places/places.ts";
import { type Amount, isSame } from "../words/values.ts";
import { toStems } from "../words/words.ts";
import type { Guess } from "./guess-value.ts";
import type { Relevance } from "./relevance.ts";

/** Words between the name of a parameter and its number, at most. */
const BEFORE = 2;
/** Share of a parameter's name that other words have to say. */
const HALF = 0.5;
const CALLED = /(?:called|named|call it|name it|namens|llamad[oa]|nommée?|:|叫)\s*["'“‘`]?([a-z][\w-]*)/iu;

/** Values that a new arm is said to have, with the words that say them. */
interface Told {
  readonly values: Readonly<Record<string, Json>>;
  readonly words: readonly number[];
}

/** "A new arm called bold, with lead margin and diversity 0.4" */
export function guessArm(clause: Clause, set: ParameterSet, near: ReadonlyMap<Thing, Relevance>): readonly Guess[] {
  const { tokens, text } = clause;
  const { experiment, name: owner, file } = set;
  if (experiment === undefined) return [];
  const { values, words } = readValues(clause, set, near);
  const taken = new Set(Object.values(values).map((value) => String(value).toLowerCase()));
  const quoted = tokens.find(
    ({ kind, text: one }) => kind === "quoted" && /^[a-z][\w-]*$/.test(one) && !taken.has(one),
  )?.text;
  const arm = quoted ?? CALLED.exec(text)?.[1];
  const isNew = arm !== undefined && !experiment.arms.some(({ name }) => name === arm) && !taken.has(arm);
  if (!isNew || Object.keys(values).length === 0) return [];
  const at = ["experiment", "arms", arm];
  return [
    {
      name: `arm ${owner}/${arm}`,
      signs: {
        arm: 1,
        siblings: Math.min(2, Object.keys(values).length),
        ...(tokens.some(({ lower }) => lower === owner.toLowerCase()) ? { tool: 1 } : {}),
      },
      words: [
        ...words,
        ...tokens.flatMap(({ text: own, lower }, place) =>
          own === arm || lower === owner.toLowerCase() || lower === "new" ? [place] : [],
        ),
      ],
      deed: async (bench) => {
        const isChanged = await bench.set(file, at, values);
        if (isChanged) bench.say(`The experiment \`${owner}\` has an arm \`${arm}\`.`);
        bench.need("minor");
      },
    },
  ];
}

/** What is said of each parameter: by its name, by other words for it, or by a value that only it has. */
function readValues(clause: Clause, set: ParameterSet, near: ReadonlyMap<Thing, Relevance>): Told {
  const values: Record<string, Json> = {};
  const words: number[] = [];
  // What is named comes first, so that a number is not taken for another parameter's.
  const sorted = [...set.parameters]
    .map(([name, parameter]) => ({ name, parameter, ...spotsOf(clause, set, name, near) }))
    .sort((one, other) => Number(other.isNamed) - Number(one.isNamed));
  for (const { name, parameter, spots } of sorted) {
    const isFree = ({ tokens }: Amount) => !tokens.some((at) => words.includes(at));
    const said =
      parameter.type === "categorical"
        ? readChoice(clause, parameter, spots)
        : readNumber(clause.amounts.filter(isFree), spots);
    if (said === undefined) continue;
    values[name] = said.value;
    words.push(...said.words);
  }
  return { values, words };
}

/** Where the words of a parameter's name stand, or else those that mean it. */
function spotsOf(
  { tokens }: Clause,
  set: ParameterSet,
  name: string,
  near: ReadonlyMap<Thing, Relevance>,
): { readonly spots: readonly number[]; readonly isNamed: boolean } {
  const stems = toStems(name);
  const at = tokens.findIndex((token, from) =>
    stems.every((stem, offset) => tokens[from + offset]?.stems.includes(stem) === true || token.stems.includes(stem)),
  );
  if (at >= 0) return { spots: Array.from({ length: stems.length }, (_, offset) => at + offset), isNamed: true };
  const [relevance] = [...near].flatMap(([thing, one]) =>
    thing.set === set && thing.parameter === name && one.name >= HALF ? [one] : [],
  );
  return { spots: [...(relevance?.words ?? [])].sort((one, other) => one - other), isNamed: false };
}

interface Found {
  readonly value: Json;
  readonly words: readonly number[];
}

function readChoice({ tokens }: Clause, parameter: Parameter, spots: readonly number[]): Found | undefined {
  const own: readonly Json[] = parameter.type === "categorical" ? parameter.values : [];
  const said = tokens.flatMap(({ text, kind }, at) => {
    const value = kind === "sign" ? undefined : own.find((known) => isSame(known, text));
    return value === undefined ? [] : [{ value, at }];
  });
  // "The cheapest first": a value may stand for its parameter.
  const isNear = (at: number) => spots.some((spot) => Math.abs(spot - at) <= BEFORE + 1);
  const fits = said.filter(({ value, at }) => isNear(at) || (typeof value === "string" && value.length > 3));
  const closest = fits.filter(({ at }) => isNear(at));
  const [only, ...others] = closest.length > 0 ? closest : fits;
  if (only === undefined || others.some(({ value }) => value !== only.value)) return undefined;
  return { value: only.value, words: [only.at, ...spots.filter((spot) => Math.abs(spot - only.at) <= BEFORE + 1)] };
}

function readNumber(amounts: readonly Amount[], spots: readonly number[]): Found | undefined {
  const [first, last] = [spots[0], spots.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const isBehind = (place = -1) => spots.some((spot) => place > spot && place <= spot + BEFORE + 1);
  const isBefore = (place = -1) => spots.some((spot) => place >= 0 && place < spot && spot - place <= BEFORE);
  const amount =
    amounts.find(({ tokens }) => isBehind(tokens[0])) ?? amounts.find(({ tokens }) => isBefore(tokens.at(-1)));
  return amount === undefined ? undefined : { value: amount.value, words: [...amount.tokens, ...spots] };
}
