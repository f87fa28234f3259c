/**
 * MCP over HTTP, side by side with others that serve it and with the least that could: `README.md` says how to run this and
 * how far to trust it.
 */
import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { show } from "./figures.ts";
import { isReached } from "./goals.ts";
import { installPeers } from "./install-peers.ts";
import { createLoad } from "./load/run-load.ts";
import { readOptions } from "./options.ts";
import { measureCalls } from "./parts/calls.ts";
import { measureLists } from "./parts/lists.ts";
import { measureMemory } from "./parts/memory.ts";
import type { Part, PartResult } from "./parts/part.ts";
import { measureTools } from "./parts/tools.ts";
import { measureVersions } from "./parts/versions.ts";
import { canPin } from "./pinning.ts";
import { toTable } from "./table.ts";

const PARTS: Readonly<Record<string, Part>> = {
  calls: measureCalls,
  lists: measureLists,
  tools: measureTools,
  memory: measureMemory,
  versions: measureVersions,
};

const say = (line: string) => process.stderr.write(`${line}\n`);

const options = readOptions(process.argv.slice(2), [...Object.keys(PARTS), "all"]);
const load = createLoad();
if (load.generator !== "wrk")
  say("wrk is not installed: its stand-in costs more for each request and flatters slow servers");
if (!canPin) say("server and load share cores here: figures of different runs cannot be compared");
if (options.contenders.some(({ of }) => of === "peer")) installPeers(say);

const results: Record<string, PartResult> = {};
for (const [name, measure] of Object.entries(PARTS)) {
  if (options.part !== "all" && options.part !== name) continue;
  const result = await measure({ ...options, load, say });
  results[name] = result;
  process.stdout.write(`## ${result.title}\n\n${toTable(result.header, result.rows)}\n`);
  if (result.note !== undefined) process.stdout.write(`\n${result.note}\n`);
  for (const { name: absent, reason } of result.unavailable) {
    process.stdout.write(`\nNot available: ${absent}. ${reason}\n`);
  }
  process.stdout.write("\n");
}

const goals = Object.values(results).flatMap((result) => result.goals);
const rows = goals.map((goal) => {
  const wanted = goal.atLeast === undefined ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`;
  const reached = isReached(goal);
  return [goal.name, wanted, show(goal.actual), reached === undefined ? "not measured" : reached ? "pass" : "FAIL"];
});
process.stdout.write(`## Goals\n\n${toTable(["", "goal", "measured", ""], rows)}\n`);

if (options.json !== undefined) {
  const machine = { node: process.version, cores: cpus().map(({ model }) => model), generator: load.generator, canPin };
  const { rounds, seconds } = options;
  await writeFile(options.json, `${JSON.stringify({ machine, rounds, seconds, results }, undefined, 2)}\n`);
}
