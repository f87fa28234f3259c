import { expect, onTestFinished, test } from "vitest";
import { openTrial } from "../../../server/examples/open-trial.ts";
import { createReplay } from "../../../server/examples/replay.ts";
import { createMemoryTree } from "../../fixtures/trees/create-memory-tree.ts";
import { agentFiles } from "../../helpers/agent.ts";
import { loader } from "../../helpers/loader.ts";

/** Milliseconds that the handler waits for, which no test does. */
const WAIT = 3_600_000;

test("a replay of a handler that sleeps does not wait, and ends it where its time limit would", async () => {
  const files = agentFiles({
    version: "1.0.0",
    tools: {
      wait: {
        handler: `export default async (_, ctx) => { await ctx.sleep(${WAIT}); return { slept: ${WAIT} }; };\n`,
        manifest: `deterministic: true\ninput: { type: object }\noutput: { type: object }`,
      },
    },
  });
  const load = async (limit: number, commit: string) => {
    const loaded = await loader.load(createMemoryTree(files), commit);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    const tools = new Map(
      [...loaded.version.tools].map(([name, tool]) => [name, { ...tool, limits: { ...tool.limits, time: limit } }]),
    );
    return { ...loaded.version, tools };
  };
  const trial = await openTrial({ egressMap: new Map(), now: Date.now });
  onTestFinished(() => trial.close());
  const call = { schemaVersion: 1, tool: "runner.wait", input: {}, output: { slept: WAIT }, at: 0, id: "1" } as const;
  const [long, short] = [await load(2 * WAIT, "a".repeat(40)), await load(WAIT, "b".repeat(40))];
  expect(await createReplay(long, long, trial)(call)).toMatchObject({ outcome: "same" });
  expect(await createReplay(long, short, trial)(call)).toMatchObject({
    outcome: "different",
    reasons: [`it ends with TIME_LIMIT: \`runner.wait\` would sleep longer than its time limit of ${WAIT} ms.`],
  });
});
