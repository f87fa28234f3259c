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

/** The status of a task, once it waits for nothing but a person. */
const ended = (task: string) =>
  vi.waitFor(
    async () => {
      const { status, run: latest } = JSON.parse((await run("work", "status", task, "--json")).stdout) as Status;
      const isUnderWay = status === "blocked" && latest.proposal !== undefined;
      if (isUnderWay) throw new Error(JSON.stringify(latest.proposal));
      return { status, run: latest };
    },
    { timeout: 60_000, interval: 200 },
  );

interface Status {
  readonly status: string;
  readonly run: { readonly run_id: string; readonly proposal?: { readonly state: string } };
}

/** Has a command do a task of the workflow `change`. */
async function work(command: string, cancels = true) {
  const options = ["--title", "Greet", "--objective-file", "objective.md", "--workflow", "change"];
  const task = (await run("work", "create", ...options)).stdout.trim();
  const worker = await run("worker", "--once", "--id", "w1", "--exec", command);
  const status = await ended(task);
  const read = async (name: string) => (await run("work", "artifact", task, status.run.run_id, name)).stdout;
  if (cancels) await run("work", "cancel", task);
  return { task, worker, status, read };
}

describe("cairn worker with a coding agent", { timeout: 120_000 }, () => {
  test("[A5] proposes what the agent has made, once the steps have verified it, and lands it", async () => {
    const { worker, status, read } = await work(
      'grep -q "Say hello" && mkdir -p docs && echo "Hello!" > docs/HELLO.md',
    );
    expect([worker.code, worker.stderr]).toEqual([0, expect.stringMatching(/blocked task .*: propose: Handed to /)]);
    expect(status).toMatchObject({ status: "completed", run: { proposal: { state: "landed", base: "main" } } });
    const patch = await read("patch.diff");
    expect(patch).toContain("diff --git a/docs/HELLO.md b/docs/HELLO.md");
    expect(JSON.parse(await read("plan.json"))).toMatchObject({ files: ["docs/HELLO.md"] });
    expect(await repository.git("show", "main:docs/HELLO.md")).toBe("Hello!");
  });

  test("hears in its next attempt why a change of it was refused", async () => {
    const command =
      'if grep -q "What was wrong with an earlier change" "$CAIRN_PROMPT_FILE"; then grep -q "cannot be changed" "$CAIRN_PROMPT_FILE" && mkdir -p docs && echo Hi > docs/HI.md; else echo Hi > HI.md; fi';
    const first = await work(command, false);
    expect(first.status).toMatchObject({ status: "pending", run: { proposal: { state: "refused" } } });
    const again = await run("worker", "--once", "--id", "w1", "--exec", command);
    expect(again.stderr).toMatch(/blocked task .*: propose: Handed to /);
    await ended(first.task);
    expect(await repository.git("show", "main:docs/HI.md")).toBe("Hi");
  });

  test("hands what verification finds back to the agent, and takes what it mends", async () => {
    const { worker, status, read } = await work(
      'if grep -q "not-a-number" "$CAIRN_PROMPT_FILE"; then sed -i s/not-a-number/1.0.0/ versions.yaml; mkdir -p docs; echo Hi > docs/HEY.md; else sed -i "s/current: 1.0.0/current: not-a-number/" versions.yaml; fi',
    );
    expect(worker.stderr).toMatch(/progress task .*: round 1 of 3: verify: .*not-a-number/);
    expect([worker.code, status.status]).toEqual([0, "completed"]);
    expect(await read("patch.diff")).toContain("b/docs/HEY.md");
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
