import { addedLines } from "./added-lines.ts";
import { findHidden, toCodePoint } from "../../text/find-hidden.ts";
import { asksToRun } from "../../text/asks-to-run.ts";
import { readsLikeInstructions } from "../../text/instructions.ts";
import { isObject } from "../../json/is-object.ts";
import { readYaml } from "../../versions/manifests/yaml/read-yaml.ts";
import type { ChangedFile, Overreach } from "./overreach.ts";
import { toList } from "./refuse.ts";

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

/** Text of a string in code, in whichever quotes. */
const STRING = /(["'`])((?:\\.|(?!\1)[^\\]){0,2000})\1/g;

/** Fault of a text, wherever it stands. */
interface Fault {
  readonly rule: "hidden-text" | "instruction" | "command";
  /** The rest of a sentence that begins with the place. */
  readonly what: string;
}

const INSTRUCTION: Fault = {
  rule: "instruction",
  what: "would have text that reads like instructions to whichever model sees it",
};
const ORDER: Fault = {
  rule: "instruction",
  what: "would have text that tells whoever reads it to open, run or install something, which a model may do",
};
const COMMAND: Fault = {
  rule: "command",
  what: "would have something that git hosts or checks take for a command, a mention or markup",
};

/** Finds text in files that is hidden or meant for a model. `said` are title and changes, by where they stand. */
export function findTextFaults(
  files: readonly ChangedFile[],
  said: readonly (readonly [where: string, text: string])[],
): readonly Overreach[] {
  const inFiles = files.flatMap((file) => {
    const faults = [...findIn(file.before, file.after), ...findInValues(file), ...findInStrings(file)];
    return [...new Map(faults.map((fault) => [fault.what, fault])).values()].map((fault) =>
      toOverreach([file.path], fault),
    );
  });
  // Titles and changes quote what files would have.
  const known = new Set(inFiles.map(({ rule }) => rule));
  const places = new Map<string, { readonly fault: Fault; readonly where: string[] }>();
  for (const [where, text] of said) {
    for (const fault of findInSaid(text)) {
      if (known.has(fault.rule)) continue;
      const place = places.get(fault.what) ?? { fault, where: [] };
      places.set(fault.what, place);
      place.where.push(where);
    }
  }
  return [...inFiles, ...[...places.values()].map(({ fault, where }) => toOverreach(where, fault))];
}

function toOverreach(places: readonly string[], { rule, what }: Fault): Overreach {
  return { rule, path: places[0] ?? "", message: `${toList(places)} ${what}.` };
}

function findInSaid(text: string): readonly Fault[] {
  const isCommand = COMMANDS.test(text) || MARKUP.test(text.replaceAll(CODE, ""));
  return [...findIn(undefined, text), ...(asksToRun(text) ? [ORDER] : []), ...(isCommand ? [COMMAND] : [])];
}

/** Finds such text in the values of YAML and JSON, where escapes hide it from a search of the file, and lines are no sentences. */
function findInValues({ path, before, after }: ChangedFile): readonly Fault[] {
  if (after === undefined || !/\.(?:ya?ml|json)$/.test(path)) return [];
  const known = new Map(listTexts(path, before ?? "").map(({ key, text }) => [text, key]));
  const fresh = listTexts(path, after).filter(({ text }) => !known.has(text));
  const escaped = fresh.filter(({ text }) => !after.includes(text)).map(({ text }) => text);
  const titles = fresh.filter(({ key, text }) => key === "title" && /[\n\r\u0085\u2028\u2029]/.test(text.trim()));
  const broken = titles.map((): Fault => {
    const what = "would have a title of several lines, which could pass for something else where titles are shown";
    return { rule: "command", what };
  });
  const orders = fresh.some(({ text }) => asksToRun(text)) ? [ORDER] : [];
  return [...findIn(before, escaped.join("\n")), ...orders, ...broken];
}

/** Finds orders in new strings of handlers, which callers may read; tests, pages and comments are for those who change the code. */
function findInStrings({ path, before, after }: ChangedFile): readonly Fault[] {
  if (!/^tools\/.*\.[cm]?[jt]s$/.test(path)) return [];
  const strings = [...addedLines(before, after).join("\n").matchAll(STRING)].map(([, , text = ""]) => text);
  return strings.some(asksToRun) ? [ORDER] : [];
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

function findIn(before: string | undefined, after: string | undefined): readonly Fault[] {
  if (after === undefined) return [];
  const hidden = findHidden(after).filter((char) => before === undefined || !before.includes(char));
  const added = addedLines(before, after);
  const findings: Fault[] = [];
  if (hidden.length > 0) {
    const shown = hidden.map(toCodePoint);
    const what = `would have characters that nobody sees: ${shown.slice(0, 5).join(", ")}`;
    findings.push({ rule: "hidden-text", what });
  }
  if (added.some((line) => MIXED.test(line))) {
    const what = "would have a word with letters of two scripts, which looks like another word";
    findings.push({ rule: "hidden-text", what });
  }
  if (readsLikeInstructions(added.join("\n"))) findings.push(INSTRUCTION);
  return findings;
}
