import { expect, onTestFinished, test } from "vitest";
import { openTrial } from "../../../server/examples/open-trial.ts";
import { createReplay } from "../../../server/examples/replay.ts";
import { createMemoryTree } from "../../fixtures/trees/create-memory-tree.ts";
import { agentFiles } from "../../helpers/agent.ts";
import { loader } from "../../helpers/loader.ts";

/** Milliseconds that the handler waits for. */
const WAIT = 300;

test("a replay of a handler that sleeps waits as long as the call did, and comes to the recorded output", async () => {
  const files = agentFiles({
    version: "1.0.0",
    tools: {
      wait: {
        handler: `export default async (_, ctx) => { await ctx.sleep(${WAIT}); return { slept: ${WAIT} }; };\n`,
        manifest: "deterministic: true\ninput: { type: object }\noutput: { type: object }",
      },
    },
  });
  const loaded = await loader.load(createMemoryTree(files), "a".repeat(40));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const trial = await openTrial({ egressMap: new Map(), now: Date.now });
  onTestFinished(() => trial.close());
  const call = { schemaVersion: 1, tool: "runner.wait", input: {}, output: { slept: WAIT }, at: 0, id: "1" } as const;
  const start = performance.now();
  const replayed = await createReplay(loaded.version, loaded.version, trial)(call);
  // A timer may fire within the millisecond before its time.
  expect(performance.now() - start).toBeGreaterThan(WAIT - 2);
  expect(replayed).toMatchObject({ outcome: "same" });
});
