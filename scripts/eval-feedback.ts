import { globSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createEvidencePlanner } from "../server/architect/planners/evidence/create-evidence-planner.ts";
import type { Plan } from "../server/architect/planners/plan.ts";
import type { Ground, Planner } from "../server/architect/planners/planner.ts";
import { createSentencePlanner } from "../server/architect/planners/wishes/create-sentence-planner.ts";
import { createWishPlanner, createWishReader } from "../server/architect/planners/wishes/create-wish-planner.ts";
import type { FeedbackMessage } from "../test/evaluation/checks.ts";
import { EVALUATION, folderOf, judge, loadAgent, OPENED, readMessages, type Verdict } from "./judge-feedback.ts";

/**
 * Says messages to the planners that need no model, and counts what comes of them: `npm run eval:feedback` runs the half of
 * test/evaluation that may be looked at and the messages to the example agent, `-- report` the other half, of which it
 * shows nothing but sums. `-- misses` shows what was missed, and a folder is where other messages are. Plans are judged as they are made: whether somebody has to
 * approve them is not.
 */
interface Row {
  readonly message: FeedbackMessage;
  readonly verdict: Verdict;
  readonly plan: Plan | undefined;
}

const EXAMPLE = join(import.meta.dirname, "../test/fixtures/feedback/example-agent.json");

/** Returns the first plan that a planner without a model makes. */
async function planWith(planners: readonly Planner[], message: string, ground: Ground): Promise<Plan | undefined> {
  for (const planner of planners) {
    const plan = await planner.plan({ message, attachments: [] }, ground);
    if (plan !== undefined) return plan;
  }
  return undefined;
}

async function runAgent(folder: string, messages: readonly FeedbackMessage[]): Promise<readonly Row[]> {
  const { ground, before } = await loadAgent(folder);
  const read = createWishReader();
  const planners = [createSentencePlanner(read), createEvidencePlanner(), createWishPlanner(read)];
  const rows: Row[] = [];
  for (const message of messages) {
    const plan = await planWith(planners, message.message, ground);
    rows.push({ message, plan, verdict: judge(plan, message, before) });
  }
  return rows;
}

function showTable(rows: readonly Row[], by: (row: Row) => string): void {
  const groups = Map.groupBy(rows, by);
  const count = (group: readonly Row[], verdict: Verdict) => group.filter((row) => row.verdict === verdict).length;
  const line = (name: string, group: readonly Row[]) =>
    [
      name.padEnd(14),
      ...[
        group.length,
        count(group, "right"),
        count(group, "asked"),
        count(group, "missed"),
        count(group, "wrong"),
      ].map((number) => String(number).padStart(7)),
    ].join("");
  say(["".padEnd(14), ...["all", "right", "asked", "missed", "wrong"].map((title) => title.padStart(7))].join(""));
  for (const [name, group] of [...groups].sort(([one], [other]) => (one < other ? -1 : 1))) say(line(name, group));
  say(`${line("in all", rows)}\n`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function showMiss({ message, verdict, plan }: Row): void {
  const told =
    plan === undefined
      ? "-"
      : plan.kind === "change"
        ? plan.changes.join(" ")
        : plan.kind === "tune"
          ? JSON.stringify(plan.adjustments)
          : `${plan.readings === undefined ? "" : "ASKS "}${plan.reason} ${plan.accepted}`;
  say(
    `${verdict.toUpperCase()} ${message.id} [${message.expected}${message.kind === undefined ? "" : ` ${message.kind}`}] ${message.message.slice(0, 300)}\n    ${JSON.stringify(message.checks).slice(0, 300)}\n    ${told.slice(0, 400)}`,
  );
}

/** Tells whether a folder is a half for reports of which nothing but sums may be seen. */
function isClosed(folder: string | undefined): boolean {
  return folder !== undefined && basename(folder) === "report" && !OPENED.has(basename(dirname(folder)));
}

async function main(wanted: readonly string[]): Promise<void> {
  const given = wanted.find((one) => one.includes("/"));
  const part = wanted.includes("report") || isClosed(given) ? "report" : "development";
  const messages = given ?? join(EVALUATION, "feedback", part);
  const sets = globSync("*.json", { cwd: messages }).map((name) => ({
    folder: folderOf(basename(name, ".json")),
    file: join(messages, name),
  }));
  const rows = [];
  for (const { folder, file } of sets) rows.push(...(await runAgent(folder, readMessages(file))));
  const own =
    part === "report" || given !== undefined ? [] : await runAgent(folderOf("example"), readMessages(EXAMPLE));
  if (wanted.includes("misses") && part === "development")
    for (const row of [...rows, ...own])
      if (row.verdict !== "right" && !(row.verdict === "asked" && !wanted.includes("asked"))) showMiss(row);
  say(given ?? `test/evaluation, ${part}`);
  showTable(rows, ({ message }) => message.family);
  showTable(rows, ({ message }) => message.language);
  const wishes = rows.filter(({ message }) => message.expected !== "reject");
  say("wishes alone");
  showTable(wishes, ({ message }) => message.expected);
  if (own.length > 0) {
    say("the example agent");
    showTable(own, ({ message }) => message.family);
  }
}

await main(process.argv.slice(2));
