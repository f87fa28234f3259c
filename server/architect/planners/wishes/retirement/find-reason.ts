import { toReason } from "../../directives/retire-tool.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { findMentions, type Mention } from "./find-mentions.ts";

/** Why something is deprecated, with the part of the text that says so. */
interface Reason {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** True: a word introduces it, or it is quoted. */
  readonly isMarked: boolean;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const MARKER =
  /(?:\breasons?\b(?: to give| to state| given| is| being)?\s*[:：]?|\b(?:because|seeing that|given that|now that|due to the fact that|on the grounds? that)\b|(?<!\b(?:has|have|had|been|not|n['’]t)\b[^.,;]{0,40}),?\s\bsince\b(?!\s*\d)|\b(?:Grund|Begründung|motivo|razón|raison|motif)\b(?: (?:ist|es|est))?\s*[:：]?|\b(?:weil|denn|da ja|porque|ya que|puesto que|dado que|parce qu['’]?e?|car|puisqu['’]?e?)(?![\p{L}])|因为|由于|原因(?:是)?[:：]?|理由(?:是)?[:：]?)\s*/giu;
/** Where a reason ends. */
const END =
  /[.;!?。；！？](?=\s|$|[\p{Script=Han}])|[，,]\s*(?:(?:so|please|therefore|hence|daher|also|por eso|así que|donc)(?!\p{L})|所以|请|标|麻烦)|,?\s(?:and|und|y|et|but|aber|pero|mais)\s[^,.]{0,40}\d{4}-\d{2}-\d{2}|\n/u;
const WISH =
  /\b(?:please|pls|deprecat\w*|mark\w*|flag\w*|label\w*|tag\w*|announc\w*|sunset\w*|discourag\w*|obsolete|legacy|outdated|should|ought|must|could|would|can you|let|don['’]?t|do not|not yet|keep|leave|stays?|remove\w*|delete\w*|drop|bitte|veraltet|markier\w*|kennzeichn\w*|sollte?n?|obsolet\w*|marc\w+|márque\w*|avis\w+|signal\w*|indiqu\w*|merci|dépréci\w*|dépass\w*|instead|in favou?r|successors?|use|point|send)\b|\d{4}-\d{2}|[?？]|弃用|过时|废弃|标|请/iu;
/** Begins what is said of the tool before it. */
const RELATIVE = /^\s*(?:which|qui)\s(?!is why\b)/iu;
/** Letters of a sentence that may be a reason by itself. */
const LEAST = 12;

/** Finds why something is deprecated: behind a word for reasons, in quotation marks, or where a sentence only tells something. */
export function findReason(clause: Clause, mentions: readonly Mention[]): Reason | undefined {
  return findQuoted(clause) ?? findMarked(clause, mentions) ?? findTold(clause, mentions);
}

/** The words of a clause that only say why, so that nothing is wanted by them. */
export function wordsOfReason(clause: Clause, places: Places): readonly number[] {
  const reason = findReason(clause, findMentions(clause, places));
  return clause.tokens.flatMap(({ start, end }, at) =>
    reason?.isMarked === true && start >= reason.start && end <= reason.end ? [at] : [],
  );
}

function findQuoted({ tokens }: Clause): Reason | undefined {
  const quoted = tokens.find(({ kind, text }) => kind === "quoted" && /\s/.test(text.trim()));
  return quoted === undefined ? undefined : { ...quoted, text: quoted.text, isMarked: true };
}

function findMarked(clause: Clause, mentions: readonly Mention[]): Reason | undefined {
  for (const { index, 0: marker } of clause.text.matchAll(MARKER)) {
    const start = index + marker.length;
    const length = clause.text.slice(start).search(END);
    const end = length < 0 ? clause.text.length : start + length;
    // German clauses behind these words have their verb at the end.
    const from = /^(?:weil|da)\b/iu.test(marker.trim()) ? index : start;
    const reason = toText(clause, { start: from, end }, mentions);
    if (reason !== undefined && reason.text.length > 3) return { ...reason, start: index, isMarked: true };
  }
  return undefined;
}

/** A part of the message that asks for nothing, and says enough. */
function findTold(clause: Clause, mentions: readonly Mention[]): Reason | undefined {
  const parts = [...clause.text.matchAll(/(?:[^.;:!?。；：！？，,]|[.:,](?=\S)(?!\p{Script=Han}))+/gu)];
  const told = parts.flatMap(({ index, 0: part }): readonly Reason[] => {
    if (WISH.test(part) || part.trim().length < LEAST || clause.negators.length > 3) return [];
    const reason = toText(clause, { start: index, end: index + part.length }, mentions);
    return reason === undefined || reason.text.split(" ").length < 3 ? [] : [{ ...reason, isMarked: false }];
  });
  return told[0];
}

/** The text of a span up to what it says of a successor. */
function toText(
  { text, tokens }: Clause,
  { start, end }: Span,
  mentions: readonly Mention[],
): Omit<Reason, "isMarked"> | undefined {
  const next = mentions.find(({ at, isSuccessor }) => {
    const place = tokens[at]?.start ?? 0;
    return isSuccessor && place > start && place < end;
  });
  const cut =
    next === undefined
      ? undefined
      : text.slice(start, tokens[next.at]?.start).search(/,?\s(?:and|so|but|und|y|et)\s[^,]*$|,\s[^,]*$/iu);
  const until = cut === undefined || cut < LEAST ? end : start + cut;
  const said = text.slice(start, until).replace(/^\s*(?:and|but|it['’]s because|dass|que)\s/iu, "");
  const named = mentions.findLast(({ at }) => (tokens[at]?.start ?? 0) < start)?.tool.name;
  const reason = toReason(named === undefined ? said : said.replace(RELATIVE, () => `${named} `));
  return reason === undefined ? undefined : { text: reason, start, end: until };
}
