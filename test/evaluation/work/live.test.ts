import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { vi, afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type ArchitectService, openArchitectService, toCaller } from "../../helpers/architect-service.ts";
import { createShared } from "../../helpers/temporary.ts";
import { type ModelStandIn, startModel } from "../../stand-ins/model.ts";
import { submit } from "../../stand-ins/planning-model.ts";
import { holds } from "../checks.ts";
import { WORK_TASKS, type WorkTask } from "./tasks.ts";

const { atEnd, undoAll } = createShared();
afterAll(undoAll);

const OWN = ["manifests/work/*.yaml", "tools/work/*.ts", "tools/_lib/work/*.ts", "manifests/workflows/*.yaml"];
const PEOPLE = {
  ada: toCaller("ada", "owner"),
  wim: toCaller("wim", "owner"),
  pat: toCaller("pat", "owner"),
};
/** Milliseconds until a task has to be live, or say why it is not, on a busy machine. */
const PATIENCE_MS = 120_000;

/** An agent of the feedback evaluation with this checkout's work server, and people who may use it. */
async function open(
  agent: WorkTask["agent"],
  environment: Readonly<Record<string, string>>,
): Promise<ArchitectService> {
  const source = join("test", "evaluation", "agents", agent);
  const read = (folder: string, file: string) => [file, readFileSync(join(folder, file), "utf8")] as const;
  const files = [
    ...globSync("**/*.{md,ts,yaml}", { cwd: source }).map((file) => read(source, file)),
    ...globSync(OWN).map((file) => read(".", file)),
    ["manifests/policies/work.yaml", 'roles: { owner: ["*"] }\n'] as const,
  ];
  return openArchitectService({ files: Object.fromEntries(files), people: PEOPLE, environment, atEnd });
}

/** Calls a tool as somebody, again where the policies of the agent let callers ask so often and no more. */
const callOf =
  ({ post }: ArchitectService) =>
  (who: keyof typeof PEOPLE, tool: string, input: object) =>
    vi.waitFor(
      async () => {
        const { status, body } = await post(who, `/agent/latest/api/tools/${tool}`, input);
        if (status === 429) throw new Error(JSON.stringify(body));
        return body;
      },
      { timeout: PATIENCE_MS, interval: 1_000 },
    );

type Call = ReturnType<typeof callOf>;
type Way = (service: ArchitectService, task: WorkTask) => Promise<string>;

async function advance(call: Call, run_id: string): Promise<void> {
  while ((await call("wim", "run_advance", { run_id })).state === "step");
}

/** Has a worker of one's own make the edits in the workspace of the run. */
async function doByHand(call: Call, { run_id, task_id }: Readonly<Record<string, string>>, { edits }: WorkTask) {
  const common = { schema_version: 1, task_id, run_id, timestamps: { created_at: "2026-01-01T00:00:00Z" } };
  const write = (name: string, more: object) => {
    const content = JSON.stringify({ ...common, metrics: {}, warnings: [], errors: [], ...more });
    return call("wim", "artifact_write", { run_id, name, content });
  };
  const files = [...new Set(edits.map(([file]) => file))];
  await write("plan.json", { status: "planned", objective: "As asked.", files, instructions: "Edit." });
  for (const [path, find, put] of edits) {
    const { content } = await call("wim", "fs_read", { run_id, path });
    await call("wim", "fs_write_file", { run_id, path, content: String(content).replace(find, put) });
  }
  await write("executor_report.json", { status: "completed" });
}

/** Follows a task to its end; a colleague approves what waits for somebody. */
async function follow(call: Call, task_id: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const { status, run, result_summary, question } = await call("ada", "task_status", { task_id });
      if (status === undefined) throw new Error(`Task ${task_id} cannot be seen.`);
      if (question !== undefined) return `asks: ${String(question.text)}`;
      if (status !== "blocked") return run.proposal?.state === "live" ? "live" : `${status}: ${String(result_summary)}`;
      const { state, feedback } = run.proposal ?? {};
      const asked = { approver: "Pat", reason: "It is what was asked for." };
      if (state === undefined) {
        // The gate of the run asks first, for what a model's plan leaves in doubt.
        await call("pat", "approval_write", { task_id, run_id: run.run_id, ...asked });
        const { run_id } = await call("wim", "task_claim", { worker_id: "w1", task_id });
        await advance(call, run_id);
      } else if (state === "approval") {
        await call("pat", "approval_write", { task_id: feedback, run_id: run.proposal.run_id, ...asked });
      }
      throw new Error(`${status}: ${JSON.stringify(run.proposal)}`);
    },
    { timeout: PATIENCE_MS, interval: 2_000 },
  );
}

const throughService =
  (model: ModelStandIn): Way =>
  async (service, task) => {
    const call = callOf(service);
    const [[path = "", find = "", put = ""] = []] = task.edits;
    const edits = [{ path, replace: [{ find, with: put }] }];
    model.script(submit({ change: { title: task.title, changes: ["It is as asked for."], edits } }));
    const { title, objective } = task;
    const { task_id } = await call("ada", "task_create", { title, objective, workflow: "change" });
    const { run_id } = await call("wim", "task_claim", { worker_id: "w1", task_id, with_steps: true });
    await advance(call, run_id);
    return follow(call, task_id);
  };

const byWorker: Way = async (service, task) => {
  const call = callOf(service);
  const { title, objective } = task;
  const { task_id } = await call("ada", "task_create", { title, objective, workflow: "change" });
  const claimed = await call("wim", "task_claim", { worker_id: "w1", task_id });
  await doByHand(call, claimed, task);
  await advance(call, claimed.run_id);
  return follow(call, task_id);
};

/** Tells of each task of an agent whether it is live and right, or why not. */
async function measure(service: ArchitectService, tasks: readonly WorkTask[], way: Way): Promise<readonly string[]> {
  const outcomes: string[] = [];
  for (const task of tasks) {
    const outcome = await way(service, task);
    const isRight = await Promise.all(
      task.checks.map(async (check) => holds(parse(await service.origin.git("show", `main:${check.file}`)), check)),
    );
    outcomes.push(
      outcome === "live" && !isRight.every(Boolean) ? `live, and wrong: ${task.title}` : `${task.title}: ${outcome}`,
    );
  }
  return outcomes;
}

describe("twenty tasks in words", { timeout: 1_200_000 }, () => {
  test.each([
    ["with a model", true],
    ["with a worker", false],
  ])("%s: sixteen and more are live as asked, and the others say why", async (_, hasModel) => {
    const model = await startModel({ text: "" });
    atEnd(model.close);
    const environment: Record<string, string> = hasModel
      ? { CAIRN_MODEL_URL: model.url, CAIRN_MODEL_NAME: "stand-in" }
      : {};
    const outcomes: string[] = [];
    for (const agent of new Set(WORK_TASKS.map((one) => one.agent))) {
      const service = await open(agent, environment);
      const tasks = WORK_TASKS.filter((one) => one.agent === agent);
      outcomes.push(...(await measure(service, tasks, hasModel ? throughService(model) : byWorker)));
    }
    expect(outcomes).toHaveLength(20);
    expect(outcomes.filter((one) => one.endsWith(": live")).length, outcomes.join("\n")).toBeGreaterThanOrEqual(16);
  });
});
