import { describe, expect, test } from "vitest";
import { checkExamples } from "../../../../../server/architect/pipeline/verify/check-examples.ts";
import type { SharedTrial } from "../../../../../server/architect/pipeline/verify/shared-trial.ts";
import type { Trial, Tried } from "../../../../../server/examples/open-trial.ts";
import { toTestResult } from "../../../../../server/examples/test-results.ts";
import { loader } from "../../../../helpers/loader.ts";
import type { Tree } from "../../../../../server/versions/tree.ts";
import { readTextOf } from "../../../../../server/versions/read-text-of.ts";
import { createMemoryTree } from "../../../../fixtures/trees/create-memory-tree.ts";
import { agentFiles } from "../../../../helpers/agent.ts";

const [BEFORE, AFTER] = ["b".repeat(40), "a".repeat(40)];

/** Tools `one` and `two` with these examples, the second at line 5 of their manifests. */
const withExamples = (one: string, two = "  - { input: { n: 9 }, output: { n: 9 } }") =>
  agentFiles({
    version: "1.0.0",
    tools: Object.fromEntries(
      Object.entries({ one, two }).map(([name, examples]) => [
        name,
        {
          handler: "export default ({ n }) => ({ n });\n",
          manifest: `input: { type: object, properties: { n: { type: number } } }\noutput: { type: object, properties: { n: { type: number } } }\nexamples:\n${examples}`,
        },
      ]),
    ),
  });

async function load(files: Readonly<Record<string, string>>, commit: string) {
  const tree: Tree = createMemoryTree(files);
  const loaded = await loader.load(tree, commit);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return { version: loaded.version, tree, readText: (file: string) => readTextOf(tree, file) };
}

/** What a call comes to: an output, or the name of an error. */
type Answer = { readonly n: number } | "CPU_LIMIT" | "NOT_FOUND" | { readonly asks: string };
interface Asked {
  readonly place: "shared" | "alone";
  readonly version: "before" | "after";
  readonly n: number;
}

async function check(options: {
  readonly before?: Readonly<Record<string, string>>;
  readonly after?: Readonly<Record<string, string>>;
  readonly affected?: readonly string[];
  readonly shown?: readonly string[];
  readonly onlyAffected?: boolean;
  readonly answer?: (asked: Asked) => Answer;
}) {
  const files = withExamples(
    "  - { input: { n: 1 }, output: { n: 1 } }\n  - { description: Two, input: { n: 2 }, output: { n: 2 } }",
  );
  const { before = files, after = files, affected = ["runner.one"], shown, onlyAffected = false } = options;
  const { answer = ({ n }) => ({ n }) } = options;
  const [old, now] = [await load(before, BEFORE), await load(after, AFTER)];
  const asked: Asked[] = [];
  const createTrial = (place: Asked["place"]): Trial => ({
    async call(version, _tool, input): Promise<Tried> {
      const ask: Asked = {
        place,
        version: version.commit === AFTER ? "after" : "before",
        n: (input as { n: number }).n,
      };
      asked.push(ask);
      const came = answer(ask);
      const handle = { conversationId: "c", logsUri: "l", durationMs: 0 };
      if (typeof came === "string") {
        const result = { ok: false, error: { name: came, message: "It ended." }, row: {}, ...handle } as never;
        return { result, missing: [], isLate: came === "CPU_LIMIT" };
      }
      const missing = "asks" in came ? [came.asks] : [];
      return { result: { ok: true, output: came, ...handle } as never, missing, isLate: false };
    },
    play: () => Promise.reject(new Error("Nothing is played here.")),
    close: async () => undefined,
  });
  const trial: SharedTrial = {
    use: (work) => work(createTrial("shared")),
    useAlone: (work) => work(createTrial("alone")),
    close: async () => undefined,
  };
  const known = shown && { ...toTestResult(BEFORE, { examples: [], untested: [] }, 0), shown };
  const outcome = await checkExamples({
    before: old,
    candidate: now,
    affected: [...now.version.tools.values()].filter(({ name }) => affected.includes(name)),
    known,
    trial,
    onlyAffected,
    now: 0,
    signal: new AbortController().signal,
  });
  return { ...outcome, asked };
}

describe("the examples that are tried of a change", () => {
  test("are those of tools that may answer otherwise, where all others were shown", async () => {
    const { status, message, result, asked } = await check({ shown: ["runner.one", "runner.two"] });
    expect([status, asked.map(({ n }) => n)]).toEqual(["passed", [1, 2]]);
    expect(message).toBe(
      "2 examples of 1 tools of 2, which may answer otherwise or were never shown: 2 passed, 0 failed, 0 skipped.",
    );
    expect(result).toMatchObject({ status: "pass", passed: 3, shown: ["runner.two", "runner.one"] });
  });

  test.each([
    ["nothing is known", undefined],
    ["some was never shown", ["runner.one"]],
  ])("are those of all tools where %s", async (_when, shown) => {
    const { asked, result } = await check({ ...(shown && { shown }), affected: [] });
    expect(asked.map(({ n }) => n).toSorted()).toEqual(shown ? [9] : [1, 2, 9]);
    expect(result).toMatchObject({ status: "pass", passed: 3 });
  });

  test("are those of touched tools alone where only what is affected counts, which shows nothing of the others", async () => {
    const { asked, result } = await check({ onlyAffected: true });
    expect(asked.map(({ n }) => n)).toEqual([1, 2]);
    expect(result).toMatchObject({ passed: 2, shown: ["runner.one"] });
  });

  test("are none where nothing may answer otherwise, which passes nothing", async () => {
    const { status, asked, result } = await check({ affected: [], shown: ["runner.one", "runner.two"] });
    expect([status, asked, result.status]).toEqual(["skipped", [], "pass"]);
  });
});

describe("an example that fails", () => {
  test("is held against a change that made it fail, after a look at what was there before", async () => {
    const { status, message, asked, result } = await check({
      answer: ({ version, n }) => ({ n: version === "after" && n === 2 ? 7 : n }),
    });
    expect(status).toBe("failed");
    expect(message).toContain("manifests/runner/one.yaml:8:5: runner.one (Two): failed: /n: expected 2, got 7");
    expect(asked.filter(({ place }) => place === "alone")).toEqual([{ place: "alone", version: "before", n: 2 }]);
    expect(result).toMatchObject({ status: "fail", passed: 2, failed: 1 });
  });

  test("is told, and not held against a change, where it fails before as well", async () => {
    const { status, message, result } = await check({ answer: ({ n }) => (n === 2 ? "NOT_FOUND" : { n }) });
    expect(status).toBe("passed");
    expect(message).toContain(
      "manifests/runner/one.yaml:8:5: runner.one (Two): it fails in 1.0.0 as well, so not because of the change: it ended with NOT_FOUND",
    );
    expect(result).toMatchObject({ status: "fail", failed: 1, shown: ["runner.two"] });
  });

  test("is held against the change that brings it, though nothing before could keep it either", async () => {
    const after = withExamples("  - { input: { n: 2 }, output: { n: 3 } }");
    expect((await check({ after })).status).toBe("failed");
  });

  test("by a limit of time is tried again by itself, and passes where it then does", async () => {
    const { status, message, asked, result } = await check({
      answer: ({ place, n }) => (place === "shared" && n === 2 ? "CPU_LIMIT" : { n }),
    });
    expect(status).toBe("passed");
    expect(message).toContain("runner.one (Two): it passes by itself; beside others it was too slow");
    expect(asked.filter(({ place }) => place === "alone").map(({ version }) => version)).toEqual(["before", "after"]);
    expect(result).toMatchObject({ status: "pass", passed: 3 });
  });

  test("by a limit of time again is held against the change that made it slow", async () => {
    const { status } = await check({
      answer: ({ version, n }) => (version === "after" && n === 2 ? "CPU_LIMIT" : { n }),
    });
    expect(status).toBe("failed");
  });

  test("is held against a change though the older one is too slow now: that says nothing of what it answered", async () => {
    const { status } = await check({
      answer: ({ version, n }) => (n === 2 ? (version === "before" ? "CPU_LIMIT" : { n: 7 }) : { n }),
    });
    expect(status).toBe("failed");
  });
});

describe("an example that asks what is not to be had", () => {
  test("is not shown, and said with what it asks", async () => {
    const { status, message, tried, result } = await check({
      answer: ({ n }) => (n === 2 ? { asks: "`api.example.com`" } : { n }),
    });
    expect([status, tried]).toEqual(["passed", { ran: 2, skipped: 1 }]);
    expect(message).toContain("1 example not shown: it asks `api.example.com`.");
    expect(result).toMatchObject({ status: "unknown", passed: 2, skipped: 1, missing: ["`api.example.com`"] });
    expect(result.shown).toEqual(["runner.two"]);
  });

  test("is no reason to say that anything passed", async () => {
    const { status, message, tried } = await check({ answer: () => ({ asks: "a model" }) });
    expect([status, tried]).toEqual(["skipped", { ran: 0, skipped: 3 }]);
    expect(message).toContain("3 examples not shown: they ask a model.");
  });
});
