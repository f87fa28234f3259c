import { isErrorName } from "../../../../errors.ts";
import { isObject } from "../../../../json/is-object.ts";
import type { Json } from "../../../../store/store.ts";
import type { Tool } from "../../../../versions/version.ts";
import { findIn } from "../../../edit/edit-json.ts";
import { findBalance, maskQuotations } from "../../../message/find-quotations.ts";
import type { Message, Sentence } from "../../../message/message.ts";
import { ownSentences } from "../../../message/read-message.ts";
import { readData } from "../../directives/read-literal.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { standingOf } from "../standing.ts";
import { addSample } from "../samples/guess-sample.ts";
import { isDoubtful, OWN, toBlock } from "./find-blocks.ts";
import type { Documents } from "./guess-document.ts";
import { nameFiles } from "./name-files.ts";
import { saysOnlyThat } from "./says-only-that.ts";

type Values = Readonly<Record<string, Json>>;

const NONE: Documents = { choices: [], isSure: false };
const SAMPLE = /(?<!\p{L})(?:examples?|samples?|beispiel\w*|ejemplos?|exemples?)(?!\p{L})|示例|例子|样例|范例/iu;
/** Speaks of an example by the way. */
const ASIDE =
  /\b(?:for example|for instance|e\.g\.)|(?<!\p{L})(?:zum Beispiel|por ejemplo|par exemple)(?!\p{L})|例如|比如/giu;
const MORE =
  /(?<!\p{L})(?:add|put|use|take|include|insert|append|needs?|lack(?:s|ing)?|missing|wants?|another|more|further|new|additional|ergänz\w*|füg\w*|nimm|neue[ns]?|weitere[ns]?|noch ein|fehlt|añad\w*|agreg\w*|inclu\w*|otro|nuevo|falta|ajout\w*|autre|nouvel|manque)(?!\p{L})|加|新|再|缺/iu;
/** Shows what somebody has seen. */
const SEEN =
  /\b(?:here(?:['’]s| is| are)|looks? like|understand|explain|see|saw|got|get|found|fails?|failing|breaks?|broken|goes|went|wrong|already)\b|(?<!\p{L})(?:hier ist|aquí|voici|voilà)(?!\p{L})|这是/iu;
const OTHER =
  /(?<!\p{L})(?:remov\w*|delet\w*|drop\w*|replac\w*|instead|wrong|entfern\w*|lösch\w*|ersetz\w*|elimin\w*|quit\w*|supprim\w*|remplac\w*|reemplaz\w*)(?!\p{L})|删|替换/iu;
/** Words before the text that an example is described by. */
const DESCRIBED =
  /(?<!\p{L})(?:describ\w*|description|caption\w*|call(?:ed)?|named?|labell?ed|beschr\w*|genannt|descri\w*|llamad[oa]|décri\w*|intitulé\w*|描述)(?: it| them)?(?: as| is| it| als| como| comme)?\s*[:：]?\s*["“„«「]\s*([^"”“»」]{3,200}?)\s*["”“»」]/iu;
const POLITE = /\b(?:please|pls|plz|bitte|por favor|svp|s['’]il vous plaît)(?!\p{L})|请/iu;
const KEYS: ReadonlySet<string> = new Set(["description", "input", "output", "matches", "error"]);
const RESULTS = ["output", "matches", "error"] as const;
const NAMED = 3;
/** Objects of a message that are looked at. */
const OBJECTS = 4;

/** Finds the example that a message carries as JSON or YAML, and the tools whose calls it may show. */
export function guessSamples(message: Message, clause: Clause, places: Places): Documents {
  const sentences = ownSentences(message);
  const asking = sentences.filter(asksForSample);
  if (asking.length === 0 || sentences.some((one) => isDoubtful(one) || OTHER.test(bare(one)))) return NONE;
  const found = findExample(message);
  if (found === undefined) return NONE;
  const files = nameFiles(toBlock(message, "json", found.start, found.end), message, clause, places);
  const fitting = [...places.version.tools.values()]
    .filter((tool) => fits(tool, found.example))
    .map((tool) => ({ tool, weight: files.weightOf(tool.file) }))
    .toSorted((one, other) => other.weight - one.weight);
  const [first, second] = fitting;
  const isAlone = first !== undefined && (second === undefined || (first.weight >= NAMED && second.weight < NAMED));
  return {
    choices: fitting.map(({ tool, weight }) => ({
      deeds: [(bench) => addSample(bench, tool, found.example)],
      score: 1 + weight,
      names: [],
    })),
    isSure: isAlone && !asking.some(tells) && saysOnlyThat(message, (one) => asking.includes(one)),
  };
}

/** A sentence without what is quoted or written as code in it. */
function bare({ text }: Sentence): string {
  return maskQuotations(text.replace(/\{.*\}/s, "")).replaceAll(ASIDE, "");
}

function asksForSample(sentence: Sentence): boolean {
  return SAMPLE.test(bare(sentence)) && MORE.test(bare(sentence));
}

/** Tells whether a sentence only tells of an example. */
function tells(sentence: Sentence): boolean {
  const isAsked = ["order", "fragment"].includes(standingOf(sentence)) || POLITE.test(bare(sentence));
  return SEEN.test(bare(sentence)) || !isAsked;
}

interface Found {
  readonly example: Values;
  readonly start: number;
  readonly end: number;
}

/** The example of a message: an object with an input, or one that is given and one that comes of it. */
function findExample(message: Message): Found | undefined {
  const objects = message.segments
    .filter((one) => one.kind === "sentence" || one.form === "introduced" || OWN.has(one.form))
    .flatMap(({ text, start, end, kind }) =>
      listObjects(text).map((value) => ({ value, start, end: kind === "data" ? end : start + text.length })),
    );
  const [first, second, ...others] = objects;
  if (first === undefined || others.length > 0) return undefined;
  const outside = message.segments.map(({ text }) => text.replace(/\{.*\}/s, "")).join(" ");
  const { description: own, ...rest } = toExample(first.value, second?.value ?? toError(first.value, outside)) ?? {};
  if (!isObject(rest["input"]) || RESULTS.filter((key) => rest[key] !== undefined).length > 1) return undefined;
  const description = typeof own === "string" ? own : DESCRIBED.exec(outside)?.[1];
  const example: Values = { ...(description === undefined ? {} : { description }), ...rest };
  return { example, start: first.start, end: (second ?? first).end };
}

/** What the words around an input say that it ends with, where that is one error. */
function toError(given: Values, outside: string): Values | undefined {
  if (isObject(given["input"]) && RESULTS.some((key) => given[key] !== undefined)) return undefined;
  const [error, ...others] = new Set(
    [...outside.matchAll(/\b[A-Z][A-Z_]{3,}\b/g)].map(([word]) => word).filter(isErrorName),
  );
  return error === undefined || others.length > 0 ? undefined : { error };
}

function toExample(first: Values, second: Values | undefined): Values | undefined {
  const isSample = Object.keys(first).every((key) => KEYS.has(key)) && isObject(first["input"]);
  if (second === undefined) return isSample ? first : undefined;
  const [key = "", ...others] = Object.keys(second);
  const isResult = others.length === 0 && RESULTS.some((one) => one === key);
  const isWhole = RESULTS.some((one) => first[one] !== undefined);
  if (isSample) return isResult && !isWhole ? { ...first, ...second } : undefined;
  return { input: first, ...(isResult ? second : { output: second }) };
}

/** The objects of a text: all of it, the items of its list, or those in braces. */
function listObjects(text: string): readonly Values[] {
  const whole = /^\s*(?:- +)?[\w"]+\s*:/.test(text) ? readData(text) : undefined;
  const items = [isObject(whole) ? (whole["examples"] ?? whole) : whole].flat();
  if (items.every((item) => isObject(item) && isObject(item["input"]))) return items as readonly Values[];
  // Braces within an item are a part of it.
  if (Array.isArray(whole)) return [];
  const found: Values[] = [];
  for (let at = text.indexOf("{"); at >= 0 && found.length < OBJECTS; at = text.indexOf("{", at + 1)) {
    const end = findBalance(text, at);
    const value = end === undefined ? undefined : readData(text.slice(at, end));
    if (end === undefined || !isObject(value)) continue;
    found.push(value as Values);
    at = end - 1;
  }
  return found;
}

/** Tells whether a tool can be called so, and give that. */
function fits({ input, output }: Tool, example: Values): boolean {
  const given = example["input"];
  if (!isObject(given) || !hasKeys(input, given)) return false;
  const { error, output: came } = example;
  if (error !== undefined) return typeof error === "string" && isErrorName(error);
  return hasAll(input, given) && (!isObject(came) || (hasKeys(output, came) && hasAll(output, came)));
}

function hasKeys(schema: unknown, value: object): boolean {
  const properties = findIn(schema, ["properties"]);
  return isObject(properties) && Object.keys(value).every((key) => Object.hasOwn(properties, key));
}

/** Keys that the service gives by itself. */
const SERVED: ReadonlySet<unknown> = new Set(["conversation_id", "logs_uri"]);

function hasAll(schema: unknown, value: object): boolean {
  const required = findIn(schema, ["required"]);
  return !Array.isArray(required) || required.every((key) => SERVED.has(key) || Object.hasOwn(value, String(key)));
}
