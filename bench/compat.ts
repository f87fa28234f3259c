/**
 * What telling two versions' tools apart costs: `node bench/compat.ts [tools]`. All tools are the same but one, as after
 * an ordinary commit; beside it stands what it costs to write all their schemas as JSON.
 */
import { compareInputs, compareOutputs } from "../server/compat/compare-tools.ts";
import type { JsonSchema } from "../server/host-api.ts";
import { compileSchema } from "../server/versions/manifests/schema/compile-schema.ts";
import { createDefaults } from "../server/versions/manifests/schema/with-defaults.ts";
import type { Check, Tool } from "../server/versions/version.ts";

type Compared = Pick<Tool, "input" | "checkInput" | "withDefaults" | "output" | "checkOutput">;

const ROUNDS = 5;
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

/** Validators are compiled when first needed: a version that is served has them already. */
function lazy(schema: JsonSchema): Check {
  let check: Check | undefined;
  return (value) => (check ??= compileSchema(schema))(value);
}

function tree(changed: number, limit: number): readonly Compared[] {
  return Array.from({ length: count }, (_, index) => {
    const [input, output] = [toInput(index, index === changed ? limit : 14), toOutput(index)];
    return { input, output, checkInput: lazy(input), checkOutput: lazy(output), withDefaults: createDefaults(input) };
  });
}

function fastest(run: () => void): string {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return `${Math.min(...times).toFixed(1)} ms`;
}

function compareAll(before: readonly Compared[], after: readonly Compared[]): number {
  let different = 0;
  for (const [index, one] of before.entries()) {
    const other = after[index];
    if (other === undefined) continue;
    const verdicts = [compareInputs(one, other).verdict, compareOutputs(one, other).verdict];
    if (verdicts.some((verdict) => verdict !== "included")) different += 1;
  }
  return different;
}

const before = tree(-1, 14);
const looser = tree(Math.floor(count / 2), 20);
const stricter = tree(Math.floor(count / 2), 7);
const write = () => {
  for (const tools of [before, looser]) for (const { input, output } of tools) JSON.stringify([input, output]);
};

const compare = (after: readonly Compared[]) =>
  `${fastest(() => void compareAll(before, after))}, ${compareAll(before, after)} broken`;
process.stdout.write(`${count} tools
writing all schemas as JSON:       ${fastest(write)}
comparing, one input accepts more: ${compare(looser)}
comparing, one input accepts less: ${compare(stricter)}
`);
