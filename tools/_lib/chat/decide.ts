import { isNegated } from "../language/mood.ts";
import { toTerms } from "../language/tokenise.ts";
import { decideFollowUp } from "./decide-follow-up.ts";
import { answerQuestion } from "./answer-question.ts";
import { describeTool, listTools, presentTools, toList } from "./describe-tools.ts";
import type { Situation } from "./situation.ts";
import { findOrdered, isStatement } from "./orders.ts";
import { propose } from "./propose.ts";
import { type Ranked, rankTools } from "./rank-tools.ts";
import type { Decision, Reply } from "./reply.ts";
import {
  asksAboutChat,
  findByShape,
  isAsking,
  isNameAlone,
  isQuestion,
  isRequest,
  mayMean,
  toFocus,
  toRequests,
} from "./requests.ts";
import { readHelpTopic, readSmallTalk, type SmallTalk } from "./small-talk.ts";
import { isCalled, measureNaming, type ToolProfile } from "./tool-profile.ts";

const CHOICES = 4;

/**
 * Decides about a message, without side effects, so that a conversation can be replayed. What it orders is read as it was `written`, in
 * whatever language.
 */
export function decide(message: string, situation: Situation, written = message): Decision {
  const { profiles, memory, preferred } = situation;
  const { awaiting } = memory.flags;
  const talk = readSmallTalk(message);
  if (talk) return say(answerSmallTalk(talk, situation));

  const ranked = rankTools(toRequests(message), profiles);
  const answer = awaiting && answerQuestion(message, awaiting, situation, ranked);
  if (answer) return answer;

  const explained = explain(message, ranked, situation);
  if (explained) return say(explained);

  const chosen = profiles.find((profile) => isCalled(profile, preferred));
  if (chosen) return propose(message, chosen, situation);
  return decideFollowUp(message, situation, ranked) ?? choose(message, situation, ranked, written);
}

/**
 * The tool that is named, or the one that matches best and clearly enough. One that changes something has to be ordered by its name; where a
 * message only mentions it, what else the message asks for comes first.
 */
function choose(message: string, situation: Situation, ranked: readonly Ranked[], written: string): Decision {
  const named = findNamed(message, situation.profiles);
  if (named && !named.info.sideEffect) return propose(message, named, situation);
  const ordered = findOnlyOrdered(written, situation.profiles);
  if (ordered) return propose(written, ordered, situation);
  const shaped = named ? undefined : findByShape(message, situation);
  if (shaped) return isNameAlone(message) ? askWhich(message, [shaped]) : propose(message, shaped, situation);

  const { margin } = situation.thresholds;
  const likely = named
    ? findBeside(message, named, situation)
    : isRequest(message)
      ? findLikely(message, ranked, situation)
      : [];
  // Where the likeliest only reads, none that changes something is worth a question.
  const isReading = named !== undefined || likely[0]?.profile.info.sideEffect === false;
  const meant = isReading ? likely.filter(({ profile }) => !profile.info.sideEffect) : likely;
  const [best] = meant;
  if (best?.profile.info.sideEffect && (isQuestion(message) || isNegated(message) || isStatement(message)))
    return explainNamed(message, best.profile);
  if (!best && named) return explainNamed(message, named);
  if (!best)
    return say(asksAboutChat(message) ? answerSmallTalk("help", situation) : failure(explainFailure(situation)));
  const close = meant.filter(({ score }) => score >= best.score * (1 - margin)).slice(0, CHOICES);
  const profiles = close.map(({ profile }) => profile);
  if (profiles.length > 1 || best.profile.info.sideEffect) return askWhich(message, profiles);
  return propose(toFocus(message, best.profile, situation), best.profile, situation);
}

function findOnlyOrdered(written: string, profiles: readonly ToolProfile[]): ToolProfile | undefined {
  const [ordered, ...others] = findOrdered(
    written,
    profiles.filter(({ info }) => info.sideEffect),
  );
  return others.length === 0 ? ordered : undefined;
}

/**
 * The tools that a message may mean. Where the likeliest changes something and is not meant, the words that it is likely by say nothing about the
 * others.
 */
function findLikely(
  message: string,
  ranked: readonly Ranked[],
  { profiles, thresholds }: Situation,
): readonly Ranked[] {
  const matching = ranked.filter(({ score }) => score >= thresholds.match);
  const [best] = matching;
  if (!best || mayMean(message, best.profile)) return matching.filter(({ profile }) => mayMean(message, profile));
  const others = rankTools(withoutName(message, best.profile), profiles);
  return others.filter(({ score, profile }) => score >= thresholds.match && !profile.info.sideEffect);
}

/** The tools that a message asks for besides the one that it only mentions. */
function findBeside(message: string, named: ToolProfile, situation: Situation): readonly Ranked[] {
  const rest = withoutName(message, named);
  const others = situation.profiles.filter((profile) => profile !== named);
  return isAsking(rest) ? findLikely(rest, rankTools(rest, others), situation) : [];
}

/** The words of a message besides the name of a tool. */
function withoutName(message: string, { names, info }: ToolProfile): string {
  const own = new Set([...names.flatMap((name) => name.map(({ stem }) => stem)), ...toTerms(info.name)]);
  return toRequests(message)
    .split(/\s+/)
    .filter((word) => !toTerms(word.replaceAll(/[._]/g, " ")).some((term) => own.has(term)))
    .join(" ");
}

/** A tool that changes something and that a message mentions: explained to who asks about it, offered to who may want it. */
function explainNamed(message: string, named: ToolProfile): Decision {
  if (isNegated(message)) return say({ text: "All right, I leave it.", kind: "answer", via: "pipeline" });
  if (isQuestion(message) || !isRequest(message) || isStatement(message))
    return say({ text: describeTool(named), kind: "help", via: "pipeline", alternatives: [named.info.name] });
  return askWhich(message, [named]);
}

function explainFailure({ profiles }: Situation): string {
  return `I did not understand that. This is what I can do:\n${listTools(profiles)}`;
}

function findNamed(message: string, profiles: readonly ToolProfile[]): ToolProfile | undefined {
  const named = profiles
    .map((profile) => ({ profile, length: measureNaming(message, profile) }))
    .filter(({ length }) => length > 0);
  const longest = Math.max(0, ...named.map(({ length }) => length));
  const best = named.filter(({ length }) => length === longest);
  return best.length === 1 ? best[0]?.profile : undefined;
}

/** A tool that changes something is never run on a guess: a misread sentence would be an act. */
function askWhich(message: string, profiles: readonly ToolProfile[]): Decision {
  const names = profiles.map(({ info }) => info.name);
  const [only] = profiles;
  const text =
    only && names.length === 1
      ? `${only.info.sideEffect ? `That sounds like ${only.info.name}, which changes something.` : `I can use ${only.info.name} for that.`} Shall I run it?`
      : `Do you mean ${toList(names, "or")}?`;
  return {
    say: { text, kind: "question", via: "pipeline", alternatives: names },
    awaiting: { for: "tool", tools: names, message },
  };
}

function explain(message: string, ranked: readonly Ranked[], { profiles, thresholds }: Situation): Reply | undefined {
  const topic = readHelpTopic(message);
  if (topic === undefined) return undefined;
  const named = findNamed(topic, profiles);
  const [best] = ranked;
  const asksForHelp = /^(?:please\s+)?(?:help|how|describe|explain|what\s+does)/i.test(message);
  const tool = named ?? (asksForHelp && best && best.score >= thresholds.match ? best.profile : undefined);
  return tool && { text: describeTool(tool), kind: "help", via: "pipeline", alternatives: [tool.info.name] };
}

function answerSmallTalk(talk: SmallTalk, { profiles, memory, server, warm = false }: Situation): Reply {
  const help = (text: string): Reply => ({
    text: `${text}\n${listTools(profiles)}`,
    kind: "help",
    via: "pipeline",
    alternatives: profiles.map(({ info }) => info.name),
  });
  switch (talk) {
    case "greeting": {
      const own = profiles.filter(({ info }) => info.server === server);
      const offered = own.length > 0 ? own : profiles;
      return {
        text: `Hello!${warm ? " It is good to hear from you." : ""} ${presentTools(offered)}`,
        kind: "help",
        via: "pipeline",
        alternatives: offered.map(({ info }) => info.name),
      };
    }
    case "help":
      return help("These are the tools I can use for you. Ask in your own words:");
    case "thanks":
      return { text: "You are welcome.", kind: "answer", via: "pipeline" };
    case "goodbye":
      return { text: "Goodbye.", kind: "answer", via: "pipeline" };
    case "cancel":
      return {
        text: memory.flags.awaiting ? "All right, I leave that." : "There is nothing to stop.",
        kind: "answer",
        via: "pipeline",
      };
  }
}

function failure(text: string): Reply {
  return { text, kind: "failure", via: "pipeline" };
}

function say(reply: Reply): Decision {
  return { say: reply };
}
