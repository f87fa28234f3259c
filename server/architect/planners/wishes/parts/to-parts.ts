import type { Tool } from "../../../../versions/version.ts";
import { readClause } from "../clause.ts";
import { changesGone } from "../contrary/contradict.ts";
import { isNameOf } from "../drafts/draft.ts";
import { withoutAdding } from "../leaves-sentence.ts";
import type { Places } from "../places/places.ts";
import { resolveWhole } from "../resolve.ts";
import { fillGaps } from "./fill-gaps.ts";
import { splitAt } from "./split-at.ts";

/** A part of a message as a sentence of its own. */
export interface Part {
  readonly text: string;
  /** The file of the tool that a word such as "it" stands for; absent where none does. */
  readonly file?: string;
}

const MOST = 4;
/** Between wishes, each of which begins with its verb. */
const BETWEEN = /[,;]?\s+(?:and|then|and then|and also|und|y|e|et)\s+(?:(?:also|then|please)\s+)?|[;,]\s+|，|；/iu;
const VERB =
  /^(?:please |also |then )*(?:add|allow|change|cut|deprecate|drop|give|increase|let|limit|lower|make|mark|put|raise|reduce|remove|rename|replace|require|set|swap|take|turn|use|call|cap|grant|revoke|retitle|title|describe|redact|flag|move|point|switch|gib|lass|setze|füge|mach|mache|pon|añade|quita|dale|mets|ajoute|donne)\b/iu;
/** A part with a subject of its own: "and fs_read should have 20 seconds". */
const SUBJECT =
  /^(?:the )?[\w.]+(?: (?:of|in|for) (?:the )?[\w.]+)? (?:should|must|may|gets?|needs?|costs?|has to|have to|ought to)(?= )/iu;
/** Words of a list whose things share what they get. */
const SHARED =
  /\b(?:together|combined|altogether|in total|in sum|between them|shared?|or|instead|than|like|from|with|into|by)\b/iu;
/** Words for the tool that was named before. */
/** Verbs of a sentence behind its subject. */
const SAYING =
  /^,? (?:also |both |still )?(?:can|may|should|must|will|shall|has to|have to|needs? to|stays?|remains?|is|are)\b/iu;
const PRONOUN =
  /(?<=^|\s)(?:(?:the|this|that|same) (?:tool|call)|it|das werkzeug|la herramienta|l['’]outil)(?=$|[\s,.;!])/iu;
/** What may be said of fields and arms as well as of tools: "describe it as ...", "and deprecate it", "its lead_hours". */
const OF_FIELD =
  /\b(?:deprecate|describe|rename|remove|drop|delete|mark|flag|call|require|retitle) it\b|\bit\b.*\b(?:titled?|accepts?|defaults?|described|called|mandatory|required|optional)\b|^\W*it (?:should|must|may|can|could) (?:also )?(?:accept|allow|take|offer|know|support)\b|\bits\b|\bgive it [\p{L}_]+_/iu;
const POSSESSIVE = /(?<=^|\s)its\s+([\w-]+)/iu;

/**
 * Splits a sentence that asks for several things into its wishes, each told as a sentence of its own with what the first names
 * in the place of the words that stand for it: "add celsius to the units of get_weather, and give the tool 20 seconds". None where
 * it is one wish.
 */
export function toParts(text: string, places: Places): readonly Part[] {
  const pieces: string[] = [];
  for (const piece of splitAt(text.replace(/[.!]\s*$/u, ""), BETWEEN))
    if (pieces.length === 0 || VERB.test(piece) || SUBJECT.test(piece)) pieces.push(piece);
    else pieces[pieces.length - 1] = `${pieces.at(-1) ?? ""}${joint(text, pieces.at(-1) ?? "")}${piece}`;
  const [first = "", ...others] = fillGaps(pieces, places).map(withHead);
  if (others.length === 0) return toEach(text, places);
  if (pieces.length > MOST) return [];
  // What goes is not changed besides.
  const [draft] = resolveWhole(first, places).drafts;
  if (draft !== undefined && others.some((piece) => changesGone(piece, draft))) return [];
  // What is said of "it" behind a field, or behind what gets another name, is not said of the tool.
  const isOfOther = draft?.thing?.field !== undefined || /^\W*(?:please )?rename\b/iu.test(first);
  if (isOfOther && others.some((piece) => OF_FIELD.test(piece))) return [];
  const tools = findTools(first, places);
  return [{ text: first }, ...others.map((piece) => withTool(piece, tools))];
}

/** What the first part says before a colon is what the others are about, too: "approver: add worker_list, remove run_report". */
function withHead(piece: string, at: number, [first = ""]: readonly string[]): string {
  const [head] = /^\W*[\w.-]+: (?=\p{L}+ )/u.exec(first) ?? [];
  return at === 0 || head === undefined || /^\W*[\w.-]+: /u.test(piece) || SUBJECT.test(piece) ? piece : head + piece;
}

/** A wish for several tools, told for each: "raise the time limit of fs_read and fs_list to 60 seconds each". None where it is for one. */
function toEach(text: string, places: Places): readonly Part[] {
  const tools = findTools(text, places);
  const { tokens } = readClause(text, places);
  const named = tokens.filter(({ lower }) => tools.some((tool) => isNameOf(tool, lower)));
  const [start, end] = [named[0]?.start ?? 0, named.at(-1)?.end ?? 0];
  const isList = named.every(
    (token, at) => at === 0 || /^,? (?:and )?$|^, ?$/iu.test(text.slice(named[at - 1]?.end ?? 0, token.start)),
  );
  if (named.length < 2 || named.length > MOST || named.length !== tools.length || !isList || SHARED.test(text))
    return [];
  // "Deprecate start_build and cancel_build can stay" says two things.
  const isOther = /\p{L}/u.test(text.slice(0, start)) && SAYING.test(text.slice(end));
  if (isOther || !/(?:\band\b|&)/iu.test(text.slice(start, end))) return [];
  const rest = text.slice(end).replace(/,? (?:each|both|alike)(?=[.!]?\s*$)/iu, "");
  return named.map((token) => ({
    text: `${text.slice(0, start).replace(/\b(?:both|each of) $/iu, "")}${token.text}${rest}`,
    ...toFile(tools.find((tool) => isNameOf(tool, token.lower))),
  }));
}

function toFile(tool: Tool | undefined): { readonly file?: string } {
  return tool === undefined ? {} : { file: tool.file };
}

/** A piece with the only tool that was named before it in the place of words that stand for it. */
function withTool(piece: string, [tool, second]: readonly Tool[]): Part {
  if (tool === undefined || second !== undefined) return { text: piece };
  const told = piece.replace(PRONOUN, tool.name).replace(POSSESSIVE, `$1 of ${tool.name}`);
  return told === piece ? { text: piece } : { text: told, file: tool.file };
}

/** Tells each sentence of a message by itself, with the tool that the first one names in the place of the words that stand for it. */
export function tellApart(sentences: readonly string[], places: Places): readonly Part[] {
  const tools = findTools(sentences[0] ?? "", places);
  return sentences.map((text, at) => (at === 0 ? { text } : withTool(withoutAdding(text), tools)));
}

/** What stands behind a piece in its text, up to the next one. */
function joint(text: string, piece: string): string {
  const end = text.indexOf(piece) + piece.length;
  return BETWEEN.exec(text.slice(end))?.[0] ?? " and ";
}

/** The tools that a part names as in their manifests, with or without their server. */
function findTools(text: string, places: Places): readonly Tool[] {
  const { tokens } = readClause(text, places);
  return [...places.version.tools.values()].filter((tool) => tokens.some(({ lower }) => isNameOf(tool, lower)));
}
