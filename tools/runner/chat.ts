import type { Context, Handler } from "../../server/host-api.ts";
import { type Memory, readMemory, remember } from "../_lib/chat/memory.ts";
import { runModel } from "../_lib/chat/model-loop.ts";
import { type Hints, readHints } from "../_lib/chat/read-hints.ts";
import type { LastCall, Reply } from "../_lib/chat/reply.ts";
import { type Outcome, runPipeline } from "../_lib/chat/run-pipeline.ts";
import { toBrief } from "../_lib/chat/to-brief.ts";
import { createProfile, type ToolProfile } from "../_lib/chat/tool-profile.ts";

interface Input {
  readonly message: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Inputs of a turn. */
interface Turn {
  readonly ctx: Context;
  readonly message: string;
  readonly memory: Memory;
  readonly profiles: readonly ToolProfile[];
  readonly hints: Hints;
}

/** Characters of a message that are sent to a model. */
const MODEL_LIMIT = 16_000;

/** A conversation that uses the other tools of this version: through a model where one is configured, else by itself. */
const chat: Handler<Input, { reply: Reply }> = async ({ message: written, metadata }, ctx) => {
  const message = toPlain(written);
  const memory = readMemory(await ctx.session.get());
  const profiles = (await ctx.tools.list()).map(createProfile);
  const turn: Turn = { ctx, message, memory, profiles, hints: readHints(metadata) };
  const outcome = await (ctx.model.available ? answerWithModel(turn) : answerWithPipeline(turn));
  await ctx.session.set(remember(memory, { now: ctx.now(), message, ...outcome }));
  return { reply: outcome.reply };
};

/** One space between words, one line break between lines. */
function toPlain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n\s*/g, "\n")
    .trim();
}

async function answerWithModel(turn: Turn): Promise<Outcome> {
  const { ctx, message, memory, profiles, hints } = turn;
  const outcome = await runModel(ctx, {
    message: message.slice(0, MODEL_LIMIT).toWellFormed(),
    memory,
    profiles,
    offset: hints.offset ?? 0,
    rounds: readNumber(ctx, "chat_model", "model_rounds", 4),
    temperature: readNumber(ctx, "chat_model", "model_temperature", 0.2),
    brief: isBrief(ctx),
    ...(hints.tool === undefined ? {} : { preferred: hints.tool }),
  });
  if ("reply" in outcome) return { reply: outcome.reply, last: toLast(outcome.reply) };

  ctx.log.warning("The model failed; the pipeline answers.", { reason: outcome.failed });
  if (outcome.changed.length > 0) {
    // Answering the message anew could do a second time what is already done.
    const text = `I used ${outcome.changed.join(", ")}, but could not finish the answer: ${outcome.failed}`;
    return { reply: { text, kind: "failure", via: "model" } };
  }
  const { reply, ...rest } = await answerWithPipeline(turn);
  return { ...rest, reply: { ...reply, fallback: true } };
}

async function answerWithPipeline({ ctx, message, memory, profiles, hints }: Turn): Promise<Outcome> {
  const { reply, ...rest } = await runPipeline(ctx, message, {
    profiles,
    memory,
    moment: { now: ctx.now(), offset: hints.offset ?? 0 },
    clockKnown: hints.offset !== undefined,
    thresholds: {
      match: readNumber(ctx, "chat", "match_threshold", 0.4),
      margin: readNumber(ctx, "chat", "match_margin", 0.15),
      followUpWords: readNumber(ctx, "chat_model", "follow_up_words", 6),
    },
    server: ctx.call.server,
    warm: ctx.params["greeting"]?.["greeting"] === "warm",
    ...(hints.tool === undefined ? {} : { preferred: hints.tool }),
  });
  const isShortened = reply.kind === "answer" && isBrief(ctx);
  return { ...rest, reply: isShortened ? { ...reply, text: toBrief(reply.text) } : reply };
}

function isBrief(ctx: Context): boolean {
  return ctx.params["replies"]?.["length"] === "brief";
}

function toLast({ tool, arguments: values = {} }: Reply): LastCall | undefined {
  return tool === undefined ? undefined : { tool, arguments: values };
}

function readNumber(ctx: Context, set: "chat" | "chat_model", parameter: string, usual: number): number {
  const value = ctx.params[set]?.[parameter];
  return typeof value === "number" ? value : usual;
}

export default chat;
