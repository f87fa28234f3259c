/**
 * What telling two versions' tools apart costs, in processor time: `node bench/compat.ts [tools]`. All tools are the same
 * but one, as after an ordinary commit, or all of them break; beside it stands writing all their schemas as JSON.
 */
import { compareInputs, compareOutputs } from "../server/semver/compare-tools.ts";
import type { JsonSchema } from "../server/host-api.ts";
import { compileSchema } from "../server/versions/manifests/schema/compile-schema.ts";
import { createStripUndeclared } from "../server/versions/manifests/schema/strip-undeclared.ts";
import { createDefaults } from "../server/versions/manifests/schema/with-defaults.ts";
import type { Tool } from "../server/versions/version.ts";

type Compared = Pick<Tool, "input" | "checkInput" | "withDefaults" | "output" | "checkOutput" | "stripUndeclared">;

const ROUNDS = 3;
const count = Number(process.argv[2] ?? 1_000);

function toInput(index: number, limit: number): JsonSchema {
  return {
    type: "object",
    properties: {
      location: { type: "string", minLength: 1, description: `Where, for tool ${index}.` },
      units: { enum: ["metric", "imperial"], default: "metric" },
      days: { type: "integer", minimum: 1, maximum: limit },
      tags: { type: "array", items: { type: "string", pattern: "^[a-z-]+$" }, uniqueItems: true },
      area: { $ref: "#/$defs/area" },
    },
    required: ["location"],
    additionalProperties: false,
    $defs: {
      area: {
        type: "object",
        properties: { name: { type: "string" }, parts: { type: "array", items: { $ref: "#/$defs/area" } } },
      },
    },
  };
}

function toOutput(index: number): JsonSchema {
  return {
    type: "object",
    properties: { forecast: { type: "string", description: `Of tool ${index}.` }, conversation_id: { type: "string" } },
    required: ["forecast", "conversation_id"],
  };
}

/** As it is served: validators are compiled, but for what tells all that is wrong with a value. */
function tree(isChanged: (index: number) => boolean, limit: number): readonly Compared[] {
  return Array.from({ length: count }, (_, index) => {
    const [input, output] = [toInput(index, isChanged(index) ? limit : 14), toOutput(index)];
    const [checkInput, checkOutput] = [compileSchema(input), compileSchema(output)];
    const [withDefaults, stripUndeclared] = [createDefaults(input), createStripUndeclared(output)];
    return { input, output, checkInput, checkOutput, withDefaults, stripUndeclared };
  });
}

/** Each round compares a tree that was not compared before. */
function compare(isChanged: (index: number) => boolean, limit: number): string {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const after = tree(isChanged, limit);
    const start = process.cpuUsage();
    const broken = compareAll(before, after);
    return { broken, time: processorTime(start) };
  });
  const fastest = Math.min(...rounds.map(({ time }) => time));
  return `${fastest.toFixed(1)} ms, ${rounds[0]?.broken} broken`;
}

/** In milliseconds; other work on the machine takes none of it. */
function processorTime(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function compareAll(before: readonly Compared[], after: readonly Compared[]): number {
  let different = 0;
  for (const [index, one] of before.entries()) {
    const other = after[index];
    if (other === undefined) continue;
    const verdicts = [compareInputs(one, other, "declared").verdict, compareOutputs(one, other, "declared").verdict];
    if (verdicts.some((verdict) => verdict !== "included")) different += 1;
  }
  return different;
}

const before = tree(() => false, 14);
const isMiddle = (index: number) => index === Math.floor(count / 2);
const start = process.cpuUsage();
for (const { input, output } of [...before, ...before]) JSON.stringify([input, output]);
const writing = processorTime(start);
process.stdout.write(`${count} tools
writing all schemas as JSON:       ${writing.toFixed(1)} ms
comparing, one input accepts more: ${compare(isMiddle, 20)}
comparing, one input accepts less: ${compare(isMiddle, 7)}
comparing, all inputs accept less: ${compare(() => true, 7)}
`);
