import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import { createEvidencePlanner } from "../server/architect/planners/evidence/create-evidence-planner.ts";
import type { Adjustment, Plan } from "../server/architect/planners/plan.ts";
import type { Ground, Planner } from "../server/architect/planners/planner.ts";
import { createSentencePlanner } from "../server/architect/planners/wishes/create-sentence-planner.ts";
import { createWishPlanner } from "../server/architect/planners/wishes/create-wish-planner.ts";
import { type Check, type FeedbackMessage, type FileCheck, holds } from "../test/evaluation/checks.ts";
import { createGround } from "../test/helpers/plan-ground.ts";

/**
 * Says messages to the planners that need no model, and counts what comes of them: `npm run eval:feedback` runs the half of
 * test/evaluation that may be looked at and the messages to the example agent, `-- report` the other half, of which it
 * shows nothing but sums. `-- misses` shows what was missed, and a folder is where other messages are. Plans are judged as they are made: whether somebody has to
 * approve them is not.
 */
type Verdict = "right" | "asked" | "missed" | "wrong";

interface Row {
  readonly message: FeedbackMessage;
  readonly verdict: Verdict;
  readonly plan: Plan | undefined;
}

/** The YAML files of an agent, by path. */
type Documents = ReadonlyMap<string, unknown>;

const EVALUATION = join(import.meta.dirname, "../test/evaluation");
const EXAMPLE = join(import.meta.dirname, "../test/fixtures/feedback/example-agent.json");

/** Returns the first plan that a planner without a model makes. */
async function planWith(planners: readonly Planner[], message: string, ground: Ground): Promise<Plan | undefined> {
  for (const planner of planners) {
    const plan = await planner.plan({ message, attachments: [] }, ground);
    if (plan !== undefined) return plan;
  }
  return undefined;
}

/** Judges an answer; `asked` means that nothing was done yet, and that the wanted change is among those offered. */
function judge(plan: Plan | undefined, message: FeedbackMessage, before: Documents): Verdict {
  const outcomes = new Set([message.expected, ...message.accept]);
  const mayChange = outcomes.has("change") || outcomes.has("approve");
  if (plan?.kind === "change")
    return mayChange && isAsWanted(plan.files, message.checks, message, before) ? "right" : "wrong";
  if (plan?.kind === "tune")
    return outcomes.has("tune") && isTunedAsWanted(plan.adjustments, message.checks) ? "right" : "wrong";
  const readings = plan?.readings ?? [];
  if (readings.length > 0) {
    const isOffered = (checks: readonly Check[]) =>
      readings.some((reading) =>
        reading.files === undefined
          ? isTunedAsWanted(reading.adjustments ?? [], checks)
          : isAsWanted(new Map(Object.entries(reading.files)), checks, message, before),
      );
    const fits = isOffered(message.checks) || (message.others ?? []).some(isOffered);
    if (outcomes.has("ask")) return message.checks.length === 0 || fits ? "right" : "missed";
    return message.expected !== "reject" && fits ? "asked" : outcomes.has("reject") ? "asked" : "missed";
  }
  if (outcomes.has("reject")) return "right";
  const asksBack =
    outcomes.has("ask") && message.checks.length === 0 && plan !== undefined && plan.accepted.includes("?");
  return asksBack ? "right" : "missed";
}

function isTunedAsWanted(adjustments: readonly Adjustment[], checks: readonly Check[]): boolean {
  const wanted = checks.flatMap((check) => ("tune" in check ? [check.tune] : []));
  return (
    wanted.length > 0 &&
    wanted.every(({ experiment, arm }) =>
      adjustments.some(
        (one) =>
          one.kind === "promote" &&
          one.experiment === experiment &&
          (one.arm === arm || Object.values(one.values ?? {}).some((value) => String(value) === arm)),
      ),
    )
  );
}

function isAsWanted(
  files: ReadonlyMap<string, string | null>,
  checks: readonly Check[],
  { also = [] }: FeedbackMessage,
  before: Documents,
): boolean {
  const wanted = checks.filter((check): check is FileCheck => "file" in check);
  if (wanted.length === 0) return false;
  const after = new Map(before);
  for (const [path, text] of files)
    if (text === null) after.delete(path);
    else after.set(path, /\.ya?ml$/.test(path) ? parse(text) : text);
  if (!wanted.every((check) => holds(after.get(check.file), check))) return false;
  return [...files.keys()].every((path) => isOnlyThere(path, before.get(path), after.get(path), wanted, also));
}

/** Checks that a file changed at the named places only. */
function isOnlyThere(
  path: string,
  before: unknown,
  after: unknown,
  wanted: readonly FileCheck[],
  also: readonly string[],
): boolean {
  if (also.includes(path)) return true;
  const named = [
    ...wanted.filter(({ file }) => file === path).map((check) => check.path),
    ...also.flatMap((one) => (one.startsWith(`${path}#`) ? [one.slice(path.length + 1)] : [])),
  ];
  if (named.length === 0)
    return path.startsWith("tools/") || path.startsWith("test/")
      ? wanted.some((check) => check.op === "absent" && check.path === "")
      : false;
  if (named.includes("")) return true;
  const bare = (document: unknown) =>
    named.reduce((rest: unknown, pointer) => without(rest, pointer.split("/").slice(1)), structuredClone(document));
  return isDeepStrictEqual(bare(before), bare(after));
}

/** A document without what is at a place; a mapping or list that is empty then counts as not there. */
function without(document: unknown, [key = "", ...rest]: readonly string[]): unknown {
  if (typeof document !== "object" || document === null) return document;
  const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
  const entries = Object.entries(document).flatMap(([own, value]): readonly (readonly [string, unknown])[] => {
    if (own !== name) return [[own, value]];
    const inner = rest.length === 0 ? undefined : without(value, rest);
    return inner === undefined || (typeof inner === "object" && inner !== null && Object.keys(inner).length === 0)
      ? []
      : [[own, inner]];
  });
  return Object.fromEntries(entries);
}

async function runAgent(folder: string, messages: readonly FeedbackMessage[]): Promise<readonly Row[]> {
  const paths = globSync("{manifests,tools,schemas,test/tools}/**/*.*", { cwd: folder }).sort();
  const files = new Map([...paths, "versions.yaml"].map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  const ground = await createGround(files);
  const before = new Map(
    [...files].map(([path, text]) => [path, /\.ya?ml$/.test(path) ? (parse(text) as unknown) : text]),
  );
  const planners = [createSentencePlanner(), createEvidencePlanner(), createWishPlanner()];
  const rows: Row[] = [];
  for (const message of messages) {
    const plan = await planWith(planners, message.message, ground);
    rows.push({ message, plan, verdict: judge(plan, message, before) });
  }
  return rows;
}

function readMessages(file: string): readonly FeedbackMessage[] {
  const { messages }: { messages: FeedbackMessage[] } = JSON.parse(readFileSync(file, "utf8"));
  return messages;
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

async function main(wanted: readonly string[]): Promise<void> {
  const part = wanted.includes("report") ? "report" : "development";
  const given = wanted.find((one) => one.includes("/"));
  const sets = ["shop", "tickets", "farm"].map((agent) => ({
    folder: join(EVALUATION, "agents", agent),
    file: join(given ?? join(EVALUATION, "feedback", part), `${agent}.json`),
  }));
  const rows = [];
  for (const { folder, file } of sets) rows.push(...(await runAgent(folder, readMessages(file))));
  const own =
    part === "report" || given !== undefined
      ? []
      : await runAgent(join(import.meta.dirname, ".."), readMessages(EXAMPLE));
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
