import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningCairn, runInProcess, startCairn } from "../helpers/cairn.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { createWorkAgent } from "../helpers/work-agent.ts";
import { startWorker } from "../helpers/worker-process.ts";

const { atEnd, undoAll } = createShared();
let cairn: RunningCairn;
let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder(atEnd);
  await writeFile(join(folder, "objective.md"), "Reach it.\n");
  cairn = await startCairn(["serve", await createWorkAgent({ atEnd })], { CAIRN_DATA: join(folder, "data") }, atEnd);
});
afterAll(undoAll);

async function run(...args: string[]) {
  const { code, stdout, stderr } = await runInProcess(args, { cwd: folder, environment: { CAIRN_URL: cairn.url } });
  return { code, out: stdout.trimEnd(), err: stderr.trimEnd() };
}

async function create(workflow: string, title = `Do ${workflow}`): Promise<string> {
  const options = ["--title", title, "--objective-file", "objective.md", "--workflow", workflow];
  const { code, out, err } = await run("work", "create", ...options);
  expect([code, err]).toEqual([0, ""]);
  return out;
}

async function status(task: string) {
  const { out } = await run("work", "status", task, "--json");
  return JSON.parse(out) as { status: string; run: { run_id: string; status: string }; result_summary: string };
}

const once = (...args: string[]) => run("worker", "--once", "--id", "w1", ...args);

describe("cairn worker and cairn work", { timeout: 60_000 }, () => {
  test("[W8] a task is created, done and shown", async () => {
    const task = await create("noted", "Say \u001b[31mred\u001b[0m");
    expect(await status(task)).toMatchObject({ status: "pending", run: null, objective: "Reach it.\n" });
    const done = await once("--workflow", "noted");
    expect(done.code).toBe(0);
    expect(done.err.split("\n").map((line) => line.replace(/^\S+ /, ""))).toEqual([
      `worker w1 takes tasks of ${cairn.url}`,
      expect.stringMatching(new RegExp(`^claimed task ${task} run \\S+: Say \\\\u001b\\[31mred\\\\u001b\\[0m$`)),
      expect.stringMatching(/^progress task .*: noted: Noted\.$/),
      expect.stringMatching(/^completed task .*: noted: Noted\.$/),
    ]);
    const { run: held } = await status(task);
    const shown = await run("work", "status", task);
    expect(shown.out.split("\n")).toEqual([
      `task      ${task}`,
      "title     Say \\u001b[31mred\\u001b[0m",
      "status    completed",
      "priority  medium",
      "workflow  noted",
      "attempts  1",
      "result    noted: Noted.",
      `run       ${held.run_id} (completed)`,
      "worker    w1",
      "step      noted: completed, Noted.",
      expect.stringMatching(/^evidence {2}notes\.md \(\d+ bytes\)$/),
    ]);
    const watched = await run("work", "watch", held.run_id);
    expect([watched.code, watched.out.split("\n").map((line) => line.replace(/^\S+ /, ""))]).toEqual([
      0,
      [
        expect.stringMatching(/^run\.began /),
        "step.began step=noted tool=step_noted",
        expect.stringMatching(/^evidence\.written .*name=notes\.md/),
        "step.completed message=Noted. step=noted",
        expect.stringMatching(/^run\.completed .*worker_id=w1/),
        `${held.run_id} is completed.`,
      ],
    ]);
    expect((await run("work", "artifact", task, held.run_id, "notes.md")).out).toBe(`Done by ${task}.`);
    const missing = await run("work", "artifact", task, held.run_id, "plan.json");
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining("has no `plan.json`; it has `notes.md`.")]);
  });

  test("a worker without an executor leaves tasks without steps to others", async () => {
    const task = await create("plain");
    const idle = await once();
    expect([idle.code, idle.err]).toEqual([0, expect.stringContaining("idle: There is nothing to do.")]);
    expect(await status(task)).toMatchObject({ status: "pending", attempts: 0 });
    expect(await run("work", "cancel", task, "--reason", "no need")).toMatchObject({
      code: 0,
      out: `Task ${task} is cancelled.`,
    });
  });

  test("watch tells of a run while it goes on, and ends with 1 when it fails", async () => {
    const task = await create("failing");
    expect((await once("--workflow", "failing")).code).toBe(1);
    const { run: failed, ...state } = await status(task);
    expect(state).toMatchObject({ status: "pending", result_summary: "failing: It does not work." });
    const watched = await run("work", "watch", failed.run_id);
    expect([watched.code, watched.out.split("\n").at(-1)]).toEqual([1, `Run ${failed.run_id} is failed.`]);
    await run("work", "cancel", task);

    const slow = await create("slow");
    const worker = startWorker(cairn.url, ["--workflow", "slow", "--once"]);
    await worker.said(/claimed/);
    const live = await run("work", "watch", (await status(slow)).run.run_id);
    expect([live.code, live.out]).toEqual([0, expect.stringContaining("step.completed step=slow")]);
    expect(await worker.ended).toBe(0);
  });

  test("list shows tasks, and those that stand in one way", async () => {
    const task = await create("plain", "Wait");
    const all = await run("work", "list", "--limit", "1");
    expect(all.out.split("\n")[0]).toMatch(/^TASK +STATUS +PRIORITY +WORKFLOW +TITLE$/);
    expect(all.out.split("\n")[1]).toMatch(new RegExp(`^${task} +pending +medium +plain +Wait$`));
    expect(all.err).toContain(`--after ${task}`);
    expect((await run("work", "list", "--status", "dead")).out).toBe("There are no such tasks.");
    await run("work", "cancel", task);
  });

  test("a blocked run goes on once somebody else has approved it, and ends if they reject it", async () => {
    const data = join(folder, "closed");
    const token = async (actor: string) => {
      const made = [
        "token",
        "create",
        "--tenant",
        "acme",
        "--actor",
        actor,
        "--roles",
        "all",
        "--scopes",
        "work",
        "--data",
        data,
      ];
      return (await runInProcess(made)).stdout.trim();
    };
    const [ann, bob] = [await token("ann"), await token("bob")];
    const closed = await startCairn(["serve", await createWorkAgent()], { CAIRN_DATA: data, CAIRN_AUTH: "tokens" });
    await writeFile(join(folder, "ann"), `${ann}\n`);
    const as = (environment: Record<string, string>) => async (args: readonly string[]) =>
      runInProcess(args, { cwd: folder, environment: { CAIRN_URL: closed.url, ...environment } });
    const annRuns = (...args: string[]) => as({})([...args, "--token-file", "ann"]);
    const bobRuns = (...args: string[]) => as({ CAIRN_TOKEN: bob })(args);
    const nobody = await as({})(["worker", "--once"]);
    expect([nobody.code, nobody.stderr]).toEqual([
      1,
      expect.stringContaining("wants a token; put it into CAIRN_TOKEN"),
    ]);
    for (const [decision, end] of [
      [[], "completed"],
      [["--reject"], "rejected"],
    ] as const) {
      const options = ["--title", "Ask", "--objective-file", "objective.md", "--workflow", "asking"];
      const task = (await annRuns("work", "create", ...options)).stdout.trim();
      const blocked = await annRuns("worker", "--once");
      expect([blocked.code, blocked.stderr]).toEqual([0, expect.stringContaining("blocked task")]);
      const { run: waiting } = JSON.parse((await annRuns("work", "status", task, "--json")).stdout);
      const own = await annRuns("work", "approve", task, waiting.run_id, "--reason", "Mine.", "--approver", "ann");
      expect([own.code, own.stderr]).toEqual([1, expect.stringContaining("somebody else must approve it")]);
      const said = await bobRuns("work", "approve", task, waiting.run_id, "--reason", "Seen.", ...decision);
      expect(said.stdout).toBe(`Run ${waiting.run_id} is ${end === "completed" ? "approved" : end}.\n`);
      expect((await annRuns("worker", "--once")).code).toBe(0);
      const { status: ended, run: resumed } = JSON.parse((await annRuns("work", "status", task, "--json")).stdout);
      expect([ended, resumed.run_id]).toEqual([end, waiting.run_id]);
    }
  });

  test("SIGTERM lets a worker finish its task; a second one ends it at once", async () => {
    const first = await create("slow");
    const patient = startWorker(cairn.url, ["--workflow", "slow"]);
    await patient.said("claimed");
    patient.child.kill("SIGTERM");
    expect(await patient.ended).toBe(0);
    expect(patient.output()).toMatch(/stopping: .*\n.*progress .*\n.*completed /);
    expect((await status(first)).status).toBe("completed");

    const second = await create("slow");
    const hasty = startWorker(cairn.url, ["--workflow", "slow"]);
    await hasty.said("claimed");
    hasty.child.kill("SIGTERM");
    await hasty.said("stopping");
    hasty.child.kill("SIGTERM");
    expect(await hasty.ended).toBe(130);
    expect((await status(second)).status).toBe("running");
    await run("work", "cancel", second);
  });

  test("what is wrong with the command line is told before anything is done", async () => {
    for (const [args, message] of [
      [["worker", "--token", "secret"], "has no option `--token`; a token comes in CAIRN_TOKEN or by `--token-file`"],
      [["worker", "--poll", "soon"], "`--poll` is a number from 0.01 to 3600, not `soon`."],
      [["worker", "--concurrency", "1.5"], "`--concurrency` is a whole number from 1 to 1000"],
      [["worker", "--url", cairn.url, "--server", "http://127.0.0.1:1"], "name different services"],
      [
        ["work", "create", "--title", "x", "--objective-file", "missing"],
        "`missing` of `--objective-file` cannot be read",
      ],
      [["work", "approve", "a", "b", "--reason", "x"], "Nobody is named who decides"],
      [
        ["work"],
        "is followed by one of create, list, status, watch, answer, cancel, waiting, approve, report, artifact.",
      ],
    ] as const) {
      const { code, err } = await run(...args);
      expect([args.join(" "), code, err]).toEqual([args.join(" "), 2, expect.stringContaining(message)]);
    }
    const away = await run("worker", "--once", "--server", "http://127.0.0.1:1");
    expect([away.code, away.err]).toEqual([3, expect.stringContaining("found no service")]);
    const unknown = await run("work", "watch", "00000000-0000-7000-8000-000000000000");
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("There is no run")]);
  });
});
