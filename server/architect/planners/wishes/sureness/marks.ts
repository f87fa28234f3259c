import { type Choice, toShares } from "../choices.ts";
import { SIGNS } from "../guess/signs.ts";
import { type Reading, scoreOf } from "../kinds/read-kinds.ts";
import { partsOf } from "../leaves-wish.ts";
import type { Objections } from "../objections.ts";

/** Kinds of messages that want no change, and of those that do not say which. */
const NONE = "none";
const VAGUE = "vague";

/** Marks of a reading beside its signs. */
const OWN = [
  ...(["share", "next", "rest", "lead", "readings", "parts"] as const),
  ...(["pieces", "sentences", "commas", "question"] as const),
] as const;
/** Objections of which each is a mark, by name. */
const OBJECTIONS = (
  "goneLabel shown unusual mused nothing leavesWish announcesMore leavesSentence key namesake limited " +
  "unlikely unclear idle silent noVerb from number denied unnamed unknown lacking told endless ofText agent loose turn language question"
).split(" ");

/** A reading of a text among the others. */
interface Beside {
  readonly text: string;
  readonly choices: readonly Choice[];
  /** Its place among the choices. */
  readonly at: number;
  readonly objections: Objections;
  /** How many pieces the text has. */
  readonly pieces: number;
}

/** The marks of a reading that no classifier gives, its signs first. */
export function toMarks({ text, choices, at, objections, pieces }: Beside): readonly number[] {
  const { signs = {}, names = [] } = choices[at] ?? {};
  const shares = toShares(choices.map(({ score }) => score));
  const share = shares[at] ?? 0;
  const next = Math.max(0, ...shares.filter((_, place) => place !== at));
  const own: Readonly<Record<(typeof OWN)[number], number>> = {
    share,
    next,
    rest: 1 - shares.reduce((sum, one) => sum + one, 0),
    lead: Math.log(Math.max(share, 1e-9) / Math.max(next, 1e-9)),
    readings: choices.length,
    parts: partsOf(names).length,
    pieces,
    sentences: countOf(text, /[.!?]/g),
    commas: countOf(text, /,/g),
    question: countOf(text, /[?？]/g),
  };
  const { rules, faint, slight, grave } = objections;
  const raised = new Set([...rules, ...faint, ...slight, ...grave]);
  return [
    ...SIGNS.map((sign) => signs[sign] ?? 0),
    ...OWN.map((mark) => own[mark]),
    ...OBJECTIONS.map((one) => (raised.has(one) ? 1 : 0)),
  ];
}

/** The marks of a reading by what kinds of change the classifiers find in its text. */
export function toKindMarks(reading: Pick<Reading, "scores">, kinds: readonly string[]): readonly number[] {
  const others = [...reading.scores].filter(([kind]) => !kinds.includes(kind) && kind !== NONE && kind !== VAGUE);
  return [
    Math.min(...kinds.map((kind) => scoreOf(reading, kind))),
    Math.max(...others.map(([, score]) => score)),
    scoreOf(reading, NONE),
    scoreOf(reading, VAGUE),
    kinds.filter((kind) => !reading.scores.has(kind)).length,
  ];
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
