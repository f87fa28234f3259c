import { isObject } from "../../json/is-object.ts";
import { readYaml } from "../../versions/manifests/yaml/read-yaml.ts";
import type { Message } from "../message/message.ts";
import { evidenceOf, ownSentences } from "../message/read-message.ts";
import type { ChangedFile, Overreach } from "./overreach.ts";

/** Characters of a value that somebody has chosen; what is longer, or has spaces in it, is a text. */
const LONGEST = 100;

/**
 * Values that a plan takes from what a message only shows: they stand in its blocks or quotes, and in none of the sender's own
 * sentences. Of manifests and of what is tuned: words of code and of pages are anybody's.
 */
export function findEchoes(files: readonly ChangedFile[], message: Message): readonly Overreach[] {
  const shown = evidenceOf(message).filter(({ form }) => form !== "attached");
  if (shown.length === 0) return [];
  const quoted = shown.map(({ text }) => text).join("\n");
  const own = ownSentences(message)
    .map(({ text }) => text)
    .join("\n");
  return files.flatMap(({ path, before, after }) => {
    if (/\.(?:ts|md)$/.test(path) || after === undefined) return [];
    const known = listValues(path, before ?? "");
    const fresh = [...listValues(path, after)].filter((value) => !known.has(value));
    const echo = fresh.find((value) => hasWord(quoted, value) && !hasWord(own, value));
    if (echo === undefined) return [];
    const text = `\`${path}\` would have \`${echo}\`, which stands only in what the message quotes or shows.`;
    return [{ rule: "echo" as const, path, message: text }];
  });
}

/** Numbers, and texts of one word, of a YAML or JSON document. */
function listValues(path: string, document: string): ReadonlySet<string> {
  const read = readYaml(path, document);
  const values = new Set<string>();
  const todo: unknown[] = read.ok ? [read.value] : [];
  while (todo.length > 0) {
    const value = todo.pop();
    if (typeof value === "number") values.add(String(value));
    else if (typeof value === "string" && /^\S+$/.test(value) && value.length <= LONGEST) values.add(value);
    else if (Array.isArray(value)) todo.push(...(value as readonly unknown[]));
    else if (isObject(value)) todo.push(...Object.values(value), ...Object.keys(value));
  }
  return values;
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w.-])${RegExp.escape(word)}(?![\\w-]|\\.\\w)`, "iu").test(text);
}
