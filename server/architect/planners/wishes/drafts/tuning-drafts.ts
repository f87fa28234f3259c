import type { ParameterSet } from "../../../../versions/version.ts";
import { commitValues } from "../../../commit-values.ts";
import type { Deed } from "../../directives/phrase.ts";
import { toPromotion } from "../../directives/phrases/tune.ts";
import type { Clause } from "../clause.ts";
import { type Draft, explainActions, has, hasNoun, type Match, matchThing, nameDoubt } from "./draft.ts";
import { givesToAll, wordsOfGiving } from "./gives-to-all.ts";
import type { Places, Thing } from "../places/places.ts";
import { isSame } from "../words/values.ts";

/** Words that ask for a value without naming it. */
const LIKE: Readonly<Record<string, readonly string[]>> = {
  brief: [
    "shorter",
    "short",
    "brief",
    "briefer",
    "terse",
    "terser",
    "concise",
    "succinct",
    "compact",
    "kürzer",
    "corto",
    "court",
    "简短",
  ],
  full: ["longer", "long", "detailed", "fuller", "verbose", "elaborate", "thorough", "complete", "ausführlicher"],
  warm: ["warm", "warmer", "warmly", "friendly", "friendlier", "kinder", "nicer"],
  plain: ["plain", "plainer", "neutral", "drier", "formal", "sober"],
};
const SAME: Readonly<Record<string, string>> = {
  short: "brief",
  terse: "brief",
  concise: "brief",
  compact: "brief",
  long: "full",
  detailed: "full",
  verbose: "full",
  friendly: "warm",
  neutral: "plain",
  formal: "plain",
};
const TALK =
  /^(?:answers?|answering|replies|reply|respond|responses?|summar\w+|messages?|texts?|be|sound|greets?|greeting|speak|talk|tone|way|far|less|more|keep|give|wordy|people|detail)$/;

/** Drafts that move what calls run with: promoting arms and values, going back, and answers of another kind. */
export function draftTuning(clause: Clause, places: Places): readonly Draft[] {
  const experiments = places.things.filter(({ kind }) => kind === "experiment");
  return [...experiments.flatMap((thing) => draftPromotion(clause, thing, places)), ...draftManner(clause, places)];
}

function draftPromotion(clause: Clause, thing: Thing, places: Places): readonly Draft[] {
  const match = matchThing(clause, thing, places);
  const { set } = thing;
  if (match === undefined || set === undefined) return [];
  const names = [
    ...thing.values,
    ...[...set.parameters.values()].flatMap((parameter) => (parameter.type === "categorical" ? parameter.values : [])),
  ];
  const arms = clause.tokens.flatMap(({ text, kind }, at) => {
    const arm =
      kind === "sign" || (match.explained.has(at) && (thing.names[0] ?? []).length === 1 && isSame(set.name, text))
        ? undefined
        : names.find((name) => isSame(name, text));
    return arm === undefined ? [] : [{ arm: String(arm), at }];
  });
  const [first] = arms;
  const isUnique =
    first !== undefined &&
    places.things.filter(
      ({ kind, values }) => kind === "experiment" && values.some((value) => isSame(value, first.arm)),
    ).length === 1;
  if (match.own === 0 && !isUnique) return [];
  const isOne = new Set(arms.map(({ arm }) => arm)).size === 1;
  const base = { label: thing.label, thing, soft: match.soft };
  const drafts: Draft[] = [];
  const isGiven = match.own >= 1 && givesToAll(clause);
  const verbs = explainActions(clause, ["promote"]) ?? (isGiven ? [] : undefined);
  if (
    verbs !== undefined &&
    first !== undefined &&
    isOne &&
    !has(clause, "remove", "revert") &&
    clause.keys.get("default") === undefined
  ) {
    const more = [
      ...(clause.actions.get("stop") ?? []),
      ...(clause.actions.get("set") ?? []),
      ...clause.negators.filter((at) => clause.tokens[at]?.lower === "only"),
    ];
    drafts.push({
      ...base,
      name: `promote ${set.name} ${first.arm}`,
      explained: new Set([
        ...match.explained,
        ...verbs,
        ...more,
        ...arms.map(({ at }) => at),
        ...experimenting(clause),
        ...(isGiven ? wordsOfGiving(clause) : []),
      ]),
      doubt: isUnique ? 0 : nameDoubt(match),
      deed: (bench) => bench.adjust(toPromotion(set, first.arm)),
    });
  }
  const back = explainActions(clause, ["revert"]);
  if (back !== undefined && arms.length === 0) {
    const defaults = clause.keys.get("default")?.flat();
    const kind = defaults === undefined ? "revert" : "reset";
    const isSaid = hasNoun(clause, "experiment") || defaults !== undefined;
    drafts.push({
      ...base,
      name: `${kind} ${set.name}`,
      explained: new Set([...match.explained, ...back, ...(defaults ?? [])]),
      doubt: nameDoubt(match) + (isSaid ? 0 : 1),
      deed: (bench) => bench.adjust({ kind, experiment: set.name }),
    });
  }
  return drafts;
}

function experimenting({ tokens }: Clause): readonly number[] {
  return tokens.flatMap(({ lower }, at) =>
    /^(?:experimenting|experiment|testing|a\/b|tuning)$/.test(lower) ? [at] : [],
  );
}

/** "Chat should greet people more warmly": a value that no word names, but whose like is asked for. */
function draftManner(clause: Clause, places: Places): readonly Draft[] {
  const tools = places.things
    .filter(({ kind }) => kind === "tool")
    .flatMap((thing) => {
      const match = matchThing(clause, thing, places);
      return match !== undefined && match.own > 0 && (thing.tool?.parameters.length ?? 0) > 0 ? [match] : [];
    });
  if (hasNoun(clause, "arm") || (has(clause, "promote", "revert") && clause.actions.size === 1)) return [];
  return tools.flatMap((match) =>
    (match.thing.tool?.parameters ?? []).flatMap((name) => {
      const set = places.version.parameters.get(name);
      return set === undefined
        ? []
        : [...set.parameters].flatMap(([own, parameter]) =>
            parameter.type === "categorical"
              ? parameter.values.flatMap((value) =>
                  typeof value === "string" ? toManner({ clause, match, places }, set, own, value) : [],
                )
              : [],
          );
    }),
  );
}

interface Mannered {
  readonly clause: Clause;
  readonly match: Match;
  readonly places: Places;
}

function toManner(
  { clause, match, places }: Mannered,
  set: ParameterSet,
  name: string,
  value: string,
): readonly Draft[] {
  const manner = SAME[value] ?? value;
  const others = Object.keys(LIKE).filter((one) => one !== manner && LIKE[one] !== undefined);
  const isTooMuch = clause.tokens.findIndex(({ lower }) => lower === "too");
  const said = clause.tokens.flatMap(({ lower, kind }, at) => {
    if (kind !== "word") return [];
    const opposite = isTooMuch >= 0 || clause.tokens[at - 1]?.lower === "less";
    const meant = opposite ? others.filter((other) => isOpposite(other, manner)) : [manner];
    return meant.some((one) => LIKE[one]?.includes(lower) === true) && !isOfThing(clause, at, places) ? [at] : [];
  });
  if (said.length === 0 || clause.negators.length > 0 || clause.amounts.length > 0) return [];
  const talk = clause.tokens.flatMap(({ lower }, at) =>
    TALK.test(lower) || /^(?:too|more|less)$/.test(lower) ? [at] : [],
  );
  const verbs = ["set", "lower", "raise"].flatMap((action) => clause.actions.get(action as "set") ?? []);
  const parameterName = clause.tokens.flatMap(({ stems }, at) =>
    stems.length > 0 && stems.every((stem) => [set.name, name].some((one) => one.startsWith(stem))) ? [at] : [],
  );
  const deed: Deed = (bench) =>
    set.experiment === undefined
      ? commitValues(bench, set, { [name]: value })
      : bench.adjust(toPromotion(set, findArm(set, name, value) ?? value));
  return [
    {
      name: `manner ${set.name} ${name}=${value}`,
      label: `\`${set.name}.${name}\``,
      thing: match.thing,
      explained: new Set([...match.explained, ...said, ...talk, ...verbs, ...parameterName]),
      soft: match.soft,
      doubt: nameDoubt(match) + 0.1,
      deed,
    },
  ];
}

/** "Long chats" says which chats, and not how to answer. */
function isOfThing({ tokens }: Clause, at: number, { vocabulary }: Places): boolean {
  const next = tokens[at + 1];
  const isComparative = tokens[at]?.lower.endsWith("er") === true;
  return (
    next?.kind === "word" && !isComparative && !TALK.test(next.lower) && next.stems.some((stem) => vocabulary.has(stem))
  );
}

function isOpposite(one: string, other: string): boolean {
  return [
    ["brief", "full"],
    ["warm", "plain"],
  ].some((pair) => pair.includes(one) && pair.includes(other));
}

function findArm({ experiment, parameters }: ParameterSet, changed: string, to: string): string | undefined {
  return experiment?.arms.find(({ values }) =>
    [...parameters].every(([name, { default: usual }]) => values[name] === (name === changed ? to : usual)),
  )?.name;
}
