import type { Tool } from "../../../../versions/version.ts";
import { type Field, listFields } from "../../directives/find-field.ts";
import { renameField } from "../../directives/rename-field.ts";
import { renameTool } from "../../directives/rename-tool.ts";
import type { Clause } from "../clause.ts";
import { hasNoun } from "../drafts/draft.ts";
import { type Places, stemOf, type Thing } from "../places/places.ts";
import { STOP } from "../words/word-lists.ts";
import type { Guess } from "./guess-value.ts";
import type { Mood } from "./mood.ts";
import { exactName, type Relevance } from "./relevance.ts";

const FIELD = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
/** Words before a new name: "rename memo to footer". */
const TO = /^(?:to|into|as|be|called|named|in|zu|nach|heißen|a|à|en|por|llamarse|->|→|为|成)$/;

/** Of these, words before one that is not written like a name. */
const SURELY = /^(?:to|into|as|called|named|say|says|zu|heißen|llamarse|->|→|为|成)$/;
/** Words behind all of a new name. */
const ENDS =
  /^(?:from|instead|please|rather|now|henceforth|because|since|as|ab|künftig|bitte|desde|en|por|à|désormais)$/;
/** Words between the name of a tool and its new one, besides those that say nothing. */
const BETWEEN =
  /^(?:renamed?|called|named|simply|tool|function|method|into|->|→|=>|umbenannt|llamarse|renommée?|appelée?)$/;
/** Words that say how often or when a tool is called, and not by what name. */
const HOW_OFTEN = /ly$|^(?:once|twice|thrice|first|last|often|seldom|later|sooner|before|after|more|less|again)$/;
/** Share of its name by which a field is named without being written. */
const NAMED = 0.6;

/** A word of the message that may be a new name, with the tokens that it is made of. */
interface Fresh {
  readonly name: string;
  readonly at: readonly number[];
  readonly isWritten: boolean;
}

/** Another name for a field or a tool that the message names; where it does not write the old name, it has to write the new one. */
export function guessRename(
  clause: Clause,
  thing: Thing,
  mood: Mood,
  places: Places,
  near: Relevance | undefined,
): readonly Guess[] {
  const { tool, field, kind, id } = thing;
  const { tokens } = clause;
  if (tool === undefined || (kind !== "tool" && field === undefined)) return [];
  const own = tokens.flatMap(({ lower, kind: sort }, at) =>
    sort !== "sign" && (lower === exactName(thing) || (kind === "tool" && lower === stemOf(tool))) ? [at] : [],
  );
  const isWords = own.length === 0 && field !== undefined && mood.isRenamed && (near?.name ?? 0) >= NAMED;
  if (own.length === 0 && !isWords) return [];
  // "The cause crew should be called staff" is about a value of the field.
  if (tokens.some(({ text, kind: sort }) => sort !== "sign" && thing.values.includes(text))) return [];
  const fresh =
    field === undefined ? findToolNames(clause, tool, own, places) : findFieldNames(clause, tool, field.side, places);
  return fresh.flatMap(({ name, at, isWritten }): readonly Guess[] => {
    const before = tokens[(at[0] ?? 0) - 1];
    const isMarked = TO.test(before?.lower ?? "") || TO.test(before?.text ?? "");
    if (!isWritten && (isWords || !mood.isRenamed || !SURELY.test(before?.lower ?? before?.text ?? ""))) return [];
    const again = tokens.flatMap(({ text }, other) => (text === name ? [other] : []));
    const verbs = [...(clause.actions.get("rename") ?? []), ...(clause.actions.get("replace") ?? [])];
    return [
      {
        name: `rename ${id} ${name}`,
        signs: {
          rename: 1,
          ...(mood.isRenamed ? { verb: 1 } : { noVerb: 1 }),
          ...(isMarked ? { marked: 1 } : {}),
          ...(hasNoun(clause, kind) ? { key: 1 } : {}),
          ...(isWritten ? {} : { loose: 1 }),
          ...(mood.isNew ? { against: 1 } : {}),
          ...(field?.side === "output" ? { output: 1 } : {}),
        },
        words: [...at, ...again, ...own, ...(isWords ? (near?.words ?? []) : []), ...verbs],
        core: at,
        deed: async (bench) => {
          const deed = field === undefined ? renameTool(places.version, tool, name) : renameField(field, name);
          await deed(bench);
        },
      },
    ];
  });
}

/**
 * Names of tools that are not there yet: `visits.cancel`, or without the server one that is written like a name or stands in
 * quotes: `check_stock`.
 */
function findToolNames(
  { text, tokens }: Clause,
  tool: Tool,
  own: readonly number[],
  { version, identifiers }: Places,
): readonly Fresh[] {
  const { server, name: old } = tool;
  const [first] = old.split(".");
  const prefix = old.startsWith(`${server}.`) ? `${server}.` : "";
  const full = [...text.matchAll(/(?<![\w.])([a-z][\w-]*)\.[a-z][a-z0-9_]*(?![\w])/g)].flatMap(
    ({ 0: name, 1: owner, index }) => {
      const at = tokens.flatMap(({ start, end }, place) => (start < index + name.length && end > index ? [place] : []));
      return owner !== first || version.tools.has(name) || at.length === 0 ? [] : [{ name, at, isWritten: true }];
    },
  );
  const bare = tokens.flatMap(({ text: name, kind, end }, at): readonly Fresh[] => {
    const isPart = /^\.\w/.test(text.slice(end)) || text[(tokens[at]?.start ?? 0) - 1] === ".";
    const isFree =
      kind !== "sign" && FIELD.test(name) && !isPart && !own.includes(at) && !version.tools.has(prefix + name);
    const isWritten = kind === "quoted" || (name.includes("_") && !identifiers.has(name));
    const isPlain = !isWritten && isFree && !STOP.has(name) && isWholeName(tokens, at, own);
    return isFree && (isWritten || isPlain) ? [{ name: prefix + name, at: [at], isWritten }] : [];
  });
  return full.length > 0 ? full : bare;
}

/** Tells whether a plain word is all that what stands at `own` is to be called: "worker_list should be called workers from now on". */
function isWholeName(tokens: Clause["tokens"], at: number, own: readonly number[]): boolean {
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  if (HOW_OFTEN.test(tokens[at]?.lower ?? "")) return false;
  // "In cancel_appointment, rename reason to why"
  const between = tokens.slice((own.findLast((one) => one < at) ?? -1) + 1, at);
  if (own.every((one) => one > at) || !between.every(({ lower }) => STOP.has(lower) || BETWEEN.test(lower)))
    return false;
  return SURELY.test(before?.lower ?? "") && (next === undefined || next.kind === "sign" || ENDS.test(next.lower));
}

/** Tells whether a common word ends an order to rename something to it: "rename companions to people", but not "to it". */
function isOnlyName(tokens: Clause["tokens"], at: number): boolean {
  const [verb, before, own, next] = [tokens[0], tokens[at - 1], tokens[at], tokens[at + 1]];
  return (
    /^(?:rename|umbenennen|renombra|renomme)$/.test(verb?.lower ?? "") &&
    /^(?:to|into|zu|in|a|en)$/.test(before?.lower ?? "") &&
    !/^(?:it|them|this|that|these|those|something|anything|what|which|one|more|other|others)$/.test(own?.lower ?? "") &&
    (next === undefined || next.kind === "sign")
  );
}

/** Words that may be names of fields that a side of a tool does not have. */
function findFieldNames(
  { text, tokens }: Clause,
  tool: Tool,
  side: Field["side"],
  { version, identifiers }: Places,
): readonly Fresh[] {
  const own = new Set(listFields(tool).flatMap((field) => (field.side === side ? [field.name] : [])));
  return tokens.flatMap(({ text: name, kind, end }, at): readonly Fresh[] => {
    const isPart =
      version.servers.has(name) || /^\.\w/.test(text.slice(end)) || text[(tokens[at]?.start ?? 0) - 1] === ".";
    const isTool = [...version.tools.values()].some((one) => one.name === `${one.server}.${name}`);
    const isKnown = identifiers.has(name) && (isTool || !TO.test(tokens[at - 1]?.text.toLowerCase() ?? ""));
    const isTalk = kind === "word" && STOP.has(name) && !isOnlyName(tokens, at);
    return kind === "sign" || isPart || !FIELD.test(name) || own.has(name) || isKnown || isTalk
      ? []
      : [{ name, at: [at], isWritten: kind === "quoted" || name.includes("_") }];
  });
}
