import { erase } from "../fill/draft.ts";
import { fillArguments } from "../fill/fill-arguments.ts";
import { isStopWord } from "../language/stop-words.ts";
import { tokenise } from "../language/tokenise.ts";
import { readByClock, toClock } from "./clock.ts";
import type { Ranked } from "./rank-tools.ts";
import type { Decision } from "./reply.ts";
import { findSecondName } from "./second-name.ts";
import type { Situation } from "./situation.ts";
import type { ToolProfile } from "./tool-profile.ts";

/** Words that may stand around a changed value without asking for anything themselves: "and in Paris then?". */
const CONNECTORS =
  /^(?:in|for|at|on|to|from|with|near|by|of|the|a|an|and|please|then|now|instead|it|there|here|as|is|or|rather|just|only|make|use|using|degree)$/;

/** The last call with what the message changes, if the message is about that call. */
export function decideFollowUp(message: string, situation: Situation, ranked: readonly Ranked[]): Decision | undefined {
  const { memory, profiles, moment, clockKnown, thresholds } = situation;
  const { last } = memory;
  const profile = last && profiles.find(({ info }) => info.name === last.tool);
  if (!last || !profile) return undefined;
  const { cued, repeat, rest } = readFollowUp(message);
  const { tool: call, ...reading } = last;
  if (repeat) return profile.info.sideEffect ? refuseRepeat(call) : { call, ...reading };
  if (profile.info.sideEffect) return undefined;

  const [best] = ranked;
  if (best && best.score >= thresholds.match && best.profile !== profile) return undefined;

  const words = tokenise(rest);
  if (!cued && words.length > thresholds.followUpWords) return undefined;
  const { known, fields } = profile;
  const fill = (offset: number) =>
    fillArguments(rest, fields, { moment: { ...moment, offset }, known, leftovers: cued, previous: last.arguments });
  const changes = fill(moment.offset);
  if (Object.keys(changes.values).length === 0) return undefined;
  const left = findSecondName(changes.rest, known);
  if (!isRead(left ? erase(changes.rest, left) : changes.rest, cued, profile)) return undefined;
  if (cued && /^(?:who|why|whose|whom)\b/i.test(rest)) return undefined;
  const clock = clockKnown ? moment.offset : (last.clock ?? moment.offset);
  const changed = readByClock(clock, (offset) => ({ ...toClock(last, offset), ...fill(offset).values }));
  return { call, ...changed, ...(left ? { left: left.value } : {}) };
}

/** Checks that the words without effect ask for nothing: "and who is Angela Merkel?" is not about the weather. */
function isRead(rest: string, cued: boolean, { known }: ToolProfile): boolean {
  return tokenise(rest).every(({ word, stem }) => (cued ? isStopWord(word) || known.has(stem) : CONNECTORS.test(word)));
}

function refuseRepeat(tool: string): Decision {
  return {
    say: {
      text: `${tool} changes something, so I do not repeat it on a hint. Say what you want in one sentence, and name the tool.`,
      kind: "question",
      via: "pipeline",
      alternatives: [tool],
    },
  };
}

/** A message that changes or repeats the last call rather than asking for something new. */
export interface FollowUp {
  /** True if it announces itself: "and ...", "what about ...", "... instead". */
  readonly cued: boolean;
  readonly repeat: boolean;
  /** The message without the words that make it a follow-up. */
  readonly rest: string;
}

const REPEAT =
  /^(?:please\s+)?(?:again|once\s+more|one\s+more\s+time|repeat(?:\s+(?:that|it))?|same\s+again|(?:try|do)\s+(?:it\s+|that\s+)?again|retry|refresh|update)(?:\s+please)?[\s.!?]*$/i;
const CUE =
  /^(?:(?:ok|okay|so|well|hm+|no)[\s,]+)*(?:(?:and|but|then|or)\s+)?(?:(?:what|how)\s+about\b|(?:and|but|then|or|also|now|rather|instead|try|same(?:\s+again)?(?:\s+thing)?|make\s+(?:it|that)|change\s+(?:it|that)\s+to|i\s+meant|sorry,?|no,)(?=[\s,]))/i;
/** "tokyo?" after a question about Paris. */
const BRIEF =
  /^(?!(?:who|what|why|how|when|where|which|whose|is|are|do|does|did|can|could|will|would|should|really)\b)[^\s?]+(?:\s[^\s?]+){0,2}\s?\?$/i;
const TRAILING = /[\s,]+(?:instead|too|as\s+well|rather)[\s.!?]*$/i;

export function readFollowUp(message: string): FollowUp {
  const cue = CUE.exec(message)?.[0] ?? "";
  const rest = message.slice(cue.length).replace(TRAILING, "");
  return {
    cued: cue !== "" || TRAILING.test(message) || BRIEF.test(message),
    repeat: REPEAT.test(message),
    rest: rest.trim(),
  };
}
