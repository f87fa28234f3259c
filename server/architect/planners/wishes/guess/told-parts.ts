import { maskQuotations } from "../../../message/find-quotations.ts";
import type { Clause } from "../clause.ts";
import type { Guess } from "./guess-value.ts";

/** Ends of sentences, and of the parts that one is made of. */
export const SENTENCE_END = /[.!?](?=\s)|[;\n。！？；]/gu;
const PART_END = /[.!?,:](?=\s)|[;\n。！？；，()（）]|\s[-–—]+(?=\s)/gu;
/** Verbs that say how something is, or was. */
const STATING =
  /\b(?:is|are|was|were|has|have|had|does|do|did|can|cannot|could|will|would|keeps?|gets?|got|runs?|ran|takes?|took|goes|went|comes?|came|knows?|knew|sends?|sent|makes?|made|finds?|found|lost|left|won|said|told|\p{L}{3,}ed|ist|sind|war|waren|hat|haben|hatten?|wird|werden|es|son|era|eran|fue|está|están|ha|han|tiene|tienen|est|sont|était|étaient|a|ont|avait)\b|n['’]t\b/iu;
/** Words by which a part wants something, or limits what is wanted. */
const WISHING =
  /\b(?:should|must|shall|ought|needs?|want|wants|like|please|pls|let|lets|make|set|soll\w*|muss|müssen|bitte|darf|dürfen|debe\w*|quiero|queremos|doit|doivent|devrai\w*|faut|veuillez)\b/iu;
const LIMITING =
  /^\W*(?:(?:and|but|und|aber|y|pero|et|mais)\W+)?(?:if|unless|when|whenever|once|until|till|while|before|after|for|on|at|in|within|during|from|with|without|except|only|just|not|as|provided|wenn|falls|sofern|sobald|bis|bei|beim|für|nur|außer|ab|si|cuando|hasta|para|solo|sólo|salvo|quand|lorsque|jusqu\w*|pour|sauf|dès)(?!\p{L})/iu;

/** What words of a message have to do with a guess, by their places. */
export interface Nearness {
  /** True in the sentences with its value, or its thing where it takes none, unless the word is told. */
  isNear(at: number): boolean;
  /** True in parts of the message that say how something is, or is to be, beside those with its value, and begin with no limit. */
  isStated(at: number): boolean;
  /** True in those of them that only say how something is, or why ("two owners were offended"). */
  isTold(at: number): boolean;
}

/** Finds which words of a message say what a guess is made of, and which only tell something; what all guesses share is found once. */
export function toNearness({ text, tokens, actions }: Clause): (guess: Pick<Guess, "core" | "words">) => Nearness {
  const sentences = tokens.map(({ start }) => start).map(toPlace(text, SENTENCE_END));
  const parts = tokens.map(({ start }) => start).map(toPlace(text, PART_END));
  const verbs = new Set([...actions.values()].flat());
  const masked = maskQuotations(text);
  const read = new Map<number, Part>();
  const readPart = (part: number): Part => {
    const places = parts.flatMap((one, at) => (one === part ? [at] : []));
    const said = masked.slice(tokens[places[0] ?? 0]?.start ?? 0, tokens[places.at(-1) ?? 0]?.end ?? 0);
    const first = places.find((at) => tokens[at]?.kind === "word" && !JOINING.has(tokens[at].lower));
    const isOrder = first !== undefined && verbs.has(first);
    const isStated = !isOrder && STATING.test(said) && !LIMITING.test(said);
    return { isStated, isTold: isStated && !WISHING.test(said) };
  };
  /** Where a value is said again: the wish may stand there, and its reason here. */
  const repetitionsOf = (at: number) =>
    tokens.flatMap(({ kind, lower }, place) => (kind !== "sign" && lower === tokens[at]?.lower ? [place] : []));
  return ({ core, words }) => {
    const own = [...(core ?? words), ...(core ?? []).flatMap(repetitionsOf)];
    if (own.length === 0) return { isNear: () => true, isStated: () => false, isTold: () => false };
    const near = new Set(own.map((at) => sentences[at] ?? 0));
    const ownParts = new Set(own.map((at) => parts[at] ?? 0));
    const partOf = (at: number): Part => {
      const part = parts[at] ?? 0;
      if (ownParts.has(part)) return OWN;
      const known = read.get(part) ?? readPart(part);
      read.set(part, known);
      return known;
    };
    return {
      isNear: (at) => near.has(sentences[at] ?? 0) && !partOf(at).isTold,
      isStated: (at) => partOf(at).isStated,
      isTold: (at) => partOf(at).isTold,
    };
  };
}

/** What a part of a message does. */
interface Part {
  readonly isStated: boolean;
  readonly isTold: boolean;
}

/** A part with the value of a guess. */
const OWN: Part = { isStated: false, isTold: false };

const JOINING: ReadonlySet<string> = new Set([
  "and",
  "but",
  "so",
  "also",
  "then",
  "und",
  "aber",
  "y",
  "pero",
  "et",
  "mais",
]);

/** Numbers the parts of a text that such ends divide it into. */
export function toPlace(text: string, end: RegExp): (start: number) => number {
  const ends = [...text.matchAll(end)].map(({ index }) => index);
  return (start) => ends.filter((one) => one < start).length;
}
