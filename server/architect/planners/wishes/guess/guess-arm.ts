import type { Json } from "../../../../store/store.ts";
import type { Parameter, ParameterSet } from "../../../../versions/version.ts";
import type { Clause } from "../clause.ts";
import type { Thing } from "../places/places.ts";
import { STOP } from "../words/word-lists.ts";
import { type Amount, isSame } from "../words/values.ts";
import { toStems } from "../words/words.ts";
import type { Guess } from "./guess-value.ts";
import type { Relevance } from "./relevance.ts";

/** Words between the name of a parameter and its number, at most. */
const BEFORE = 2;
/** Share of a parameter's name that other words have to say. */
const HALF = 0.5;
const CALLED =
  /(?:\b(?:called|named|calls? (?:it|this|that|the arm)|names? (?:it|this|that|the arm)|with the name|by the name of|namens|nenn\w* (?:ihn|es|sie|den arm)|heißt|heißen|llamad[oa]|llám\w*|llame|nómbr\w*|nommée?|appel(?:ée?|ons|ez)|appelle|nomme)(?:-l[ea])?|:|叫做?|名为|命名为)\s*["'“‘„«「`]?([a-z][\w-]*)/giu;
/** Words that say that another arm is to be tried. */
const NEW =
  /\b(?:new|another|one more|a (?:further|third|fourth|fifth)|additional|extra|add|neue[rn]?|weitere[rn]?|noch eine?n?|zusätzlich\w*|otr[oa]|nuev[oa]|añad\w*|más|nouve(?:au|lle)|autre|ajout\w*|supplémentaire)\b|新|再加|增加|添加/i;
/** Words that names of parameters shorten. */
const SHORT: Readonly<Record<string, RegExp>> = {
  min: /^(?:minimum|minimal\w*|least|lowest|smallest|mínim[oa]|mindest\w*)$/,
  max: /^(?:maximum|maximal\w*|most|highest|largest|máxim[oa]|höchst\w*)$/,
};
/** Words that no arm is called by. */
const NO_NAME = new Set(["it", "that", "this", "the", "a", "an", "and", "with", "minimum", "maximum"]);

/** A name right beside the word for an arm, in words that want another one: "add an arm gentle", "a new gentle arm". */
const BESIDE = [
  /\b(?:add|create|try|introduce|set up|start|include|new|another|additional|extra|third|fourth|fifth) (?:(?:an?|the|one|new|another|third|fourth|fifth|more|further) )*(?:arm|variant) ["'\x60]?(?<name>[a-z][\w-]*)["'\x60]?/giu,
  /\b(?:add|create|try|introduce|set up|start|include|new|another|additional|extra|third|fourth|fifth) (?:(?:an?|the|one|new|another|third|fourth|fifth|more|further) )*["'\x60]?(?<name>[a-z][\w-]*)["'\x60]? (?:arm|variant)\b/giu,
];
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
  const called = [...text.matchAll(CALLED)].map(([, name = ""]) => name);
  const beside = BESIDE.flatMap((pattern) => [...text.matchAll(pattern)]).flatMap(
    ({ groups }) => groups?.["name"] ?? [],
  );
  const isName = (name: string) => !NO_NAME.has(name.toLowerCase()) && !set.parameters.has(name);
  const arm =
    quoted ??
    called.find((name) => isName(name)) ??
    beside.find((name) => isName(name) && !STOP.has(name.toLowerCase()) && name !== set.name);
  const isNew = arm !== undefined && !experiment.arms.some(({ name }) => name === arm) && !taken.has(arm);
  if (!isNew || Object.keys(values).length === 0) return [];
  const at = ["experiment", "arms", arm];
  return [
    {
      name: `arm ${owner}/${arm}`,
      signs: {
        arm: 1,
        siblings: Math.min(2, Object.keys(values).length),
        ...(NEW.test(text) ? { verb: 1 } : { noVerb: 1 }),
        ...(Object.keys(values).length === set.parameters.size ? { exact: 1 } : {}),
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
        bench.need("patch");
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
        : readNumber(
            clause.amounts.filter((amount) => isFree(amount) && isWithin(parameter, amount)),
            spots,
          );
    if (said === undefined) continue;
    values[name] = said.value;
    words.push(...said.words);
  }
  const open = sorted
    .filter(({ name }) => values[name] === undefined)
    .map(({ name, parameter }) => ({ name, parameter }));
  const only = readOnlyNumber(clause, open, words);
  if (only !== undefined) {
    values[only.name] = only.value;
    words.push(...only.words);
  }
  return { values, words };
}

/** The one number that is left, for the one parameter that it fits: "categories are spread at 0.35". */
function readOnlyNumber(
  { amounts }: Clause,
  open: readonly { readonly name: string; readonly parameter: Parameter }[],
  taken: readonly number[],
): (Found & { readonly name: string }) | undefined {
  const pairs = open.flatMap(({ name, parameter }) =>
    parameter.type === "categorical"
      ? []
      : amounts
          .filter((amount) => isWithin(parameter, amount) && !amount.tokens.some((at) => taken.includes(at)))
          .map(({ value, tokens }) => ({ name, value, words: tokens })),
  );
  return pairs.length === 1 ? pairs[0] : undefined;
}

/** Tells whether a number can be the value of a parameter. */
function isWithin(parameter: Parameter, { value }: Amount): boolean {
  return (
    parameter.type !== "categorical" &&
    value >= parameter.min &&
    value <= parameter.max &&
    (parameter.type !== "int" || Number.isInteger(value))
  );
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
    stems.every((stem, offset) => {
      const own = tokens[from + offset];
      return (
        own?.stems.includes(stem) === true || token.stems.includes(stem) || SHORT[stem]?.test(own?.lower ?? "") === true
      );
    }),
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
