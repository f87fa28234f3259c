import { FOREIGN_DOUBT, FOREIGN_OFFERS, FOREIGN_ORDERS, FOREIGN_POLITENESS } from "./foreign-applications.ts";
import { findMood, speaksForOthers, toCore, toWords } from "./find-mood.ts";
import { TURNED } from "./lexicon.ts";
import type { Mood } from "./message.ts";

/**
 * Reference of a sentence to the data that it applies. An `order` says to apply it, a `wish` says that something is to be like
 * it, and an `offer` only puts it forward.
 */
export interface Application {
  readonly kind: "order" | "wish" | "offer";
  /** True if it may refer to several blocks. */
  readonly isPlural: boolean;
  readonly direction: "above" | "below" | "any";
}

const PRONOUN = "this|that|it|these|those|them|(?:all|both)(?: of (?:these|those|them|it|this))?|everything";
const NOUN =
  "diffs?|patch(?:es)?|changes?|edits?|blocks?|snippets?|yaml|json(?:[ -]patch(?:es)?)?|config(?:uration)?s?|files?|manifests?|settings?|values?|directives?|instructions?|orders?|steps?|requests?|texts?|code|modifications?|updates?|adjustments?|versions?|fragments?|sections?|schemas?|definitions?|ones?|lines?";
const PLACE = "below|above|following|next|previous|quoted|enclosed|pasted|fenced|indented|attached";
const THING =
  `(?:(?:the|this|that|these|those|my|our|all(?: (?:the|these|those))?|both|two|three|four|some)? ?(?:(?:${PLACE}|unified|small|whole|entire|same|new|first|second|last|two|three|four) )*(?:${NOUN})(?: (?:${PLACE}))?` +
  `|(?:the|what|as) (?:${PLACE}|follows|is (?:${PLACE}|quoted))|(?:what|everything) (?:follows|stands|is) ?(?:${PLACE})?|${PRONOUN})`;
const MANNER =
  "(?: (?:below|above|here|now|today|then|instead|exactly|over|in|out|live|as (?:it is|they are|is|it stands|they stand|stands|written|given|shown)|word for word|verbatim))*";
/** Purpose or place, in one pattern: two patterns that may follow each other would try every way to share the words. */
const TAIL = `${MANNER}(?: (?:to|for|in|on|into|of|from|against|over) (?!(?:an? |the )?(?:examples?|tests?|testing|instance|warning|evidence)\\b)[\\w./\`'\\ufffc -]{1,80})?`;
const VERB =
  "apply|do|make|use|take|merge|commit|implement|adopt|perform|execute|carry out|land|integrate|include|follow|accept|put in|roll out|take over|put|copy|paste|write|set|go with|switch to|ship|install|roll|bring|enter";
const SHOWN =
  "(?:just |exactly |more |rather )?(?:like (?:this|that|so|these|the (?:following|below)|what follows)|as (?:below|follows|shown|given|written)(?: below| here)?|this way|thus|(?:the|what) follow(?:ing|s))";
const OUGHT = "(?:should|must|shall|ought to|ha(?:s|ve) to|needs? to|is to|are to|is supposed to|are supposed to)";
const WANT =
  "(?:i|we)(?:'d| would| do|'ll)? (?:really |rather |much )?(?:like|love|want|need|prefer|wish|expect|have in mind)";
const SHOWS = "(?:this|that|these|those|here|below|the (?:following|above|below))(?:'s| is| are| comes)?";

const ORDERS: readonly RegExp[] = [
  new RegExp(`^(?:${VERB}) (?:just |exactly |only )?${THING}${TAIL}$`),
  new RegExp(`^(?:apply|merge|commit|adopt|implement|take over|go with|ship|roll out|put in|install)${TAIL}$`),
  new RegExp(
    `^(?:set|change|adjust|configure|update|make|put|write|edit|correct|replace) .{1,120}? (?:as (?:below|above|follows|shown|given|written)|(?:look )?like (?:this|that|so|these)|(?:to|with|by) (?:this|these|what follows|the (?:following|below|above)|the (?:${PLACE}) (?:${NOUN}))|below)(?: (?:${NOUN}))?(?: below| above)?$`,
  ),
  new RegExp(
    `^(?:replace|swap|exchange|overwrite|substitute|trade) .{1,120}? (?:for|with|by|against) (?:this|these|that|what follows|the (?:${PLACE}))(?: (?:${NOUN}))?(?: below| above)?$`,
  ),
  new RegExp(
    `^${THING}${TAIL} (?:(?:should|must|needs? to|ha(?:s|ve) to|is to|are to) be )(?:applied|made|done|merged|committed|adopted|carried out)${TAIL}$`,
  ),
  new RegExp(
    `^${THING}${TAIL} (?:should|must|is to|are to|shall) (?:replace|supersede|overwrite|become|be the new)\\b.{0,100}$`,
  ),
  new RegExp(`^${THING}${TAIL} (?:to be )?(?:applied|made|done|merged|committed|adopted|carried out)${TAIL}$`),
];
/** Ways to say that something is to be like what stands beside. */
const WISHES: readonly RegExp[] = [
  new RegExp(
    `^${SHOWS} (?:how|what|the way) .{1,100} ${OUGHT} (?:now )?(?:look|be|read|become|say|end up|go|work|have)\\b.{0,40}$`,
  ),
  new RegExp(
    `^.{1,120} ${OUGHT} (?:now |then |rather )?(?:look|read|be|become|say|have|end up|come out)(?: \\w+)?? ${SHOWN}(?: (?:in|for|at|from) .{1,60})?$`,
  ),
  new RegExp(
    `^${SHOWS} (?:what|how) ${WANT}(?: (?:for .{1,80}|(?:.{1,80} )?to (?:be|look|look like|become|have|read|say|contain|see|get|use)(?: .{1,40})?|(?:it|that|this|them)(?: .{1,40})?))?$`,
  ),
  new RegExp(`^${SHOWS} (?:the|a|my|our) (?:\\w+ ){0,2}(?:${NOUN}|one) (?:that |which )?${WANT}(?: .{1,40})?$`),
  new RegExp(
    `^(?:${WANT} )?.{1,100} to (?:be|look|read|become|have)(?: \\w+)?? ${SHOWN}(?: (?:in|for|at|from) .{1,60})?$`,
  ),
];
/** Above what it speaks of. */
const ABOVE = new RegExp(`^.{1,120} ${OUGHT} (?:now |then )?(?:read|be|become|say)$`);
/** Words that make a wish one of the past, or of somebody who is not sure. */
const UNSURE =
  /\b(?:used to|had|was|were|been|formerly|previously|back then|maybe|perhaps|possibly|might|for (?:example|instance)|e\.g|imagine|suppose|unsure|whether|but (?:i|we))\b/;
/** In words that order nothing: what stands beside is how something is to be, or is meant for it. */
const OFFERS: readonly RegExp[] = [
  new RegExp(
    `^(?:(?:${SHOWS}|voil[àa]|(?:please )?find|attached is|attached) )?(?:attached )?(?:the|my|our|a|an)? ?(?:new|updated|revised|corrected|desired|wanted|target|final|improved|fixed|amended|edited)(?: \\S+){0,2} (?:${NOUN}|limits?|parameters?|bounds?|fees?|shape|state|wording)(?: (?:of|for|in|to) .{1,60})?$`,
  ),
  // Only names, above what is meant for them.
  /^(?:(?:for|in|into|to|please|pls|plz|the|tool|file|manifest|parameters?|input|output|of|and|new|update|now) )*(?=\S*[._/])[\w./-]+(?: (?:please|pls|plz|tool|parameters?|input|output|limits|now))*$/,
];
/** Orders that are no verb's object: who reports may have them, too. */
const PASSIVE = new RegExp(`^${THING}${TAIL} to be (?:applied|made|done|merged|committed|adopted|carried out)${TAIL}$`);
/** The name of what is spoken to or of, before an order. */
const ADDRESS =
  /^(?:(?:for|in|at|re|regarding|on|concerning) )?(?:the )?(?=[\w./-]*[._/])[\w./-]*\w(?: (?:tool|parameters?|manifest|file))?(?:[,:;]| -)? /i;
/** Says of all else that it stays. */
const SCOPE =
  /^(?=.{0,80}(?:\belse\b|\bother|\brest\b|\bremain|\beverything\b|übrige|\bsonst|\bdemás\b|\bresto\b|\breste\b|\bautre|其他|其余|别的)).{0,80}(?:\bsta(?:y|ys|ying)\b|\bremains?\b|\bkeeps?\b|\bkept\b|\bleave\b|\balone\b|\bunchanged\b|\bas (?:it|they|is)\b|\bsame\b|\btouch|\bchang|\bfine\b|bleib|unverändert|\bgleich\b|\bcambi|\bigual|\bqueda|不变|不动|保持)/u;
/** Words that speak of applying what there is, whatever they say of it. */
const SPOKEN_OF = new RegExp(
  "\\b(?:appl(?:y|ies|ied|ying)|merg(?:e|es|ed|ing)|commit|commits|committed|adopt|adopted|implement|implemented)\\b|" +
    `\\b(?:do|done|make|made|use|used|follow|accept|execute|obey) (?:${PRONOUN}|the (?:(?:${PLACE}) )?(?:${NOUN}))\\b|` +
    "\\b(?:ignore|disregard|discard|skip|reject|refuse|forget|withdraw|cancel|hold off|wait)\\b",
);
/** Characters of what says to apply something. */
const LONGEST = 300;
const CLAUSES = /,? and then |,? then |,? and also |, and | and |, | - /;
const PLURAL = new RegExp(
  `\\b(?:these|those|them|all|both|everything|following(?! (?:diff|patch|change|edit|block|snippet|file|manifest|value|directive|order|step|request|text|update)\\b)|as follows|what follows|diffs|patches|changes|edits|blocks|snippets|files|manifests|settings|values|directives|orders|steps|requests|modifications|updates|fragments|sections)\\b`,
);

/** Finds what a sentence applies, in words or as written; undefined where it applies nothing. */
export function findApplication(masked: string, mood: Mood = findMood(masked)): Application | undefined {
  const words = toWords(masked);
  if (words.length > 2 * LONGEST || TURNED.test(masked) || (mood !== "imperative" && mood !== "report"))
    return undefined;
  const found = findNative(words, mood) ?? findForeign(words);
  if (found === undefined) return undefined;
  const { kind, clause } = found;
  const isBelow = /[:：]\W*$/.test(words) || /\b(?:below|following|follows|next)\b/.test(clause);
  const isAbove = /\b(?:above|previous)\b|^\^/.test(clause);
  return { kind, isPlural: PLURAL.test(clause), direction: isBelow ? "below" : isAbove ? "above" : "any" };
}

/** Checks that a sentence says nothing but that something is to be applied, and that all else stays. */
export function onlyApplies(masked: string): boolean {
  if (findApplication(masked) === undefined) return false;
  return toClauses(withoutAside(toWords(masked)).replace(ADDRESS, "")).every(
    (clause) => clause === "" || SCOPE.test(clause) || findApplication(clause, "imperative") !== undefined,
  );
}

/** Checks that a sentence says only that all else stays as it is. */
export function isScope(masked: string): boolean {
  return SCOPE.test(toCore(toWords(masked)));
}

/** Checks that a sentence speaks of applying something, so that a question or a denial withdraws it. */
export function speaksOfApplying(masked: string): boolean {
  return SPOKEN_OF.test(toWords(masked));
}

/** Checks that a sentence of another language than English takes back what another says. */
export function isForeignDoubt(masked: string): boolean {
  const words = toWords(masked);
  return FOREIGN_DOUBT.test(words) && !SCOPE.test(words);
}

interface Found {
  readonly kind: Application["kind"];
  readonly clause: string;
}

function findNative(words: string, mood: Mood): Found | undefined {
  if (mood === "report" && speaksForOthers(words)) return undefined;
  const addressed = words.replace(ADDRESS, "");
  const isAddressed = mood === "report" && addressed !== words && findMood(addressed) === "imperative";
  const clauses = toClauses(isAddressed ? addressed : words);
  const find = (patterns: readonly RegExp[]) => clauses.find((one) => patterns.some((pattern) => pattern.test(one)));
  const order = find(mood === "imperative" || isAddressed ? ORDERS : [PASSIVE]);
  if (order !== undefined) return { kind: "order", clause: order };
  if (UNSURE.test(words)) return undefined;
  const wish = find(WISHES) ?? (/:\W*$/.test(words) ? find([ABOVE]) : undefined);
  if (wish !== undefined) return { kind: "wish", clause: wish };
  const offer = mood === "report" ? find(OFFERS) : undefined;
  return offer === undefined ? undefined : { kind: "offer", clause: offer };
}

/** All clauses have to say so, or that all else stays: who speaks is not looked for in these languages. */
function findForeign(words: string): Found | undefined {
  const clauses = words
    .replace(/[ .!:：,;]+$/, "")
    .split(/, | - |，/)
    .filter((clause) => clause !== "" && !SCOPE.test(clause) && !FOREIGN_POLITENESS.test(clause));
  if (clauses.some((clause) => FOREIGN_DOUBT.test(clause))) return undefined;
  const kinds = clauses.map((clause) =>
    FOREIGN_ORDERS.some((pattern) => pattern.test(clause))
      ? "wish"
      : FOREIGN_OFFERS.some((pattern) => pattern.test(clause))
        ? "offer"
        : undefined,
  );
  if (kinds.includes(undefined) || kinds.length === 0) return undefined;
  return { kind: kinds.includes("wish") ? "wish" : "offer", clause: words };
}

function toClauses(words: string): readonly string[] {
  return toCore(withoutAside(words))
    .split(CLAUSES)
    .map(toCore)
    .map((clause) => clause.replace(/^\^ ?/, ""))
    .filter((clause) => clause.length <= LONGEST && clause !== "");
}

/** Words without what stands in brackets, which says only that all else stays, or nothing that is looked for. */
function withoutAside(words: string): string {
  return words.replaceAll(/ ?\(([^()]*)\)/g, (all, inner: string) => (SCOPE.test(inner) ? "" : all));
}
