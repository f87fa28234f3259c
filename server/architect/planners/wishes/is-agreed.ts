import { type Choice, toShares } from "./choices.ts";
import type { Ranked } from "./rank.ts";
import { findLanguage } from "./standing.ts";

/** Share of the likeliest reading's probability that a clear reading has to have. One that leaves words aside, or is of translated words, has to be the likeliest. */
const UNDISPUTED = 0.3;
/** Probability below which no reading of a message is likely, and the binary logarithm below which its words do not want such a change. */
const UNLIKELY = 0.65;
const UNWANTED = 3;
/** Share of the likeliest reading's probability from which on the next one is a rival of a clear reading that leaves words aside. */
const RIVAL = 0.4;
/** Cost of a draft that leaves next to nothing unexplained. */
const EXPLAINED = 0.05;
/** The binary logarithm below which the words of a message speak against such a change. */
const AGAINST = -2;
/** Cost of a draft that leaves a word aside which things of this version are named by, and may be about another one. */
const LEAVES_NAME = 0.25;
/** Cost of a draft from which on too much is left aside for anything to be clear. */
const TOO_OPEN = 0.35;
/** How likely a message wants no change whose clear reading has to be the likeliest by far, and how likely that is then. */
const IDLE = 0.75;
const CERTAIN = 0.9;

/** Tells whether a clear reading of a whole message is not much less likely than another one, by all signs together, and than none. */
export function isAgreed(drafts: readonly Ranked[], choices: readonly Choice[], text: string): boolean {
  const [only, ...others] = drafts;
  const [first] = choices;
  const shares = toShares(choices.map(({ score }) => score));
  const [most = 0] = shares;
  if (drafts.some(({ cost }) => cost > TOO_OPEN)) return false;
  const isOpen = !drafts.every(isExplained);
  if (isOpen && first !== undefined) {
    const { intent = 0, idle = 0 } = first.signs ?? {};
    if (most < UNLIKELY && intent < UNWANTED) return false;
    const isDoubtful = idle >= IDLE || intent <= AGAINST || drafts.some(({ cost }) => cost >= LEAVES_NAME);
    if (isDoubtful && most < CERTAIN) return false;
  }
  if (only === undefined) return true;
  if (others.length > 0) return !sharesValue(drafts) && !namesGone(drafts);
  if (isOpen && (shares[1] ?? 0) >= RIVAL * most) return false;
  if (first === undefined) return !isOpen;
  const at = choices.findIndex(({ names }) => names.length === 1 && names[0] === only.name);
  const least = isOpen || findLanguage(text) !== "en" ? 1 : UNDISPUTED;
  return at >= 0 && (shares[at] ?? 0) >= least * most;
}

/** Tells whether a draft leaves next to nothing of what it was read from aside. */
export function isExplained({ cost }: Ranked): boolean {
  return cost <= EXPLAINED;
}

/** Tells whether something goes that is changed besides: "requester must not cancel tasks, remove task_cancel there". */
function namesGone(drafts: readonly Ranked[]): boolean {
  return drafts.some(({ name }) => {
    const [, gone] = /^remove (\S+)$/.exec(name) ?? [];
    if (gone === undefined) return false;
    const isNamed = new RegExp(String.raw`(?<![\w.-])${RegExp.escape(gone)}(?![\w-])`, "u");
    return drafts.some((other) => other.name !== name && isNamed.test(other.name));
  });
}

/** Tells whether a value is read as two things of one tool, parameter or server: "up to a week, that is 168" gives no default. */
function sharesValue(drafts: readonly Ranked[]): boolean {
  return drafts.some(({ thing, values = [], name }, at) =>
    drafts
      .slice(0, at)
      .some(
        (other) =>
          other.name !== name &&
          other.thing === thing &&
          thing !== undefined &&
          values.some((place) => other.values?.includes(place)),
      ),
  );
}
