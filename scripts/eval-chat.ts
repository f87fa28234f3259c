import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tool, Version } from "../server/versions/version.ts";
import { loadDirectoryTree } from "../server/versions/git/directory-tree.ts";
import type { Reply } from "../tools/_lib/chat/reply.ts";
import chat from "../tools/runner/chat.ts";
import { createFakeContext, type FakeTool } from "../test/helpers/fake-context.ts";
import { loader } from "../test/helpers/loader.ts";
import { type OpenMeteo, startOpenMeteo } from "../test/stand-ins/open-meteo.ts";
import { createWeatherTool } from "../test/tools/own-tools.ts";

/**
 * Says messages to `runner.chat` of this checkout, without a model, and counts what comes of them: `npm run eval:chat` runs the half of
 * test/evaluation/chat that may be looked at and shows its misses, `-- report` the other half, of which it shows nothing but sums. A
 * path to a file runs other messages.
 */
interface Expected {
  readonly target: string | null;
  readonly input: Readonly<Record<string, unknown>> & { readonly location?: readonly string[]; readonly when?: When };
  readonly behaviour: Behaviour;
  readonly mustMention?: readonly string[];
  readonly mustNot?: readonly string[];
}
type When = "now" | { readonly dates: readonly string[]; readonly hours?: readonly [number, number] };
type Behaviour = "answer" | "ask" | "greet" | "decline";

interface ChatMessage {
  readonly id: string;
  readonly family: string;
  readonly language: string;
  readonly message: string;
  readonly expected: Expected;
  readonly accept?: readonly Behaviour[];
  readonly now: string;
}

/** The reply to a message, and the last call that was made for it. */
interface Turn {
  readonly reply: Reply;
  readonly call?: { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
}

const FOLDER = join(import.meta.dirname, "../test/evaluation/chat");

async function loadCheckout(): Promise<Version> {
  const read = await loadDirectoryTree(join(import.meta.dirname, ".."));
  if (!read.ok) throw new Error("the checkout cannot be read");
  const result = await loader.load(read.tree, "a".repeat(40));
  if (!result.ok) throw new Error(JSON.stringify(result.problems, null, 2));
  return result.version;
}

/** The tools as the chat finds them; but for the weather, none does anything. */
function toFakeTools(version: Version, meteo: OpenMeteo, now: number): readonly FakeTool[] {
  return [...version.tools.values()].flatMap((tool: Tool): readonly FakeTool[] => {
    const { server, name, description, input, output, sideEffect, examples } = tool;
    if (name === "runner.chat") return [];
    if (name === "runner.get_weather") return [createWeatherTool(version, meteo.url, now)];
    return [{ server, name, description, input, output, sideEffect, examples, run: () => ({}) }];
  });
}

async function say(version: Version, { message, now }: ChatMessage): Promise<Turn> {
  const instant = Date.parse(now);
  const meteo = await startOpenMeteo(() => instant);
  try {
    const ctx = createFakeContext({ tools: toFakeTools(version, meteo, instant), now: instant });
    const { reply } = (await chat({ message, metadata: { utc_offset: now.slice(-6) } }, ctx)) as { reply: Reply };
    const call = ctx.called.at(-1);
    return call === undefined ? { reply } : { reply, call: call as NonNullable<Turn["call"]> };
  } finally {
    await meteo.close();
  }
}

function judge({ reply, call }: Turn, { expected, accept = [] }: ChatMessage): boolean {
  const { behaviour, target, input, mustMention = [], mustNot = [] } = expected;
  const text = reply.text.toLowerCase();
  if (mustNot.some((part) => text.includes(part.toLowerCase()) || call?.name === part)) return false;
  const seen = toBehaviour(reply, call);
  if (seen !== behaviour) return accept.includes(seen) && (seen !== "answer" || call?.name === target);
  if (!mustMention.every((part) => text.includes(part.toLowerCase()))) return false;
  const values = call?.input ?? reply.arguments ?? {};
  if (behaviour === "answer") return call?.name === target && isAsExpected(values, input);
  return behaviour !== "ask" || target === null || (reply.tool === target && isAsExpected(values, input));
}

function toBehaviour(reply: Reply, call: Turn["call"]): Behaviour {
  if (call !== undefined) return "answer";
  if (reply.kind === "question") return "ask";
  return reply.kind === "failure" ? "decline" : "greet";
}

function isAsExpected(
  values: Readonly<Record<string, unknown>>,
  { location, when, ...others }: Expected["input"],
): boolean {
  const place = String(values["location"]).toLowerCase();
  if (location !== undefined && !location.some((name) => name.toLowerCase() === place)) return false;
  if (when !== undefined && !isThen(values["when"], when)) return false;
  return Object.entries(others).every(([name, value]) => JSON.stringify(values[name]) === JSON.stringify(value));
}

/** Compares a time as it is written, in the zone that it names. */
function isThen(value: unknown, when: When): boolean {
  if (when === "now") return value === undefined || value === "now";
  const [, date = "", hour = ""] = /^(\d{4}-\d{2}-\d{2})T(\d{2})/.exec(String(value)) ?? [];
  const [from, to] = when.hours ?? [0, 23];
  return when.dates.includes(date) && Number(hour) >= from && Number(hour) <= to;
}

async function main([wanted = "development"]: readonly string[]): Promise<void> {
  const file = wanted.endsWith(".json") ? wanted : join(FOLDER, `${wanted}.json`);
  const { messages }: { readonly messages: readonly ChatMessage[] } = JSON.parse(readFileSync(file, "utf8"));
  const version = await loadCheckout();
  const families = new Map<string, [right: number, all: number]>();
  for (const message of messages) {
    const turn = await say(version, message);
    const isRight = judge(turn, message);
    for (const name of [message.family, `(${message.language})`, "in all"]) {
      const [right, all] = families.get(name) ?? [0, 0];
      families.set(name, [right + (isRight ? 1 : 0), all + 1]);
    }
    if (!isRight && wanted !== "report") {
      const made = turn.call === undefined ? turn.reply.kind : `${turn.call.name} ${JSON.stringify(turn.call.input)}`;
      process.stdout.write(
        `${message.id}: ${message.message}\n    ${made}: ${turn.reply.text.split("\n")[0]?.slice(0, 160)}\n`,
      );
    }
  }
  for (const [name, [right, all]] of families) process.stdout.write(`${name.padEnd(14)}${right} of ${all}\n`);
}

await main(process.argv.slice(2));
