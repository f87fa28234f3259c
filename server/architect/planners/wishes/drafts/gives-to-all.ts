import type { Clause } from "../clause.ts";
import { placesOfMatch } from "../words/words.ts";

/** Words for everybody, and for what won. */
const EVERYBODY =
  /\b(?:everybody|everyone|(?:for|to) all|all (?:users|customers|conversations|visitors|callers|readers|clients|members|guests|patients|pupils|parents|shoppers|owners|builds|calls|people|of (?:them|us))|(?:every|each) (?:user|customer|conversation|visitor|caller|reader|client|member|guest|call|single one)|now on|today on|winner|wins|won|alle[nr]?|todos|todo el mundo|tout le monde|tous)\b|所有人|大家/i;
/** Words that say that everybody is to have something; "everybody likes the cosy arm" does not. */
const GIVEN =
  /\b(?:(?:should|shall|must|ought to|can|may|to|let|have|now|please) (?:everybody |everyone |all \w+ |them )?(?:get|receive|use|have|see|be (?:given|used|shown))|gets? it|(?:everybody|everyone|all \w+) gets?|(?:for|to) (?:all|everybody|everyone)\s*(?:$|[.!,;])|give|switch|roll\w*|put|live|from now on|as of now|starting (?:now|today)|make it|deploy\w*|ab sofort|soll\w*|bekomm\w*|erhalten|freischalt\w*|umstell\w*|desde (?:ya|ahora|este)|reciban?|promuev\w*|pong\w*|dès maintenant|désormais|reçoi\w*|passez?|mettez?)\b|从现在|都用|都改|上线|推广/i;
/** Times at which something is given, and not at others. */
const SOMETIMES =
  /\b(?:(?:on|every|each) (?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:on|at|over) (?:the )?weekends?|at night|sometimes|mostly|often|now and then|freitags|montags|am wochenende)\b/iu;
/** Sayings that all is to be as what won: "so every notice should be written that way". */
const ALIKE =
  /\b(?:all|every|each)\b[^.!?;:]{1,60}?\b(?:should|must|shall|can|may|ought to) (?:now |all |be |go |go out |look |sound |work |run |read )+(?:\p{L}+ )?(?:(?:in )?(?:that|this) (?:way|manner|style)|like (?:that|this))\b/iu;
const WON = /\b(?:winner|wins|won|did (?:the )?best|works? best|is (?:the )?best|came (?:out )?(?:first|on top))\b/iu;
/** Words of such sayings. */
const GETTING = /^(?:all|roll|gets?|conversations?|customers?|users?|calls?|wins?|won)$/;
/** Sayings that there is nothing left to try. */
const NO_MORE = /\bno (?:more|further) (?:\w+ ){0,2}(?:compar\w+|experiment\w*|test\w*|trial\w*|try\w*)/i;
const TRIAL =
  /^(?:experiments?|tests?|trials?|comparisons?|contests?|studies|study|bake|a\/b|ab|versuche?|experimente?|vergleich|pruebas?|experimentos?|comparación|essais?|expériences?|comparaison|实验|测试)$/;
/** Words for the arm of an experiment. */
export const ARM = /\b(?:arms?|variants?|varianten?|brazos?|bras|group|groups|gruppen?)\b|变体|这组|组别|分组/i;

/** Tells whether a message speaks of everybody, or of what won. */
export function speaksOfAll({ text }: Clause): boolean {
  return EVERYBODY.test(text) || isAlike({ text });
}

/** Tells whether what won is how all of something is to be. */
export function isAlike({ text }: Pick<Clause, "text">): boolean {
  return WON.test(text) && ALIKE.test(text);
}

/** Tells whether a message says that something is given, whoever gets it. */
export function isGiving({ text }: Clause): boolean {
  return (GIVEN.test(text) || isAlike({ text })) && !SOMETIMES.test(text);
}

/** Tells whether a message says that everybody gets something. */
export function givesToAll(clause: Clause): boolean {
  return speaksOfAll(clause) && isGiving(clause);
}

/** Finds the words by which everybody gets something, and those by which its test is over. */
export function wordsOfGiving(clause: Clause): readonly number[] {
  const isOver = clause.actions.has("stop") || NO_MORE.test(clause.text);
  return [
    ...clause.tokens.flatMap(({ lower }, at) =>
      ARM.test(lower) || EVERYBODY.test(lower) || GETTING.test(lower) || (isOver && TRIAL.test(lower)) ? [at] : [],
    ),
    ...(isAlike(clause) ? placesOfMatch(clause.tokens, clause.text, ALIKE) : []),
    ...placesOfMatch(clause.tokens, clause.text, EVERYBODY),
    ...(["promote", "stop", "set", "grant"] as const).flatMap((action) => clause.actions.get(action) ?? []),
    ...(isOver ? clause.negators : []),
  ];
}

/** Finds the words for a test of arms. */
export function wordsOfTrial({ tokens }: Clause): readonly number[] {
  return tokens.flatMap(({ lower }, at) => (TRIAL.test(lower) ? [at] : []));
}
