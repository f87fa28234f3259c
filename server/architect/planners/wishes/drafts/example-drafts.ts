import { addExample } from "../../directives/phrases/change-examples.ts";
import { isObject } from "../../../../json/is-object.ts";
import { findIn } from "../../../edit/edit-json.ts";
import type { Json } from "../../../../store/store.ts";
import type { Tool } from "../../../../versions/version.ts";
import type { Clause } from "../clause.ts";
import { type Draft, explainActions, hasNoun, matchThing, nameDoubt } from "./draft.ts";
import type { Places, Thing } from "../places/places.ts";
import { nameOfEdit } from "../samples/guess-sample-edit.ts";
import { speaksOfBoth } from "../samples/with-expected.ts";
import { toStems } from "../words/words.ts";

const ERROR = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** Drafts about what tools show by their examples. */
export function draftExamples(clause: Clause, places: Places): readonly Draft[] {
  if (!hasNoun(clause, "example")) return [];
  const tools = places.things.filter(({ kind }) => kind === "tool");
  return [
    ...tools.flatMap((thing) => draftNew(clause, thing, places)),
    ...places.things.filter(({ kind }) => kind === "example").flatMap((thing) => draftEdit(clause, thing, places)),
  ];
}

/** An example that ends with an error: what it gives need not be known. */
function draftNew(clause: Clause, thing: Thing, places: Places): readonly Draft[] {
  const match = matchThing(clause, thing, places);
  const { tool } = thing;
  const verbs = explainActions(clause, ["add", "set"]);
  if (match === undefined || tool === undefined || match.own === 0 || verbs === undefined) return [];
  const errorAt = clause.tokens.findIndex(({ text }) => ERROR.test(text));
  const input = readInput(clause, tool);
  const talk = clause.tokens.flatMap(({ lower }, at) =>
    /^(?:fail|fails|failing|error|errors|expect|expects|expected|expecting|gives?|returns?|ends?|ending|rejected|where|showing|shows|result|example|input)$/.test(
      lower,
    ) || clause.nouns.get(at)?.has("example") === true
      ? [at]
      : [],
  );
  const base = {
    label: `the examples of \`${tool.name}\``,
    thing,
    explained: new Set([...match.explained, ...verbs, ...talk, ...(input?.words ?? []), errorAt]),
    soft: match.soft,
    doubt: nameDoubt(match),
  };
  if (input === undefined || errorAt < 0)
    return [
      {
        ...base,
        name: `example ${tool.name}`,
        doubt: base.doubt + 1,
        missing: `An example of \`${tool.name}\` says what is given and what comes of it: say "add an example to ${tool.name}: {"input": {...}, "output": {...}}".`,
      },
    ];
  const example: Json = { input: input.value, error: clause.tokens[errorAt]?.text ?? "" };
  return [
    {
      ...base,
      name: `example ${tool.name} ${JSON.stringify(example)}`,
      deed: addExample(tool, example),
    },
  ];
}

function readInput(
  { tokens }: Clause,
  tool: Tool,
): { readonly value: Json; readonly words: readonly number[] } | undefined {
  const properties = findIn(tool.input, ["properties"]);
  const names = isObject(properties) ? Object.keys(properties) : [];
  const words: number[] = [];
  const value: Record<string, Json> = {};
  for (const name of names) {
    const at = tokens.findIndex(({ lower, kind }) => kind !== "sign" && lower === name.toLowerCase());
    const given = tokens.findIndex(
      ({ kind }, place) => place > at && place <= at + 3 && (kind === "quoted" || kind === "number"),
    );
    const token = tokens[given];
    if (at < 0 || token === undefined) {
      const own = findByPattern(tokens, findIn(tool.input, ["properties", name, "pattern"]));
      if (own < 0) continue;
      value[name] = tokens[own]?.text ?? "";
      words.push(own);
      continue;
    }
    value[name] = token.kind === "number" ? (token.value ?? 0) : token.text;
    words.push(at, given);
  }
  const required = findIn(tool.input, ["required"]);
  const isWhole = (Array.isArray(required) ? required : []).every(
    (name) => typeof name === "string" && Object.hasOwn(value, name),
  );
  return words.length === 0 || !isWhole ? undefined : { value, words };
}

/** The one word that is written as a field asks for. */
function findByPattern(tokens: Clause["tokens"], pattern: unknown): number {
  if (typeof pattern !== "string") return -1;
  const found = tokens.flatMap(({ text }, at) => (new RegExp(pattern, "u").test(text) ? [at] : []));
  return found.length === 1 ? (found[0] ?? -1) : -1;
}

/** Another value of an input of an example: "change the location in the first example from Paris to Madrid". */
function draftEdit(clause: Clause, thing: Thing, places: Places): readonly Draft[] {
  const match = matchThing(clause, thing, places);
  const { tool, example = 0 } = thing;
  const input = tool?.examples[example]?.input;
  const verbs = explainActions(clause, ["set", "replace"]);
  if (match === undefined || tool === undefined || !isObject(input) || verbs === undefined) return [];
  // What is to be expected as well is more than this changes.
  if (speaksOfBoth(clause)) return [];
  const numbers = clause.amounts.filter(
    ({ value, tokens: [at = 0] }) =>
      value === example + 1 && /^(?:example|#|no|number)/.test(clause.tokens[at - 1]?.lower ?? ""),
  );
  const isNamed = match.own === 1 || numbers.length > 0;
  const to = clause.tokens.findLastIndex(
    ({ lower, text }) => ["to", "with", "be", "a", "auf", "en"].includes(lower) || text === "->" || text === "=",
  );
  const token = clause.tokens[to + 1];
  const field =
    Object.keys(input).find((name) =>
      clause.tokens.some(({ stems }) => stems.length > 0 && stems.join() === toStems(name).join()),
    ) ?? fieldOf(clause, input);
  if (!isNamed || to < 0 || token === undefined || token.kind === "sign" || field === undefined) return [];
  const now = input[field];
  const value: Json = token.kind === "number" ? (token.value ?? 0) : token.text;
  const from = clause.tokens.findIndex(({ lower }) => lower === "from");
  const said = clause.tokens
    .slice(from + 1, to)
    .map(({ text }) => text)
    .join(" ");
  const words = clause.tokens.flatMap((_, at) => (at > to || (from >= 0 && at > from && at < to) ? [at] : []));
  const isOther = from >= 0 && said !== String(now);
  const fieldWords = clause.tokens.flatMap(({ stems }, at) =>
    stems.length > 0 && stems.join() === toStems(field).join() ? [at] : [],
  );
  const isRest = clause.tokens.length - to > 2;
  return [
    {
      name: nameOfEdit(tool, example, [{ at: ["input", field], value }]),
      label: thing.label,
      thing,
      explained: new Set([
        ...match.explained,
        ...verbs,
        ...words,
        ...fieldWords,
        ...numbers.flatMap(({ tokens }) => tokens),
      ]),
      soft: match.soft,
      doubt: (isOther ? 1.5 : 0) + (isRest ? 1 : 0),
      deed: async (bench) => {
        const isChanged = await bench.set(tool.file, ["examples", example, "input", field], value);
        if (isChanged)
          bench.say(
            `The example ${example + 1} of \`${tool.name}\` is called with \`${field}\` = \`${String(value)}\`.`,
          );
        bench.need("patch");
      },
    },
  ];
}

function fieldOf({ text }: Clause, input: Readonly<Record<string, unknown>>): string | undefined {
  const found = Object.entries(input).filter(
    ([, value]) => typeof value === "string" && value.length > 2 && text.includes(value),
  );
  return found.length === 1 ? found[0]?.[0] : undefined;
}
