import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type RunningCairn, runCairn, startCairn } from "../helpers/cairn.ts";
import { openRepository, type TestRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { createWorkAgent } from "../helpers/work-agent.ts";

const { atEnd, undoAll } = createShared();
let cairn: RunningCairn;
let folder: string;
/** Bare, so that feedback can change it. */
let repository: TestRepository;

beforeAll(async () => {
  folder = await temporaryFolder(atEnd);
  await writeFile(join(folder, "objective.md"), "Say hello.\n");
  const change = await readFile("manifests/workflows/change.yaml", "utf8");
  const agent = await createWorkAgent({ atEnd, files: { "manifests/workflows/change.yaml": change } });
  const path = join(folder, "origin.git");
  await openRepository(agent).git("clone", "--quiet", "--bare", ".", path);
  repository = openRepository(path);
  cairn = await startCairn(["serve", path], { CAIRN_DATA: join(folder, "data") }, atEnd);
});
afterAll(undoAll);

const run = (...args: string[]) => runCairn(args, { cwd: folder, environment: { CAIRN_URL: cairn.url } });

/** Has a command do a task of the workflow `change`. */
async function work(command: string) {
  const options = ["--title", "Greet", "--objective-file", "objective.md", "--workflow", "change"];
  const task = (await run("work", "create", ...options)).stdout.trim();
  const worker = await run("worker", "--once", "--id", "w1", "--exec", command);
  const status = JSON.parse((await run("work", "status", task, "--json")).stdout) as {
    readonly status: string;
    readonly result_summary: string;
    readonly run: { readonly run_id: string };
  };
  const read = async (name: string) => (await run("work", "artifact", task, status.run.run_id, name)).stdout;
  await run("work", "cancel", task);
  return { worker, status, read };
}

describe("cairn worker with a coding agent", { timeout: 120_000 }, () => {
  test("commits what the agent has made, once the steps have verified it", async () => {
    const { worker, status, read } = await work('grep -q "Say hello" && echo "Hello!" > HELLO.md && chmod +x HELLO.md');
    expect([worker.code, worker.stderr]).toEqual([0, expect.stringMatching(/completed task .*: gate: Committed as /)]);
    expect(status).toMatchObject({ status: "completed", result_summary: expect.stringContaining("Committed as") });
    const patch = await read("patch.diff");
    expect(patch).toContain("diff --git a/HELLO.md b/HELLO.md\nnew file mode 100755");
    expect(patch).toContain("+Hello!");
    expect(JSON.parse(await read("plan.json"))).toMatchObject({ files: ["HELLO.md"] });
  });

  test("hands what verification finds back to the agent, and takes what it mends", async () => {
    const { worker, status, read } = await work(
      'if grep -q "not-a-number" "$CAIRN_PROMPT_FILE"; then sed -i s/not-a-number/1.0.0/ versions.yaml; echo Hi > HI.md; else sed -i "s/current: 1.0.0/current: not-a-number/" versions.yaml; fi',
    );
    expect(worker.stderr).toMatch(/progress task .*: round 1 of 3: verify: .*not-a-number/);
    expect([worker.code, status.status]).toEqual([0, "completed"]);
    expect(await read("patch.diff")).toContain("b/HI.md");
    expect(await read("patch.diff")).not.toContain("b/versions.yaml");
  });

  test("waits for an approval where the agent has touched a protected path", async () => {
    const { worker, status } = await work("echo 'roles: { more: [\"tool:*\"] }' > manifests/policies/more.yaml");
    expect(worker.stderr).toMatch(/blocked task .*waits for approval_write/);
    expect(status.status).toBe("blocked");
  });

  test("[A5] does what no planner has understood of feedback, which is verified and lands", async () => {
    const message = "Rewrite the title of task_create so that it sounds like a pirate with too much coffee";
    const command = 'sed -i "s/^title: .*/title: Arr, another task/" manifests/work/task_create.yaml';
    const worker = () => run("worker", "--once", "--id", "w1", "--exec", command);
    expect((await worker()).stderr).toContain("idle");
    const answer = run("feedback", message);
    await vi.waitFor(async () => {
      expect((await run("work", "list", "--status", "pending")).stdout).toMatch(/ change +Rewrite the title/);
    }, 30_000);
    expect(await worker()).toMatchObject({ code: 0, stderr: expect.stringContaining("completed task") });
    expect(await answer).toMatchObject({ code: 0, stdout: expect.stringContaining("committed") });
    const manifest = await repository.git("show", "main:manifests/work/task_create.yaml");
    expect(manifest).toContain("title: Arr, another task");
  });
});
