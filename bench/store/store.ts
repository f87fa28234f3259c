/**
 * The store's two engines side by side, with one-row inserts on the same server as a measure of what it can do:
 * `npx node bench/store/store.ts [commits|calls|all] [--rounds 3] [--seconds 3]`. Needs Debian's package `postgresql`, `wrk` for the
 * calls, and a temporary folder on a disk.
 */
import { parseArgs } from "node:util";
import { show } from "../protocol/figures.ts";
import { type Goal, isReached } from "../protocol/goals.ts";
import { toTable } from "../protocol/table.ts";
import { measureCalls } from "./calls.ts";
import { measureCommits } from "./commits.ts";
import { openBenchDatabase } from "./database.ts";
import type { Part } from "./part.ts";

const PARTS: ReadonlyMap<string, Part> = new Map([
  ["commits", measureCommits],
  ["calls", measureCalls],
]);
const ALL = "all";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "3" }, seconds: { type: "string", default: "3" } },
});
const wanted = positionals[0] ?? ALL;
if (wanted !== ALL && !PARTS.has(wanted))
  throw new Error(`\`${wanted}\` is no part; there are: ${[...PARTS.keys()].join(", ")}.`);
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];

const database = await openBenchDatabase();
const goals: Goal[] = [];
for (const [name, measure] of PARTS) {
  if (wanted !== ALL && wanted !== name) continue;
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const result = await measure({ database, rounds, seconds, say });
  process.stdout.write(`## ${result.title}\n\n${toTable(result.header, result.rows)}\n\n`);
  goals.push(...result.goals);
}
const rows = goals.map((goal) => {
  const aim = goal.atLeast === undefined ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`;
  return [goal.name, aim, show(goal.actual), isReached(goal) === true ? "pass" : "MISSED"];
});
process.stdout.write(`## Goals\n\n${toTable(["", "goal", "measured", ""], rows)}\n`);
