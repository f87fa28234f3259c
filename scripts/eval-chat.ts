import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findUnasked, type Row, sayMessages } from "../test/evaluation/chat/say-messages.ts";
import type { ChatMessage } from "../test/evaluation/checks.ts";

/**
 * Says the messages of test/evaluation/chat to `runner.chat` without a model, and counts what comes of them:
 * `npm run eval:chat` runs the half that may be looked at, `-- misses` shows its misses, and `-- report` runs the other half and `-- later`
 * what another author wrote afterwards, of which it shows nothing but sums.
 */
const ROOT = join(import.meta.dirname, "..");

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
const part = ["report", "later"].find((one) => wanted.has(one)) ?? "development";
const file = join(ROOT, "test/evaluation/chat", `${part}.json`);
const { messages }: { messages: ChatMessage[] } = JSON.parse(readFileSync(file, "utf8"));
const rows = await sayMessages(messages);
if (wanted.has("misses") && part === "development")
  for (const { message, reply, right } of rows)
    if (!right)
      say(
        `${message.id} [${message.expected.behaviour}] ${message.message}\n    ${reply.kind} ${reply.tool ?? ""} ${JSON.stringify(reply.arguments ?? {})} ${reply.text.split("\n")[0]?.slice(0, 160)}`,
      );
say(`test/evaluation/chat, ${part}`);
showTable(rows, ({ message }) => message.family);
showTable(rows, ({ message }) => message.language);
say(`effects that were done unasked: ${findUnasked(rows).length}`);
say(`effects that were offered where no tool was meant: ${rows.filter(({ offered }) => offered.length > 0).length}`);
