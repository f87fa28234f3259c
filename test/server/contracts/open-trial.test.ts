import { expect, onTestFinished, test } from "vitest";
import { openTrial } from "../../../server/contracts/open-trial.ts";
import { createLoader } from "../../../server/versions/load-version.ts";
import { createMemoryTree } from "../../fixtures/trees/create-memory-tree.ts";
import { agentFiles } from "../../helpers/agent.ts";

const OPEN = "input: { type: object }\noutput: { type: object }";
const FILES = agentFiles({
  version: "1.0.0",
  tools: {
    count: {
      handler:
        'import { next } from "../_lib/next.ts";\nexport default async (_, ctx) => {\n  const seen = (await ctx.state.get(["n"])) ?? 0;\n  await ctx.state.set(["n"], seen + 1);\n  return { here: next(), kept: seen };\n};\n',
      manifest: `${OPEN}\nsideEffect: true\nuses: [state.read, state.write]`,
    },
    ask: {
      handler: 'export default (_, ctx) => ctx.tools.call("runner.count", {});\n',
      manifest: `${OPEN}\nsideEffect: true\nuses: [tools.call]`,
    },
  },
  files: { "tools/_lib/next.ts": "let count = 0;\nexport const next = () => (count += 1);\n" },
});

async function open() {
  const loaded = await createLoader().load(createMemoryTree(FILES), "a".repeat(40));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const trial = await openTrial({ egressMap: new Map(), now: Date.now });
  onTestFinished(() => trial.close());
  const { version } = loaded;
  return async (name: string) => {
    const tool = version.tools.get(name);
    if (tool === undefined) throw new Error(`There is no ${name}.`);
    const { result } = await trial.call(version, tool, {});
    return result.ok ? result.output : result.error.name;
  };
}

test("a call on trial finds nothing of another one, neither kept nor in variables, however many are made at once", async () => {
  const call = await open();
  const many = await Promise.all(Array.from({ length: 30 }, () => call("runner.count")));
  expect(new Set(many.map((output) => JSON.stringify(output)))).toEqual(new Set(['{"here":1,"kept":0}']));
});

test("a tool that calls others finds them", async () => {
  const call = await open();
  expect(await call("runner.ask")).toEqual({ here: 1, kept: 0 });
});
