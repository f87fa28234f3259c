import { UNUSED } from "../../../directives/knows-value.ts";
import type { Json } from "../../../../../store/store.ts";
import type { Tool } from "../../../../../versions/version.ts";
import type { Deed } from "../../../directives/phrase.ts";
import { listFields } from "../../../directives/find-field.ts";
import type { Clause } from "../../clause.ts";
import type { Places } from "../../places/places.ts";
import { requireField } from "../../drafts/thing-drafts.ts";
import { defaultCases } from "../../words/default-case.ts";
import { STOP } from "../../words/word-lists.ts";
import { toSchema } from "./field-schema.ts";
import type { Guess } from "../guess-value.ts";
import type { Mood } from "../mood.ts";

/** An input or a parameter that is not there yet. */
export interface NewField {
  readonly name: string;
  readonly schema: Readonly<Record<string, Json>>;
  /** Words of the message that describe it. */
  readonly words: readonly number[];
  /** Where its name is, if the message writes one. */
  readonly at?: number;
}

const NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const FIELD =
  /\b(?:field|input|argument|parameter|property|text|string|number|integer|list|array|flag|boolean|switch|place for|yes\/no)s?\b|Feld|campo|champ|字段|参数|字符串|列表|数组|布尔/i;
const FIELD_WORD = /^(?:field|input|argument|parameter|property|flag|switch|feld|campo|champ|字段|参数)$/i;
const CALLED =
  /^(?:called|named|name|namens|heißt|llamad[oa]|llámalo|nommée?|appelée?|叫|叫做|名为)$|^(?:name|call|nenn\w*|título)$/i;
const TYPE = String.raw`(?:string|text|array|list|boolean|bool|flag|switch|integer|number|yes\/no|whole number|decimal|Text|Zeichenkette|Liste|Schalter|Zahl|Ganzzahl|texto|cadena|lista|booleano|número|entero|texte|chaîne|liste|tableau|booléen|nombre|entier)`;
const CHINESE_TYPE = "(?:字符串|文本|列表|数组|布尔|整数|数字)";
/** A type right behind a name, or right before it. */
const TYPED_BEHIND = new RegExp(
  String.raw`^[\x60"'”»]?(?: (?:to|for|in|on|zu|bei|en|a|à) [\w.]+)?(?: as well| too| also| there)?\s*(?:[,，(（:：]|\.(?= (?:Free|Short|Plain) )|as\b|als\b|como\b|comme\b)\s*(?:(?:an?|eine?n?|une?|una|new|Free|Short|Plain|optional\p{L}*|opcional|facultati\p{L}+|short|free|simple) |可选的?|一个)*(?:${TYPE}(?![\p{L}])|${CHINESE_TYPE})`,
  "iu",
);
const TYPED_BEFORE = new RegExp(
  String.raw`(?:(?<![\p{L}])${TYPE}(?: (?:field|input|argument|parameter|property))?|Ja\/Nein-?(?:Feld|Schalter|Angabe)|${CHINESE_TYPE}(?:参数|字段)?|参数|字段|可选的)(?: (?:called|named|namens))?\s*[\x60"'“«]?$`,
  "iu",
);
/** A name that is only the word for a type, or for what has a name. */
const ONLY_TYPE = new RegExp(
  `^(?:${TYPE}|${CHINESE_TYPE}|whole|optional|new|fields?|inputs?|arguments?|parameters?|property|properties|attributes?|keys)$`,
  "iu",
);
/** "Should get an optional text field" */
const GETS =
  /\b(?:should|shall|must|can|could|might|would|(?<!used )to) (?:also |now |then )?(?:get|have|take|accept|receive|carry|use|do with|offer) an? (?:(?:new|optional|further|additional|extra|short|another) )*(?:text|string|number|integer|whole number|boolean|list|array|yes\/no|flag|switch|field|input|argument)\b/i;
/** Says that there is to be no such field. */
const DENIED =
  /\b(?:(?:should|must|shall|may|will|ought)(?: not| never|n['’]t)(?: to)? (?:get|have|take|accept|receive|carry|gain|ask)|(?:do not|don['’]t|never|no need to) (?:add|give|introduce))\b/i;
export const NEEDED = /\b(?:needs?|takes?|wants?|brauch\w*|bekommt|soll|necesita|a besoin|prend)\b|需要/i;
const REQUIRED =
  /(?<!\b(?:not|never|no|nicht|pas|kein|keine|plus)(?: be)? |n['’]t(?: be)? )(?:\b(?:required|mandatory|compulsory|obligatory|obligatori[oa]|obligatoire)\b|Pflichtfeld|verpflichtend|(?<!非)必填)/i;

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
  const known = new Set(listFields(tool, "input").map(({ name }) => name));
  const isNew = mood.isNew || GETS.test(clause.text);
  const written = findWritten(clause, known, places, mood.isField || isNew || NEEDED.test(clause.text));
  const found = written.length > 0 || !mood.isField ? written : findDescribed(clause, tool);
  const verbs = [...(clause.actions.get("add") ?? []), ...(clause.actions.get("relax") ?? []), ...clause.nouns.keys()];
  const isRequired = REQUIRED.test(clause.text) && !mood.isOptional;
  return found.map(({ name, schema, words, at }) => ({
    name: `add ${name} to ${tool.name}`,
    signs: {
      addField: 1,
      ...(isNew ? { verb: 1 } : { noVerb: 1 }),
      ...(at !== undefined && isTyped(clause, at) ? { marked: 1, defined: 1 } : {}),
      ...(at === undefined ? { loose: 1 } : {}),
      ...(at === undefined || DENIED.test(clause.text) || !saysAll(schema, clause) ? { unsure: 1 } : {}),
    },
    words: [...words, ...verbs],
    core: at === undefined ? words : [at],
    deed: addField(tool, name, schema, isRequired),
  }));
}

/** Tells whether a schema has all numbers of a message, and a default where the message speaks of one. */
function saysAll(schema: NewField["schema"], { text, amounts }: Clause): boolean {
  const numbers = listNumbers(schema);
  const isSaid = amounts.every(({ value }) => {
    const at = numbers.indexOf(value);
    return at >= 0 && numbers.splice(at, 1).length === 1;
  });
  return isSaid && (schema["default"] !== undefined || defaultCases(text).length === 0);
}

function listNumbers(value: Json): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listNumbers) : [];
}

/** Names as they are written; a plain word beside one for a field is one only where something is to be added. */
export function findWritten(
  clause: Clause,
  known: ReadonlySet<string>,
  { identifiers, version }: Places,
  isAdded: boolean,
): readonly NewField[] {
  const { tokens } = clause;
  // "To book_class, a string of 20 characters": the type is not of the tool.
  const tools = new Set([...version.tools.keys()].flatMap((name) => [name, name.split(".").at(-1) ?? name]));
  const isNamed = (at: number) => {
    const [first, second, third] = [tokens[at - 1], tokens[at - 2], tokens[at - 3]].map((token) => token?.lower ?? "");
    const isBehind = FIELD_WORD.test(first ?? "") || /^(?:list|array)$/.test(second ?? "") || CALLED.test(first ?? "");
    const isKeyed = /^(?:it|them|:)$/.test(first ?? "") && CALLED.test(second ?? "");
    return isBehind || isKeyed || (first === ":" && /^(?:it|them)$/.test(second ?? "") && CALLED.test(third ?? ""));
  };
  const named = tokens.flatMap(({ kind, text: name, lower }, at) => {
    const isOther = identifiers.has(name) && (!isTyped(clause, at) || version.servers.has(name) || tools.has(name));
    const isKnown = known.has(name) || known.has(`${name}s`) || known.has(name.replace(/s$/, ""));
    const isNew = NAME.test(name) && !ONLY_TYPE.test(name) && !isKnown && !isOther;
    const isMeant =
      (kind === "quoted" && FIELD.test(clause.text)) ||
      name.includes("_") ||
      (isAdded &&
        kind !== "sign" &&
        (STOP.has(lower)
          ? isTyped(clause, at) && CALLED.test(tokens[at - 1]?.lower ?? "")
          : isNamed(at) || isTyped(clause, at)));
    return isNew && isMeant ? [at] : [];
  });
  const at = pickOne(clause, named);
  if (at === undefined) return [];
  const name = tokens[at]?.text ?? "";
  const words = FIELD.test(clause.text) || isNamed(at) ? describing(clause, at) : [at];
  return [{ name, schema: toSchema(clause, tokens[at]?.start ?? 0), words, at }];
}

/** The one word of some that is a new name: one with its type beside it, and of several such words one that is written like a name. */
function pickOne(clause: Clause, named: readonly number[]): number | undefined {
  const { tokens } = clause;
  const isWritten = (at: number) => tokens[at]?.kind === "quoted" || tokens[at]?.text.includes("_") === true;
  const typed = named.filter((one) => isTyped(clause, one));
  const written = typed.filter(isWritten);
  const [first, ...others] = [written, typed, named].find(({ length }) => length > 0) ?? [];
  return others.every((other) => tokens[other]?.text === tokens[first ?? -1]?.text) ? first : undefined;
}

/** Tells whether a word has a type right before or behind it: "`labels`, an array", "the flag recursive". */
export function isTyped({ text, tokens }: Clause, at: number): boolean {
  const { start = 0, end = 0, kind } = tokens[at] ?? {};
  return kind !== "sign" && (TYPED_BEHIND.test(text.slice(end)) || TYPED_BEFORE.test(text.slice(0, start)));
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

/** Lets a tool take one more input, which its callers may leave out unless it is required; its handler gets it, and has to be taught to use it. */
function addField(tool: Tool, name: string, schema: NewField["schema"], isRequired: boolean): Deed {
  const path = ["input", "properties", name];
  return async (bench) => {
    await bench.set(tool.file, path, { ...schema });
    bench.say(`\`${tool.name}\` takes \`${name}\`${UNUSED}`);
    bench.need("minor");
    if (isRequired) await requireField({ tool, side: "input", name, path, schema, required: false })(bench);
  };
}
