import { fillArguments } from "../fill/fill-arguments.ts";
import { readValue } from "../fill/find-explicit.ts";
import type { Moment } from "../fill/find-date.ts";
import { readYesNo } from "../fill/find-flag.ts";
import { fits } from "../fill/fits.ts";
import type { Field } from "../fill/read-fields.ts";
import { toRole } from "../fill/role.ts";
import { isStopWord } from "../language/stop-words.ts";
import { tokenise } from "../language/tokenise.ts";
import { isConditional, isDeferred, isNegated } from "../language/mood.ts";
import { readByClock, toClock } from "./clock.ts";
import type { Situation } from "./situation.ts";
import { complete, declineTime, propose } from "./propose.ts";
import { type Ranked, rankTools } from "./rank-tools.ts";
import { isQuestion } from "./requests.ts";
import type { Awaiting, Decision } from "./reply.ts";
import { measureNaming, type ToolProfile } from "./tool-profile.ts";
import { findUnreadTime } from "./unread-time.ts";

const TRIES = 2;
/** Words from which on the answer to "what to look for?" may be a request of its own. */
const REQUEST_WORDS = 4;
const ORDINALS = ["1|1st|first|former", "2|2nd|second|latter", "3|3rd|third", "4|4th|fourth"].map(
  (words) => new RegExp(`^(?:the\\s+)?(?:${words})(?:\\s+one)?[\\s.!]*$`, "i"),
);
/** Characters up to which an answer may be no more than a hint at a tool. */
const HINT_LENGTH = 60;
const FILLERS =
  /^(?:(?:it['’]?s|it\s+is|its|that['’]?s|i\s+mean|the\s+answer\s+is|use|take|in|at|for|to)\s+)+|[\s.!?,]+$|[\s,]+please[\s.!]*$/giu;

/** Reads the message as the answer to the open question; `undefined` if it asks for something else. */
export function answerQuestion(
  message: string,
  awaiting: Awaiting,
  situation: Situation,
  ranked: readonly Ranked[],
): Decision | undefined {
  return awaiting.for === "tool"
    ? answerWhichTool(message, awaiting, situation)
    : answerArgument(message, awaiting, situation, ranked);
}

function answerWhichTool(
  message: string,
  { tools, message: request }: Extract<Awaiting, { for: "tool" }>,
  situation: Situation,
): Decision | undefined {
  const options = tools.flatMap((name) => situation.profiles.find(({ info }) => info.name === name) ?? []);
  const [only] = options;
  const agreed = options.length === 1 ? readConsent(message) : undefined;
  if (agreed === false) return { say: { text: "All right, I leave it.", kind: "answer", via: "pipeline" } };
  const chosen = agreed ? only : (pickByName(message, options) ?? pickByHint(message, options));
  return chosen && propose(request, chosen, situation);
}

function pickByName(message: string, options: readonly ToolProfile[]): ToolProfile | undefined {
  const named = options.filter((profile) => isChosen(message, profile));
  const byPlace = options.length > 1 ? options.find((_, index) => ORDINALS[index]?.test(message)) : undefined;
  return named.length === 1 ? named[0] : byPlace;
}

/** Words around a consent. */
const AGREEING = new Set(
  "yes yeah yep yup sure true course definitely absolutely go ahead run right correct exactly fine".split(" "),
);

/** Yes or no: a yes with a condition, a doubt or another wish is none. */
function readConsent(message: string): boolean | undefined {
  const agreed = readYesNo(message);
  if (agreed !== true) return agreed;
  const isPlain = tokenise(message).every(({ word }) => isStopWord(word) || AGREEING.has(word));
  return isPlain && !isHedged(message) ? true : undefined;
}

function isHedged(message: string): boolean {
  return isNegated(message) || isConditional(message) || isDeferred(message) || /[?？]/.test(message);
}

/** Checks that an answer names an option; one that changes something has to be named and nothing else. */
function isChosen(message: string, profile: ToolProfile): boolean {
  if (measureNaming(message, profile) === 0 || isNegated(message) || isQuestion(message)) return false;
  const own = new Set(profile.names.flatMap((name) => name.map(({ stem }) => stem)));
  const isAlone = () => tokenise(message).every(({ word, stem }) => isStopWord(word) || own.has(stem));
  return !profile.info.sideEffect || (isAlone() && !isHedged(message));
}

/** A word that fits one option better than the others; not enough to run a tool that changes something. */
function pickByHint(message: string, options: readonly ToolProfile[]): ToolProfile | undefined {
  const [best, next] = rankTools(message, options);
  const clear =
    best && best.score > (next?.score ?? 0) && message.length < HINT_LENGTH && !best.profile.info.sideEffect;
  return clear ? best.profile : undefined;
}

function answerArgument(
  message: string,
  awaiting: Extract<Awaiting, { for: "argument" }>,
  situation: Situation,
  ranked: readonly Ranked[],
): Decision | undefined {
  const { tool, field: name, asked } = awaiting;
  const { profiles, moment } = situation;
  const profile = profiles.find(({ info }) => info.name === tool);
  const field = profile?.fields.find((candidate) => candidate.name === name);
  if (!profile || !field) return undefined;
  const role = toRole(field);
  const literal =
    field.kind === "text" && field.schema["format"] === undefined && (role === "content" || role === "topic");
  // The text of a note may well sound like another request; something to search for is rarely so long.
  const certain = literal && (role === "content" || tokenise(message).length < REQUEST_WORDS);
  if (!certain && isAnotherRequest(profile, ranked, situation)) return undefined;

  const reading = readByClock(moment.offset, (offset) => {
    const before = toClock(awaiting, offset);
    const answers = literal
      ? { [name]: message.trim() }
      : readAnswers(message, field, profile, before, { ...moment, offset });
    return { ...before, ...answers };
  });
  if (!literal) {
    const { known, fields } = profile;
    const time = findUnreadTime(
      message,
      profile,
      moment,
      fillArguments(message, fields, { moment, known, leftovers: true }),
    );
    if (time !== undefined) return { say: declineTime(time, profile), awaiting };
  }
  if (fits(field, reading.arguments[name])) return complete(profile, reading);
  const { arguments: values, clock } = awaiting;
  if (asked + 1 < TRIES) {
    return complete(
      profile,
      { arguments: values, ...(clock === undefined ? {} : { clock }) },
      asked + 1,
      "I could not take that as an answer. ",
    );
  }
  return {
    say: {
      text: `I still cannot read the ${field.words.join(" ")} out of that, so I leave it. Ask again in one sentence, for example with \`${name}: ...\`.`,
      kind: "failure",
      via: "pipeline",
      tool,
    },
  };
}

function isAnotherRequest({ info }: ToolProfile, [best]: readonly Ranked[], { thresholds }: Situation): boolean {
  return best !== undefined && best.profile.info.name !== info.name && best.score >= thresholds.match;
}

/** The value that was asked for, and others that the answer also gives: "Paris, and tomorrow please". */
function readAnswers(
  message: string,
  field: Field,
  { fields }: ToolProfile,
  values: Readonly<Record<string, unknown>>,
  moment: Moment,
): Readonly<Record<string, unknown>> {
  const open = fields.filter(({ name }) => !Object.hasOwn(values, name));
  const found = fillArguments(
    message,
    open.map((one) => (one === field ? one : { ...one, required: false })),
    {
      moment,
      known: new Set(),
      leftovers: true,
    },
  ).values;
  if (Object.hasOwn(found, field.name)) return found;
  const plain = message.replaceAll(FILLERS, "").trim();
  const value = field.kind === "opaque" ? readJson(message) : readValue(field, plain, moment);
  const telling = tokenise(plain).some(({ word, text }) => !isStopWord(word) || /^\p{Lu}/u.test(text));
  return value === undefined || (field.kind === "text" && !telling) ? found : { ...found, [field.name]: value };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
