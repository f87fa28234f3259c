import { UNUSED } from "../../directives/knows-value.ts";
import type { Json } from "../../../../store/store.ts";
import type { Tool } from "../../../../versions/version.ts";
import type { Deed } from "../../directives/phrase.ts";
import { listFields } from "../../directives/find-field.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { has } from "../drafts/draft.ts";
import { STOP } from "../words/word-lists.ts";
import { toSchema } from "./field-schema.ts";
import type { Guess } from "./guess-value.ts";
import type { Mood } from "./mood.ts";

/** An optional input that a tool does not have yet. */
interface NewField {
  readonly name: string;
  readonly schema: Readonly<Record<string, Json>>;
  /** Words of the message that describe it. */
  readonly words: readonly number[];
  /** Where its name is, if the message writes one. */
  readonly at?: number;
}

const NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const FIELD =
  /\b(?:field|input|argument|parameter|property|text|string|number|integer|list|flag|boolean|switch|place for|yes\/no)\b|Feld|campo|champ|字段|参数/i;
const FIELD_WORD = /^(?:field|input|argument|parameter|property|flag|switch|feld|campo|champ|字段|参数)$/i;
const CALLED =
  /^(?:called|named|name|namens|heißt|llamad[oa]|llámalo|nommée?|appelée?|叫|叫做|名为)$|^(?:name|call|nenn\w*|título)$/i;
/** Descriptions of what is to be given, from which it gets a name where the message writes none. */
const DESCRIBED: readonly RegExp[] = [
  /\b(?:field|input|argument|parameter|flag|box|place|spot|room|space|option|way to (?:pass|give|set|send|enter|add))s? (?:for|with|to put|to enter|to hold|to pass|to give)? ?(?:an?|the|their|our|its|his|her|your)? ?([a-z]+(?:[ -][a-z]+){0,2})/i,
  /\b(?:say|tell|specify|state|give|choose|pick|enter|see|know) (?:which|what|the|an?|their|our|its) ([a-z]+(?:[ -][a-z]+)?)/i,
  /\b(?:the|an?|their|our|its) ([a-z]+(?:[ -][a-z]+)?) (?:is|are) (?:missing|lacking)\b/i,
  /\b(?:lacks?|misses|missing|without) (?:an?|the|any)? ?([a-z]+(?:[ -][a-z]+)?)/i,
];
/** Words that end the description of a field. */
const ENDS =
  /^(?:field|input|of|for|in|on|at|to|that|which|who|when|where|is|are|was|has|have|and|or|so|as|with|from|by|it|they|we|would|should|can|please|too|also|optional|required)$/;

/** Inputs that a message may want a tool to take besides: a name like one that nothing has, or what it says that it lacks. */
export function guessNewFields(clause: Clause, tool: Tool, mood: Mood, places: Places): readonly Guess[] {
  if (!FIELD.test(clause.text) && !mood.isField) return [];
  const written = findWritten(clause, tool, places, mood.isField || has(clause, "add"));
  const found = written.length > 0 || !mood.isField ? written : findDescribed(clause, tool);
  const verbs = [...(clause.actions.get("add") ?? []), ...(clause.actions.get("relax") ?? []), ...clause.nouns.keys()];
  return found.map(({ name, schema, words, at }) => ({
    name: `add ${name} to ${tool.name}`,
    signs: {
      addField: 1,
      ...(mood.isNew ? { verb: 1 } : { noVerb: 1 }),
      ...(at === undefined ? { loose: 1, unsure: 1 } : {}),
    },
    words: [...words, ...verbs],
    core: at === undefined ? words : [at],
    deed: addField(tool, name, schema),
  }));
}

/** Names as they are written; a plain word beside one for a field is one only where something is to be added. */
function findWritten(clause: Clause, tool: Tool, { identifiers }: Places, isAdded: boolean): readonly NewField[] {
  const { tokens } = clause;
  const known = new Set(listFields(tool).map(({ name }) => name));
  const isNamed = (at: number) => {
    const [first, second, third] = [tokens[at - 1], tokens[at - 2], tokens[at - 3]].map((token) => token?.lower ?? "");
    const isBehind = FIELD_WORD.test(first ?? "") || /^(?:list|array)$/.test(second ?? "") || CALLED.test(first ?? "");
    const isKeyed = /^(?:it|them|:)$/.test(first ?? "") && CALLED.test(second ?? "");
    return isBehind || isKeyed || (first === ":" && /^(?:it|them)$/.test(second ?? "") && CALLED.test(third ?? ""));
  };
  const named = tokens.flatMap(({ kind, text: name, lower }, at) => {
    const isNew = NAME.test(name) && !known.has(name) && !identifiers.has(name);
    const isMeant =
      (kind === "quoted" && FIELD.test(clause.text)) ||
      name.includes("_") ||
      (isAdded && kind !== "sign" && !STOP.has(lower) && isNamed(at));
    return isNew && isMeant ? [at] : [];
  });
  const [at, ...others] = named.filter(
    (one, place) => named.findIndex((two) => tokens[two]?.text === tokens[one]?.text) === place,
  );
  if (at === undefined || others.length > 0) return [];
  const name = tokens[at]?.text ?? "";
  const words = FIELD.test(clause.text) || isNamed(at) ? describing(clause, at) : [at];
  return [{ name, schema: toSchema(clause, tokens[at]?.start ?? 0), words, at }];
}

/** The words of the sentence that a name is in, which say what it is for, and the numbers of its bounds. */
function describing({ text, tokens, amounts }: Clause, at: number): readonly number[] {
  const start = tokens[at]?.start ?? 0;
  const from = Math.max(...[". ", "! ", "? "].map((end) => text.lastIndexOf(end, start)), -1);
  const [end = text.length] = [...text.slice(start).matchAll(/[.!?](?:\s|$)/g)].map(({ index }) => start + index);
  const numbers = new Set(amounts.flatMap((amount) => amount.tokens));
  return tokens.flatMap((token, place) =>
    token.start > from &&
    token.start < end &&
    (token.kind !== "quoted" || place === at || token.text === tokens[at]?.text)
      ? [place]
      : numbers.has(place)
        ? [place]
        : [],
  );
}

/** "There is no way to say which floor" */
function findDescribed(clause: Clause, tool: Tool): readonly NewField[] {
  const known = new Set(listFields(tool).map(({ name }) => name.split(".").at(-1) ?? name));
  const names = DESCRIBED.flatMap((pattern) => {
    const match = pattern.exec(clause.text);
    const words = (match?.[1] ?? "").toLowerCase().split(/[ -]/);
    const end = words.findIndex((word) => ENDS.test(word));
    const name = (end < 0 ? words : words.slice(0, end)).filter((word) => !STOP.has(word)).join("_");
    return match === null || !NAME.test(name) || known.has(name) ? [] : [{ name, index: match.index }];
  });
  const [first] = names;
  if (first === undefined) return [];
  const at = clause.tokens.findIndex(({ start }) => start >= first.index);
  return [{ name: first.name, schema: toSchema(clause, first.index), words: describing(clause, at) }];
}

/** Lets a tool take one more input, which its callers may leave out; its handler gets it, and has to be taught to use it. */
function addField(tool: Tool, name: string, schema: NewField["schema"]): Deed {
  return async (bench) => {
    await bench.set(tool.file, ["input", "properties", name], { ...schema });
    bench.say(`\`${tool.name}\` takes \`${name}\`${UNUSED}`);
    bench.need("minor");
  };
}
