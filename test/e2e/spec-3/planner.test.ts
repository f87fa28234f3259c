import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  openSpecifiedWork,
  type SpecifiedWork,
  toAddition,
  toReport,
  type WorkAnswer,
} from "../../helpers/specified-work.ts";
import { type ModelStandIn, startModel } from "../../stand-ins/model.ts";
import { createShared } from "../../helpers/temporary.ts";

/** Section 4 of the specification of tasks and runs, sentence by sentence: plans, and that all code traces back to one. */

const shared = createShared();
let work: SpecifiedWork;
let model: ModelStandIn;
/** What the model submits about `shop.hours`; about everything else it has no plan. */
let submits: object;
const NO_PLAN = { reject: { reason: "I do not know.", question: "What do you mean?" } };
beforeAll(async () => {
  model = await startModel(({ messages }) => {
    const submitted = JSON.stringify(messages).includes("siesta") ? submits : NO_PLAN;
    return { calls: [{ name: "submit_plan", arguments: submitted }] };
  });
  shared.atEnd(model.close);
  work = await openSpecifiedWork(shared.atEnd, { CAIRN_MODEL_URL: model.url, CAIRN_MODEL_NAME: "stand-in" });
}, 60_000);
afterAll(shared.undoAll);

type Answer = WorkAnswer["body"];
/** Claims a task, and has its plan made; what the run and `plan.json` are. */
async function plan(title: string, objective: string, workflow = "risky"): Promise<{ run: Answer; plan: Answer }> {
  const { task_id } = await work.ask("rita", "task_create", { title, objective, workflow });
  const run = await work.ask("wim", "task_claim", { worker_id: "w1", task_id });
  expect(await work.ask("wim", "run_advance", { run_id: run.run_id })).toMatchObject({ state: "step", step: "plan" });
  return { run, plan: JSON.parse(await work.read(run, "plan.json")) };
}
const LESS_TAX = [
  "```diff\n--- a/tools/_lib/tax.ts\n+++ b/tools/_lib/tax.ts\n@@ -1,2 +1,2 @@",
  " /** Adds the value added tax of nineteen percent. */",
  "-export const addTax = (net) => net * 1.19;\n+export const addTax = (net) => net * 1.07;\n```",
].join("\n");
const paths = ({ referenced_context }: Answer): string[] =>
  referenced_context.map(({ path }: { path: string }) => path);

describe("Input: Task with title and objective; output: Plan with objective, files, instructions, steps, referenced_context", () => {
  test(
    "[W9] an objective in words becomes a plan that names the file to change, and no other, in files and steps",
    { timeout: 120_000 },
    async () => {
      const { plan: made } = await plan("Faster quotes", "Set the limit time of shop.quote to 4000.");
      expect(made.objective).toContain("Faster quotes");
      expect(made.objective).toContain("Set the limit time of shop.quote to 4000.");
      expect(made.files).toEqual(["manifests/shop/quote.yaml"]);
      expect(made.instructions).not.toBe("");
      const named: string[] = made.steps.flatMap(({ files = [] }: { files?: string[] }) => files);
      expect(new Set(named)).toEqual(new Set(["manifests/shop/quote.yaml"]));
      expect(JSON.stringify(made.steps)).toContain("4000");
      expect(paths(made)).toContain("manifests/shop/quote.yaml");
      expect(made).toMatchObject({ status: "planned", errors: [] });
    },
  );

  test("[W9] an objective that is a diff becomes a plan for the files of the diff", async () => {
    const { plan: made } = await plan("Less tax", LESS_TAX);
    expect(made.files).toEqual(["tools/_lib/tax.ts"]);
    expect(made.steps[0].files).toEqual(["tools/_lib/tax.ts"]);
  });

  test("[W9] an objective about nothing that is known plans no change by itself, and is left to a worker", async () => {
    const { run, plan: made } = await plan("Sing", "Sing me a lullaby about lighthouses.");
    expect(made.carried_out_by).toBe("worker");
    const { state } = await work.ask("wim", "run_advance", { run_id: run.run_id });
    expect(state).toBe("released");
    expect(await work.ask("rita", "task_status", { task_id: run.task_id })).toMatchObject({
      status: "pending",
      attempts: 0,
    });
  });
});

describe("Planner queries vector store (RAG) for relevant context", () => {
  test.for([
    ["docs/harbour.md", "docs/kitchen.md", "Describe where the zeppelin lands: the mooring mast."],
    ["docs/kitchen.md", "docs/harbour.md", "Say more about how bread is baked before dawn."],
  ] as const)(
    "[W9] %s is referenced, and %s is not, for what the objective is about",
    async ([about, other, objective]) => {
      const { plan: made } = await plan("Write", objective);
      expect(paths(made)).toContain(about);
      expect(paths(made)).not.toContain(other);
      const place = made.referenced_context.find(({ path }: { path: string }) => path === about);
      const { passages } = await work.ask("wim", "repository_search", { query: objective, under: "docs" });
      expect(passages[0]).toMatchObject({ path: about, text: place.text });
      expect(
        (await work.repository.git("show", `HEAD:${about}`))
          .split("\n")
          .slice(place.from_line - 1, place.to_line)
          .join("\n"),
      ).toBe(place.text.trimEnd());
    },
  );
});

describe('Planner uses Code Graph for impact analysis ("Changing X affects Y, Z"); the plan includes impact warnings', () => {
  test("[W9] a plan warns of the tools that import what changes, and not of the others", async () => {
    const { plan: made } = await plan("Less tax", LESS_TAX);
    const warning = made.warnings.find((text: string) => text.startsWith("Changing `tools/_lib/tax.ts` affects "));
    expect(warning).toContain("`shop.price`");
    expect(warning).toContain("`shop.quote`");
    expect(made.warnings.join()).not.toContain("shop.hours");
    expect(made.impact).toContain(warning);
    const { sentences, affected } = await work.ask("wim", "repository_impact", { targets: ["tools/_lib/tax.ts"] });
    expect(sentences).toEqual([warning]);
    const files = affected.map(({ file }: { file: string }) => file);
    expect(files).toEqual(expect.arrayContaining(["tools/shop/price.ts", "tools/shop/quote.ts"]));
    expect(files).not.toContain("tools/shop/hours.ts");
  });

  test("[W9] a plan for a file on which nothing depends warns of nothing that it affects", async () => {
    const { plan: made } = await plan("Tea", toAddition("docs/tea.md", "Tea."));
    expect(made.warnings.filter((text: string) => text.startsWith("Changing"))).toEqual([]);
  });
});

describe("LLM generates structured JSON plan", () => {
  const SIESTA = "Nobody keeps shop.hours at noon: make its answer know the siesta.";
  const edits = [{ path: "tools/shop/hours.ts", text: "export default ({ net }) => ({ gross: net - 1 });\n" }];

  test(
    "[W9] what a model plans is the plan: its files, and nothing that the model has not submitted",
    { timeout: 120_000 },
    async () => {
      submits = { change: { title: "Keep the siesta", changes: ["shop.hours knows the siesta."], edits } };
      const { run, plan: made } = await plan("Siesta", SIESTA);
      expect(made).toMatchObject({ planner: "model", files: ["tools/shop/hours.ts"], status: "planned" });
      expect(JSON.stringify(made.steps)).toContain("shop.hours knows the siesta.");
      await work.ask("wim", "run_advance", { run_id: run.run_id });
      const { content } = await work.ask("wim", "fs_read", { run_id: run.run_id, path: "tools/shop/hours.ts" });
      expect(content).toBe(edits[0]?.text);
    },
  );

  test.for([
    ["no object of a plan", { files: "all" }],
    ["a plan without a form", { change: { edits } }],
    [
      "a file that no plan may change",
      { change: { title: "x", changes: ["x."], edits: [{ path: "../x", text: "x" }] } },
    ],
  ] as const)(
    "[W9] a model that submits %s makes no plan: a worker has to",
    { timeout: 120_000 },
    async ([, submitted]) => {
      submits = submitted;
      const { run, plan: made } = await plan("Siesta", SIESTA);
      expect(made.carried_out_by).toBe("worker");
      expect(await work.ask("wim", "run_advance", { run_id: run.run_id })).toMatchObject({ state: "released" });
    },
  );
});

describe("Architect, Spec Writer, Executor: the executor implements the plan exactly", () => {
  test("[W10] the spec of the task says the objective, the plan's files and steps; the change is the plan's files and it", async () => {
    const { run, plan: made } = await plan("Less tax", LESS_TAX);
    const spec = `docs/specs/${run.task_id}_SPEC.md`;
    const { content } = await work.ask("wim", "fs_read", { run_id: run.run_id, path: spec });
    for (const text of ["Less tax", "net * 1.07", ...made.files, made.instructions, made.steps[0].description]) {
      expect(content).toContain(text);
    }
    await work.ask("wim", "run_advance", { run_id: run.run_id });
    const { files } = await work.ask("wim", "git_status", { run_id: run.run_id });
    expect(files.map(({ path }: { path: string }) => path).toSorted()).toEqual([spec, ...made.files].toSorted());
    const after = await work.ask("wim", "fs_read", { run_id: run.run_id, path: "tools/_lib/tax.ts" });
    expect(after.content).toContain("net * 1.07");
  });
});

describe('Forbidden: "Cowboy Coding" - all code must trace back to a plan/spec', () => {
  const path = "docs/new.md";
  const patch = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
  const make = ["node", "--eval", `fs.writeFileSync("${path}", "x")`];
  const toPlan = (run: Answer, files: readonly string[]) => ({
    run_id: run.run_id,
    name: "plan.json",
    content: toReport(run, { status: "planned", objective: "x", files, instructions: "x" }),
  });

  test("[W10] without a plan nothing is written, patched, made by a command or committed", async () => {
    const { run_id } = await work.begin("bare");
    expect((await work.call("wim", "fs_write_file", { run_id, path, content: "x" })).status).toBe(409);
    expect((await work.call("wim", "fs_apply_patch", { run_id, patch })).status).toBe(409);
    expect((await work.ask("wim", "exec_run", { run_id, command: make })).stderr).toContain("EROFS");
    expect((await work.call("wim", "git_commit", { run_id, message: "x", allowed_files: [path] })).status).toBe(409);
    expect(await work.ask("wim", "git_status", { run_id })).toMatchObject({ files: [] });
  });

  test("[W10] a plan allows its own files, and a workflow that does not write allows none", async () => {
    const run = await work.begin("bare");
    await work.ask("wim", "artifact_write", toPlan(run, ["docs/other.md"]));
    expect((await work.call("wim", "fs_write_file", { run_id: run.run_id, path, content: "x" })).status).toBe(403);
    expect((await work.call("wim", "fs_apply_patch", { run_id: run.run_id, patch })).status).toBe(403);
    const reader = await work.begin("external");
    await work.ask("wim", "artifact_write", toPlan(reader, [path]));
    expect((await work.call("wim", "fs_write_file", { run_id: reader.run_id, path, content: "x" })).status).toBe(403);
    expect((await work.ask("wim", "exec_run", { run_id: reader.run_id, command: make })).stderr).toContain("EROFS");
  });

  test("[W10] the gate fails a run that has changed what its plan does not name, or without its spec", async () => {
    for (const [files, written, check] of [
      [["docs/other.md"], (task: string) => `docs/specs/${task}_SPEC.md`, "traceability"],
      [[path], () => path, "spec"],
    ] as const) {
      const run = await work.begin("bare");
      const { run_id, task_id } = run;
      await work.ask("wim", "artifact_write", toPlan(run, files));
      await work.ask("wim", "exec_run", { run_id, command: make });
      await work.ask("wim", "fs_write_file", { run_id, path: written(task_id), content: "x" });
      expect(await work.ask("wim", "workflow_gate", { run_id, task_id })).toMatchObject({ status: "failed" });
      const { checks } = JSON.parse(await work.read(run, "gate_report.json"));
      expect(checks).toContainEqual(expect.objectContaining({ name: check, passed: false }));
      const end = { run_id, task_id, worker_id: "w1", status: "completed", result_summary: "x" };
      expect((await work.call("wim", "task_complete", end)).status).toBe(409);
    }
  });
});
