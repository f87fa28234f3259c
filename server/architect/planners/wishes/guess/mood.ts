import type { Clause } from "../clause.ts";
import { has } from "../drafts/draft.ts";

/** The wants of a message, as far as single words tell them. */
export interface Mood {
  readonly isNew: boolean;
  readonly isGone: boolean;
  readonly isMore: boolean;
  readonly isLess: boolean;
  readonly isNeeded: boolean;
  readonly isOptional: boolean;
}

const NEW = /\b(?:missing|as well|too|also|another|new|third|fourth|ready|would help|ought to know|besides)\b|也|新/i;
const GONE =
  /\b(?:any ?more|no longer|nobody|nothing|never|unused|useless|misleading|obsolete|gone|without|must not|should not|must only)\b|(?:should|must)n['’]?t\b|nicht mehr|niemand|ya no|plus d|不再|没有用/i;
const MORE =
  /\b(?:enough|cut off|tight|short|too (?:small|low|short|little)|more|longer|up to|even)\b|最多|bis zu|hasta/i;
const LESS = /\b(?:too (?:big|high|long|much|many)|less|fewer|shorter|flood\w*)\b/i;
const NEEDED =
  /\b(?:mandatory|required|compulsory|must (?:give|say|name)|no more \w+ without|not without|pflicht|obligator\w+|obligatoire)\b|必填/i;
const OPTIONAL =
  /\b(?:optional|not (?:be )?(?:required|mandatory|needed)|may be left out|freiwillig|opcional|facultati\w+)\b|可选/i;

/** Reads what a message wants from its verbs and from words that stand for one. */
export function readMood(clause: Clause): Mood {
  const { text } = clause;
  return {
    isNew: has(clause, "add") || NEW.test(text),
    isGone: has(clause, "remove", "stop", "revoke") || GONE.test(text),
    isMore: has(clause, "raise") || MORE.test(text),
    isLess: has(clause, "lower") || LESS.test(text),
    isNeeded: has(clause, "require") || NEEDED.test(text),
    isOptional: has(clause, "relax") || OPTIONAL.test(text),
  };
}

/** Tells whether a sentence says that something is not wanted any more. */
export function isNoLonger(text: string): boolean {
  return GONE.test(text);
}
