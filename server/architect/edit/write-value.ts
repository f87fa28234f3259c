import { parse } from "yaml";
import { isObject } from "../../json/is-object.ts";
import type { Json } from "../../store/store.ts";

/** Columns up to which a text is written before it is folded. */
const WIDTH = 118;
/** Words that some reader of YAML takes for something else than a text. */
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const PLAIN = /^\p{L}[^"'`{}[\]&*!|>%@\\\p{Cc}\u2028\u2029]*$/u;
const VERSION = /^\d+\.\d+\.\d+(?:[-+][\w.+-]*)?$/;
/** Signs that end a plain scalar or make it a key. */
const BROKEN = /:(?:\s|$)|\s#|\s$/;
const HIDDEN = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

/** A value on one line, as it may stand anywhere in a YAML file. */
export function writeInline(value: Json, place: "block" | "flow" = "flow"): string {
  if (typeof value === "string") return writeText(value, place);
  if (Array.isArray(value)) return `[${value.map((item: Json) => writeInline(item)).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = entriesOf(value).map(([key, member]) => `${writeText(key, "flow")}: ${writeInline(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** A value on lines of its own, the first of which begins at `column`; the others have the spaces before it, too. */
export function writeLines(value: Json, column: number): readonly string[] {
  const pad = " ".repeat(column);
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item: Json, at) => {
      const [first = "", ...rest] = writeLines(item, column + 2);
      return [`${at === 0 ? "" : pad}- ${first}`, ...rest];
    });
  }
  if (!isObject(value) || Object.keys(value).length === 0) return [writeInline(value as Json, "block")];
  return entriesOf(value).flatMap(([key, member], at) => writeMember(key, member, column, at === 0 ? "" : pad));
}

/** `key: value`, on as many lines as it takes; `pad` stands before the first. */
export function writeMember(key: string, value: Json, column: number, pad: string): readonly string[] {
  const head = `${pad}${writeText(key, "flow")}:`;
  const isNested = (isObject(value) || Array.isArray(value)) && Object.keys(value).length > 0;
  // Short lists of plain values are read best on one line.
  const isShort = Array.isArray(value) && value.every((item) => !isObject(item) && !Array.isArray(item));
  if (isNested && !isShort) {
    const [first = "", ...rest] = writeLines(value, column + 2);
    return [head, `${" ".repeat(column + 2)}${first}`, ...rest];
  }
  const line = `${head} ${writeInline(value, isShort ? "flow" : "block")}`;
  if (typeof value !== "string" || line.length + column <= WIDTH) return [line];
  const folded = foldText(value, column + 2);
  return folded === undefined ? [line] : [`${head} >-`, ...folded];
}

/** The lines of a folded text; undefined where its spaces would not survive. */
export function foldText(text: string, column: number): readonly string[] | undefined {
  if (!/^\S+(?: \S+)*$/.test(text) || text.length <= WIDTH - column || HIDDEN.test(text)) return undefined;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > WIDTH - column) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].map((one) => " ".repeat(column) + one);
}

function writeText(text: string, place: "block" | "flow"): string {
  if (isPlain(text, place)) return text;
  return JSON.stringify(text).replaceAll(HIDDEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Checks that every reader takes the text for a string without quotes. */
export function isPlain(text: string, place: "block" | "flow"): boolean {
  if (WORDS.test(text) || BROKEN.test(text) || (place === "flow" && /[,:]/.test(text))) return false;
  return (PLAIN.test(text) && parse(text) === text) || VERSION.test(text);
}

function entriesOf(value: Readonly<Record<string, unknown>>): readonly (readonly [string, Json])[] {
  return Object.entries(value) as readonly (readonly [string, Json])[];
}
