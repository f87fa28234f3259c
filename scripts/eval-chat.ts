import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openTarget } from "../server/cli/versions/open-target.ts";
import type { Reply } from "../tools/_lib/chat/reply.ts";
import chat from "../tools/runner/chat.ts";
import { createFakeContext, type FakeContext, type FakeTool } from "../test/helpers/fake-context.ts";
import { startOpenMeteo } from "../test/stand-ins/open-meteo.ts";
import type { ChatMessage } from "../test/evaluation/checks.ts";
import { createWeatherTool } from "../test/tools/own-tools.ts";

/**
 * Says the messages of test/evaluation/chat to `runner.chat` without a model, and counts what comes of them:
 * `npm run eval:chat` runs the half that may be looked at, `-- misses` shows its misses, and `-- report` runs the other half, of
 * which it shows nothing but sums. Tools besides the weather answer with nothing; their calls count.
 */
interface Row {
  readonly message: ChatMessage;
  readonly reply: Reply;
  readonly right: boolean;
  /** Tools with effects that were called. */
  readonly done: readonly string[];
  /** Tools with effects that a reply offers to a message which is about no tool. */
  readonly offered: readonly string[];
}

const ROOT = join(import.meta.dirname, "..");

async function runAll(messages: readonly ChatMessage[]): Promise<readonly Row[]> {
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

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function showTable(rows: readonly Row[], by: (row: Row) => string): void {
  const show = (name: string, group: readonly Row[]) =>
    say(
      `${name.padEnd(14)}${[group.length, group.filter(({ right }) => right).length].map((n) => String(n).padStart(7)).join("")}`,
    );
  say(`${"".padEnd(14)}    all  right`);
  for (const [name, group] of [...Map.groupBy(rows, by)].sort(([one], [other]) => (one < other ? -1 : 1)))
    show(name, group);
  show("in all", rows);
  say("");
}

const wanted = new Set(process.argv.slice(2));
const part = wanted.has("report") ? "report" : "development";
const file = join(ROOT, "test/evaluation/chat", `${part}.json`);
const { messages }: { messages: ChatMessage[] } = JSON.parse(readFileSync(file, "utf8"));
const rows = await runAll(messages);
if (wanted.has("misses") && part === "development")
  for (const { message, reply, right } of rows)
    if (!right)
      say(
        `${message.id} [${message.expected.behaviour}] ${message.message}\n    ${reply.kind} ${reply.tool ?? ""} ${JSON.stringify(reply.arguments ?? {})} ${reply.text.split("\n")[0]?.slice(0, 160)}`,
      );
say(`test/evaluation/chat, ${part}`);
showTable(rows, ({ message }) => message.family);
showTable(rows, ({ message }) => message.language);
say(
  `effects that were done unasked: ${rows.filter(({ message, done }) => done.some((name) => name !== message.expected.target)).length}`,
);
say(`effects that were offered where no tool was meant: ${rows.filter(({ offered }) => offered.length > 0).length}`);
