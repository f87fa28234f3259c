import { toCore, toWords } from "./find-mood.ts";

/** Reference of a sentence to the data that it applies. */
export interface Application {
  /** True if it may refer to several blocks. */
  readonly isPlural: boolean;
  readonly direction: "above" | "below" | "any";
}

const PRONOUN = "this|that|it|these|those|them|(?:all|both)(?: of (?:these|those|them|it|this))?|everything";
const NOUN =
  "diffs?|patch(?:es)?|changes?|edits?|blocks?|snippets?|yaml|json(?:[ -]patch(?:es)?)?|config(?:uration)?s?|files?|manifests?|settings?|values?|directives?|instructions?|orders?|steps?|requests?|texts?|code|modifications?|updates?|adjustments?";
const PLACE = "below|above|following|next|previous|quoted|enclosed|pasted|fenced|indented";
const THING =
  `(?:(?:the|this|that|these|those|my|our|all(?: (?:the|these|those))?|both|two|three|four|some)? ?(?:(?:${PLACE}|unified|small|whole|entire|same|first|second|last|two|three|four) )*(?:${NOUN})(?: (?:${PLACE}))?` +
  `|(?:the|what|as) (?:${PLACE}|follows|is (?:${PLACE}|quoted))|(?:what|everything) (?:follows|stands|is) ?(?:${PLACE})?|${PRONOUN})`;
const MANNER = "(?: (?:below|above|here|now|today|then|instead|exactly|as (?:it is|they are|is|written|given|shown)))*";
/** Purpose or place, in one pattern: two patterns that may follow each other would try every way to share the words. */
const TAIL = `${MANNER}(?: (?:to|for|in|on|into|of|from|against) (?!(?:an? |the )?(?:examples?|tests?|testing|instance|warning|evidence)\\b)[\\w./\`'\\ufffc -]{1,80})?`;
const VERB =
  "apply|do|make|use|take|merge|commit|implement|adopt|perform|execute|carry out|land|integrate|include|follow|accept|put in|roll out";
const PATTERNS: readonly RegExp[] = [
  new RegExp(`^(?:${VERB}) (?:just |exactly |only )?${THING}${TAIL}$`),
  new RegExp(
    `^(?:set|change|adjust|configure|update|make|put|write|edit|correct|replace) .{1,120}? (?:as (?:below|above|follows|shown|given|written)|(?:look )?like (?:this|that|so|these)|(?:to|with|by) (?:this|these|what follows|the (?:following|below|above)|the (?:${PLACE}) (?:${NOUN}))|below)(?: (?:${NOUN}))?(?: below| above)?$`,
  ),
  new RegExp(
    `^${THING}${TAIL} (?:(?:should|must|needs? to|ha(?:s|ve) to|is to|are to) be )(?:applied|made|done|merged|committed|adopted|carried out)${TAIL}$`,
  ),
  new RegExp(`^${THING}${TAIL} (?:to be )?(?:applied|made|done|merged|committed|adopted|carried out)${TAIL}$`),
];
/** Words that speak of applying what there is, whatever they say of it. */
const SPOKEN_OF = new RegExp(
  "\\b(?:appl(?:y|ies|ied|ying)|merg(?:e|es|ed|ing)|commit|commits|committed|adopt|adopted|implement|implemented)\\b|" +
    `\\b(?:do|done|make|made|use|used|follow|accept|execute|obey) (?:${PRONOUN}|the (?:(?:${PLACE}) )?(?:${NOUN}))\\b|` +
    "\\b(?:ignore|disregard|discard|skip|reject|refuse|forget|withdraw|cancel|hold off|wait)\\b",
);
/** Characters of what says to apply something. */
const LONGEST = 300;
const CLAUSES = /,? and then |,? then |,? and also |, and | and |, /;
const PLURAL = new RegExp(
  `\\b(?:these|those|them|all|both|everything|following(?! (?:diff|patch|change|edit|block|snippet|file|manifest|value|directive|order|step|request|text|update)\\b)|as follows|what follows|diffs|patches|changes|edits|blocks|snippets|files|manifests|settings|values|directives|orders|steps|requests|modifications|updates)\\b`,
);

/** Finds what an order applies, in words or as written; undefined where it applies nothing. */
export function findApplication(masked: string): Application | undefined {
  const words = toWords(masked);
  const core = toCore(words);
  const clause = core
    .split(CLAUSES)
    .map(toCore)
    .find((one) => one.length <= LONGEST && PATTERNS.some((pattern) => pattern.test(one)));
  if (clause === undefined) return undefined;
  const isBelow = /:\W*$/.test(words) || /\b(?:below|following|follows|next)\b/.test(clause);
  const isAbove = /\b(?:above|previous)\b/.test(clause);
  return { isPlural: PLURAL.test(clause), direction: isBelow ? "below" : isAbove ? "above" : "any" };
}

/** Checks that a sentence speaks of applying something, so that a question or a denial withdraws it. */
export function speaksOfApplying(masked: string): boolean {
  return SPOKEN_OF.test(toWords(masked));
}
