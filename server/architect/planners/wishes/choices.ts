import type { Deed } from "../directives/phrase.ts";
import { type Clause, readClause } from "./clause.ts";
import { guess } from "./guess/guess.ts";
import type { Guess } from "./guess/guess-value.ts";
import { isNoLonger } from "./guess/mood.ts";
import { type Heard, OFFERED } from "./heard.ts";
import type { Places } from "./places/places.ts";
import type { Ranked } from "./rank.ts";
import { type Resolved, resolveWhole, splitOutsideQuotes } from "./resolve.ts";

/** By how much it may cost more than the best one. */
const SPREAD = 1;
/** Readings that are worked out at most, to find those that can be carried out. */
export const TRIED = 6;
/** Cost below which a reading stands before guesses. */
const NEAR = 0.8;
/** Parts of a message that are guessed at by themselves. */
const PARTS = 5;
/** The score of a guess at a part. */
const PART = 3;
/** Characters of a message that are guessed at. */
const GUESSED = 1_000;
/** The score of a guess that is offered beside the reason why a reading cannot be carried out. */
const SURE = 5;
/** Deeds that together may be meant; of a reading that leaves much unexplained, `isNear` is false. */
export interface Choice {
  readonly deeds: readonly Deed[];
  readonly isNear: boolean;
}

/** A message as it was heard: by sentence, and joined where not all of them are clear. */
interface Wished {
  readonly heard: readonly Heard[];
  readonly joined: Resolved | undefined;
  /** All that the sender says in words of its own. */
  readonly clause: Clause;
  readonly places: Places;
  /** True: a clear reading cannot be carried out. */
  readonly isRefused: boolean;
}

/**
 * What a message may mean: readings that explain nearly all of it, then guesses by single words, then the other readings.
 * `isSure`: one of them fits well enough to be offered where a value may be missing.
 */
export function listChoices(wished: Wished): { readonly choices: readonly Choice[]; readonly isSure: boolean } {
  const { heard, joined, clause, places, isRefused } = wished;
  const read = toChoices(heard, joined);
  const isAsking = heard.some(asks);
  const guesses = isAsking ? guess(clause, places).filter(({ score }) => !isRefused || score >= SURE) : [];
  const several = isAsking && !isRefused ? guessParts(heard, places, clause) : [];
  const single = guesses.slice(0, TRIED).map(({ deed }) => ({ deeds: [deed], isNear: false }));
  return {
    choices: [
      ...read.filter(({ isNear }) => isNear),
      ...single.slice(0, 1),
      ...several,
      ...single.slice(1),
      ...read.filter(({ isNear }) => !isNear),
    ],
    isSure: read.some(({ isNear }) => isNear) || several.length > 0 || guesses.some(({ score }) => score >= SURE),
  };
}

/** Tells whether a sentence asks for anything, or says that something is not wanted any more. */
function asks({ standing, sentence: { text } }: Heard): boolean {
  if (standing === "order" || standing === "fragment") return true;
  if (standing === "others") return WISH.test(text);
  if (KEYED.test(text)) return true;
  if (standing === "negation" && isNoLonger(text)) return true;
  return PLEASE.test(text) || (standing !== "question" && !/[?？]/.test(text) && HABIT.test(text) && OUGHT.test(text));
}

const WISH = /\b(?:i|we)(?:['’]d| would)? (?:like|love|want|need)\b/i;
/** `catalog.list_reviews title: What customers say` */
const KEYED = /^\W*[\w.]+(?:['’]s)? [\w ]{1,30}:\s*\S/;

/** A request, whatever else a sentence says. */
const PLEASE =
  /\b(?:please|pls|bitte|por favor|svp|s['’]il (?:te|vous) pla[iî]t|(?:can|could|would) (?:you|it|we|they|the|that)|kannst du|könnt ihr|könntest du|könntet ihr|puedes|podr[ií]as|peux-tu|pouvez-vous|pourriez-vous)\b|请|能不能|能否/i;
/** "When a machine is drained, builds should get half an hour" says how something is to be, and sets no condition. */
const HABIT = /^\W*(?:when|whenever|whoever|anybody who|everybody who|wer|wenn man|beim|quand on|cuando|al)\b/i;
const OUGHT =
  /\b(?:should|must|has to|have to|ought to|'d like|want|needs?|show|give|let|soll\w*|muss|müssen|darf|dürfen|debe\w*|doit|doivent|devrait)\b/i;

/** All that the sender says in words of its own, as far as it is guessed at. */
export function ownText(heard: readonly Heard[]): string {
  const own = heard.filter((one) => one.standing !== "others" || asks(one));
  return own
    .map(({ sentence }) => sentence.text)
    .join(" ")
    .slice(0, GUESSED);
}

/** The likeliest wish of each part of a message that asks for several things; none where a part may mean nothing. */
function guessParts(heard: readonly Heard[], places: Places, message: Clause): readonly Choice[] {
  const asking = heard.filter(asks).map(({ sentence }) => sentence.text);
  for (const parts of [asking, asking.flatMap(splitOutsideQuotes)]) {
    if (parts.length < 2 || parts.length > PARTS) continue;
    const found = parts.map((part) => readPart(part, places, message));
    const names = new Set(found.map((one) => one?.name.replace(/=.*$/s, "")));
    if (found.every((one) => one !== undefined) && names.size === found.length)
      return [{ deeds: found.map(({ deed }) => deed), isNear: false }];
  }
  return [];
}

function readPart(text: string, places: Places, message: Clause): Pick<Guess, "name" | "deed"> | undefined {
  const whole = resolveWhole(text, places);
  const [draft] = whole.kind === "clear" ? whole.drafts : [];
  if (draft?.deed !== undefined) return { name: draft.name, deed: draft.deed };
  const [best] = guess(readClause(text, places), places, message);
  return best !== undefined && best.score >= PART ? best : undefined;
}

/** The clear sentences of a message with each reading of the open one, or each reading of all of it. */
function toChoices(heard: readonly Heard[], joined: Resolved | undefined): readonly Choice[] {
  const clear = heard.flatMap(({ resolved }) => (resolved?.kind === "clear" ? resolved.drafts : []));
  const open = heard.flatMap(({ resolved }) =>
    resolved?.kind === "open" && resolved.drafts.some(({ deed, cost }) => deed !== undefined && cost <= OFFERED)
      ? [resolved]
      : [],
  );
  if (clear.length > 0 && open.length === 0) return [{ deeds: toDeeds(clear), isNear: true }];
  const [first, ...others] = clear.length > 0 ? open : [joined, ...open];
  if (first === undefined || (clear.length > 0 && others.length > 0)) return [];
  const candidates = first.drafts.filter(({ deed, cost }) => deed !== undefined && cost <= OFFERED);
  const least = candidates[0]?.cost ?? 0;
  return candidates
    .filter(({ cost }) => cost - least < SPREAD)
    .slice(0, TRIED)
    .map((draft) => ({ deeds: toDeeds([...clear, draft]), isNear: draft.cost < NEAR }));
}

/** The deeds of drafts. */
export function toDeeds(drafts: readonly Ranked[]): readonly Deed[] {
  return drafts.flatMap(({ deed }) => deed ?? []);
}

/** Each deed as a choice of its own. */
export function toApplied(deeds: readonly Deed[]): readonly Choice[] {
  return deeds.map((deed) => ({ deeds: [deed], isNear: false }));
}
