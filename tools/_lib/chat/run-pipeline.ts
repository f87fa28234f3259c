import type { Context } from "../../../server/host-api.ts";
import { toEnglish } from "../language/foreign.ts";
import { correctSpelling } from "../language/spelling.ts";
import { callTool } from "./call-tool.ts";
import { findOffset, isSameCall } from "./clock.ts";
import { decide } from "./decide.ts";
import type { Awaiting, Decision, LastCall, Reply } from "./reply.ts";
import type { Situation } from "./situation.ts";
import { findSeveralDays } from "./unread-time.ts";

/** Outcome of a turn. */
export interface Outcome {
  readonly reply: Reply;
  readonly awaiting?: Awaiting | undefined;
  readonly last?: LastCall | undefined;
}

type Call = Extract<Decision, { call: string }>;

/** Characters of a message that are read. Cutting a longer one would be worse: what is cut off might be half of a note. */
const MESSAGE_LIMIT = 4_000;

/**
 * Answers a message out of the tools' definitions: one call, or two where the first shows whose clocks were meant. A call
 * that changes something is never made twice.
 */
export async function runPipeline(ctx: Context, written: string, situation: Situation): Promise<Outcome> {
  if (written.length > MESSAGE_LIMIT) {
    const text = `That is longer than the ${MESSAGE_LIMIT} characters I can read at once. Please shorten it.`;
    return { reply: { text, kind: "failure", via: "pipeline" } };
  }
  const message = correctSpelling(toEnglish(written));
  const decision = decide(message, situation, written);
  if ("say" in decision) return { reply: decision.say, awaiting: decision.awaiting };
  const profile = situation.profiles.find(({ info }) => info.name === decision.call);
  const harmless = profile?.info.sideEffect === false;
  const first = await callTool(ctx, decision.call, decision.arguments);
  const local = harmless ? decideAtPlace(message, situation, decision, first.result) : undefined;
  const { call: tool, left, ...reading } = local ?? decision;
  const reply = local ? await callTool(ctx, tool, reading.arguments) : first;
  // One thing a turn; what the message also asks for is not dropped silently.
  const more = left !== undefined && harmless ? `\nAsk "and ${left}?" for the other.` : "";
  const days = profile && reply.kind === "answer" ? findSeveralDays(message, profile, situation.moment) : undefined;
  const one = days
    ? `\n"${days.words}" is more than one day: this is for ${days.weekday}. Ask "and on ...?" for another day.`
    : "";
  return { reply: { ...reply, text: reply.text + one + more }, last: { tool, ...reading } };
}

/** Decides the call by the clocks of the place that the result is about, if it then differs. */
function decideAtPlace(message: string, situation: Situation, made: Call, result: unknown): Call | undefined {
  const offset = findOffset(result);
  if (situation.clockKnown || made.clock === undefined || offset === undefined) return undefined;
  const decision = decide(message, { ...situation, moment: { ...situation.moment, offset }, clockKnown: true });
  const same = "say" in decision || decision.call !== made.call || isSameCall(decision.arguments, made.arguments);
  return same ? undefined : decision;
}
