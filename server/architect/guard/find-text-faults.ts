import { addedLines } from "./added-lines.ts";
import { findHidden, toCodePoint } from "../../text/find-hidden.ts";
import { readsLikeInstructions } from "../../text/instructions.ts";
import { isObject } from "../../json/is-object.ts";
import { readYaml } from "../../versions/manifests/yaml/read-yaml.ts";
import type { ChangedFile, Overreach } from "./overreach.ts";

/** A word of which some letters are of another script than they look. */
const MIXED =
  /[A-Za-z][\p{Script=Cyrillic}\p{Script=Cherokee}\p{Script=Armenian}]|[\p{Script=Cyrillic}\p{Script=Cherokee}\p{Script=Armenian}][A-Za-z]/u;
/**
 * In a title or a list of changes: what git hosts and checks take for commands, mentions or trailers. Trailers begin a line:
 * with a title of several lines anybody could say who has reviewed, signed or asked for a commit.
 */
const COMMANDS =
  /\[(?:skip|no)[ -]?(?:ci|actions|tests?|checks?|deploy)\]|\[(?:ci|actions)[ -]?skip\]|\*{3}no_ci\*{3}|skip-checks?\s*:|^\s*(?:[\w-]+-by|change-id|cc|cairn-[\w-]+)\s*:|(?:^|\s)\/(?:approve|merge|lgtm|ok-to-test|retest|override|hold|assign)\b|(?<![\w.])@[A-Za-z0-9][\w/-]*|\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\s+(?:[\w./-]+)?#\d+|::[a-z-]+[^:]*::|[\n\r\u0085\u2028\u2029]/im;
const MARKUP = /<!--|<\/?[a-z][^>]*>/i;
const CODE = /`[^`]*`/g;

/** Finds text in files that is hidden or meant for a model. `said` are title and changes, by where they stand. */
export function findTextFaults(
  files: readonly ChangedFile[],
  said: readonly (readonly [where: string, text: string])[],
): readonly Overreach[] {
  return [
    ...files.flatMap(({ path, before, after }) => findIn(path, before, after)),
    ...files.flatMap(findInValues),
    ...said.flatMap(([where, text]) => findIn(where, undefined, text)),
    ...said
      .filter(([, text]) => COMMANDS.test(text) || MARKUP.test(text.replaceAll(CODE, "")))
      .map(([where]): Overreach => {
        const message = `The ${where} has something in it that git hosts or checks take for a command, a mention or markup.`;
        return { rule: "command", path: where, message };
      }),
  ];
}

/** Finds such text in the values of YAML and JSON, where escapes hide it from a search of the file. */
function findInValues({ path, before, after }: ChangedFile): readonly Overreach[] {
  if (after === undefined || !/\.(?:ya?ml|json)$/.test(path)) return [];
  const known = new Map(listTexts(path, before ?? "").map(({ key, text }) => [text, key]));
  const fresh = listTexts(path, after).filter(({ text }) => !known.has(text));
  const escaped = fresh.filter(({ text }) => !after.includes(text)).map(({ text }) => text);
  const titles = fresh.filter(({ key, text }) => key === "title" && /[\n\r\u0085\u2028\u2029]/.test(text.trim()));
  const broken = titles.map((): Overreach => {
    const message = `\`${path}\` would have a title of several lines, which could pass for something else where titles are shown.`;
    return { rule: "command", path, message };
  });
  return [...findIn(path, before, escaped.join("\n")), ...broken];
}

/** All texts of a document, names of members included, each with the name of the member that it is the value of. */
function listTexts(path: string, document: string): readonly { readonly key: string; readonly text: string }[] {
  const read = readYaml(path, document);
  const texts: { key: string; text: string }[] = [];
  const todo: (readonly [key: string, value: unknown])[] = read.ok ? [["", read.value]] : [];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [key, value] = next;
    if (typeof value === "string") texts.push({ key, text: value });
    else if (Array.isArray(value)) todo.push(...value.map((item: unknown) => [key, item] as const));
    else if (isObject(value)) {
      todo.push(...Object.entries(value), ...Object.keys(value).map((name) => ["", name] as const));
    }
  }
  return texts;
}

function findIn(path: string, before: string | undefined, after: string | undefined): readonly Overreach[] {
  if (after === undefined) return [];
  const hidden = findHidden(after).filter((char) => before === undefined || !before.includes(char));
  const added = addedLines(before, after);
  const findings: Overreach[] = [];
  if (hidden.length > 0) {
    const shown = hidden.map(toCodePoint);
    const message = `\`${path}\` would have characters that nobody sees: ${shown.slice(0, 5).join(", ")}.`;
    findings.push({ rule: "hidden-text", path, message });
  }
  if (added.some((line) => MIXED.test(line))) {
    const message = `\`${path}\` would have a word with letters of two scripts, which looks like another word.`;
    findings.push({ rule: "hidden-text", path, message });
  }
  if (readsLikeInstructions(added.join("\n"))) {
    const message = `\`${path}\` would have text that reads like instructions to whichever model sees it.`;
    findings.push({ rule: "instruction", path, message });
  }
  return findings;
}
