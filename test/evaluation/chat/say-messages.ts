import { join } from "node:path";
import { openTarget } from "../../../server/cli/versions/open-target.ts";
import type { Reply } from "../../../tools/_lib/chat/reply.ts";
import chat from "../../../tools/runner/chat.ts";
import { createFakeContext, type FakeContext, type FakeTool } from "../../helpers/fake-context.ts";
import { startOpenMeteo } from "../../stand-ins/open-meteo.ts";
import { createWeatherTool } from "../../tools/own-tools.ts";
import type { ChatMessage } from "../checks.ts";

/** A message and what came of it. */
export interface Row {
  readonly message: ChatMessage;
  readonly reply: Reply;
  readonly right: boolean;
  /** Tools with effects that were called. */
  readonly done: readonly string[];
  /** Tools with effects that a reply offers to a message which is about no tool. */
  readonly offered: readonly string[];
}

const ROOT = join(import.meta.dirname, "../../..");

/** Says messages to `runner.chat` without a model, each in a conversation of its own. Tools besides the weather answer with nothing; their calls count. */
export async function sayMessages(messages: readonly ChatMessage[]): Promise<readonly Row[]> {
  const { loaded } = await openTarget({ folder: ROOT, environment: {} }, ".");
  if (!loaded.ok) throw new Error("the checkout is not valid");
  const { version } = loaded;
  const effects = new Set([...version.tools.values()].filter(({ sideEffect }) => sideEffect).map(({ name }) => name));
  let now = 0;
  const meteo = await startOpenMeteo(() => now);
  const rows: Row[] = [];
  try {
    for (const message of messages) {
      now = Date.parse(message.now);
      const weather = createWeatherTool(version, meteo.url, now);
      const tools = [...version.tools.values()]
        .filter(({ name }) => name !== "runner.chat")
        .map((tool): FakeTool => (tool.name === weather.name ? weather : { ...tool, run: () => ({}) }));
      const ctx = createFakeContext({ tools, now });
      const utc_offset = /[+-]\d\d:\d\d$/.exec(message.now)?.[0] ?? "+00:00";
      const { reply } = await chat({ message: message.message, metadata: { utc_offset } }, ctx);
      const done = ctx.called.map(({ name }) => name).filter((name) => effects.has(name));
      const isAbout = message.expected.target !== null || (message.accept ?? []).includes("ask");
      const offered = isAbout || reply.kind !== "question" ? [] : (reply.alternatives ?? []);
      rows.push({
        message,
        reply,
        done,
        offered: offered.filter((name) => effects.has(name)),
        right: isRight(message, reply, ctx),
      });
    }
  } finally {
    await meteo.close();
  }
  return rows;
}

function isRight({ expected, accept = [] }: ChatMessage, reply: Reply, ctx: FakeContext): boolean {
  const { target, input, behaviour, mustMention = [], mustNot = [] } = expected;
  const text = reply.text.toLowerCase();
  if (mustNot.some((part) => text.includes(part.toLowerCase()) || ctx.called.some(({ name }) => name === part)))
    return false;
  return [behaviour, ...accept].some((one) => {
    if (one === behaviour && !mustMention.every((part) => text.includes(part.toLowerCase()))) return false;
    switch (one) {
      case "answer": {
        const call = ctx.called.at(-1);
        return call !== undefined && call.name === (target ?? call.name) && hasInput(call.input, input);
      }
      case "ask":
        return (
          reply.kind === "question" &&
          (behaviour !== "ask" || (reply.tool === (target ?? reply.tool) && hasInput(reply.arguments ?? {}, input)))
        );
      case "greet":
        return ctx.called.length === 0 && (reply.kind === "help" || reply.kind === "answer");
      default:
        return reply.kind === "failure";
    }
  });
}

function hasInput(given: unknown, wanted: Readonly<Record<string, unknown>>): boolean {
  const values = given as Readonly<Record<string, unknown>>;
  return Object.entries(wanted).every(([name, value]) => {
    if (name === "location")
      return (value as string[]).some((one) => one.toLowerCase() === String(values[name]).toLowerCase());
    return name === "when" ? isWhen(values[name] ?? "now", value) : values[name] === value;
  });
}

function isWhen(given: unknown, wanted: unknown): boolean {
  if (wanted === "now") return given === "now";
  const { dates, hours: [first, last] = [0, 23] } = wanted as { dates: string[]; hours?: [number, number] };
  const text = String(given);
  const hour = Number(text.slice(11, 13));
  return dates.includes(text.slice(0, 10)) && hour >= first && hour <= last;
}

/** Tools with effects that were called for messages which want others, or none. */
export function findUnasked(rows: readonly Row[]): readonly string[] {
  return rows.flatMap(({ message, done }) => done.filter((name) => name !== message.expected.target));
}
