import { expect, test } from "vitest";
import { compareAnswers } from "../../../../../server/architect/pipeline/verify/compare-answers.ts";
import type { Trial } from "../../../../../server/examples/open-trial.ts";
import { readTextOf } from "../../../../../server/versions/read-text-of.ts";
import { createMemoryTree } from "../../../../fixtures/trees/create-memory-tree.ts";
import { agentFiles } from "../../../../helpers/agent.ts";
import { loader } from "../../../../helpers/loader.ts";

const HANDLER = "export default ({ n }) => ({ n });\n";

async function load(tools: readonly string[], numbers: readonly number[], commit: string) {
  const examples = numbers.map((n) => `  - { description: Number ${n}, input: { n: ${n} }, matches: {} }\n`).join("");
  const manifest = `input: { type: object }\noutput: { type: object }\nexamples:\n${examples}`;
  const all = Object.fromEntries(tools.map((name) => [name, { handler: HANDLER, manifest }]));
  const tree = createMemoryTree(agentFiles({ version: "1.0.0", tools: all }));
  const loaded = await loader.load(tree, commit);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return { version: loaded.version, tree, readText: (file: string) => readTextOf(tree, file) };
}

const [BEFORE, AFTER] = ["b".repeat(40), "a".repeat(40)];

/** Compares tools before and after; `answer` says what a call comes to, by its version, number and count. */
async function compare(options: {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly numbers?: readonly number[];
  readonly answer: (asked: { readonly isAfter: boolean; readonly n: number; readonly count: number }) => unknown;
  readonly missing?: readonly string[];
}) {
  const { before, after, numbers = [1, 2], answer, missing = [] } = options;
  let count = 0;
  const trial: Trial = {
    async call({ commit }, _tool, input) {
      count += 1;
      const output = answer({ isAfter: commit === AFTER, n: (input as { n: number }).n, count });
      const handle = { conversationId: "c", logsUri: "l", durationMs: 0 };
      const result =
        output === undefined
          ? { ok: false, error: { name: "BAD_REQUEST", message: "No such number." }, row: {}, ...handle }
          : { ok: true, output, ...handle };
      return { result: result as never, missing, isLate: false };
    },
    play: () => Promise.reject(new Error("Nothing is played here.")),
    close: async () => undefined,
  };
  const candidate = await load(after, numbers, AFTER);
  const affected = [...candidate.version.tools.values()];
  const signal = new AbortController().signal;
  return compareAnswers({ before: await load(before, [1], BEFORE), candidate, affected, trial, signal });
}

test("examples with another answer are shown with both, also those that were errors before", async () => {
  const changes = await compare({
    before: ["one"],
    after: ["one"],
    numbers: [1, 2, 3],
    answer: ({ isAfter, n }) => (n === 1 ? { n } : isAfter ? { n: n * 10 } : n === 2 ? { n } : undefined),
  });
  expect(changes).toEqual([
    { tool: "runner.one", description: "Number 2", input: '{"n":2}', before: '{"n":2}', after: '{"n":20}' },
    {
      tool: "runner.one",
      description: "Number 3",
      input: '{"n":3}',
      before: "error BAD_REQUEST: No such number.",
      after: '{"n":30}',
    },
  ]);
});

test("examples of a new tool have no answer before", async () => {
  const changes = await compare({ before: ["one"], after: ["one", "two"], numbers: [1], answer: ({ n }) => ({ n }) });
  expect(changes).toEqual([{ tool: "runner.two", description: "Number 1", input: '{"n":1}', after: '{"n":1}' }]);
});

test("answers that are others each time, or that could not be had, show nothing", async () => {
  const tools = { before: ["one"], after: ["one"] };
  expect(await compare({ ...tools, answer: ({ count }) => ({ count }) })).toEqual([]);
  expect(await compare({ ...tools, answer: ({ isAfter }) => ({ isAfter }), missing: ["`host`"] })).toEqual([]);
});

test("credentials in answers are masked, and no more are kept than a person reads", async () => {
  const key = "ghp_0123456789012345678901234567890123456789";
  const tools = ["one", "two", "three"];
  const answer = ({ isAfter, n }: { readonly isAfter: boolean; readonly n: number }) => ({ isAfter, n, key });
  const changes = await compare({ before: tools, after: tools, numbers: [1, 2, 3, 4, 5, 6, 7], answer });
  expect(changes).toHaveLength(8);
  expect(JSON.stringify(changes)).not.toContain(key);
});
