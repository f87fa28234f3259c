import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type RunningCairn, runInProcess, startCairn } from "../helpers/cairn.ts";
import { createCheckoutRepository } from "../helpers/checkout-repository.ts";
import { connectMcp } from "../helpers/mcp-client.ts";
import type { TestRepository } from "../helpers/repository.ts";
import { openRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { toDataFolders } from "../helpers/through-nodes.ts";

const OBJECTIVE = [
  "Add a note.",
  "```diff",
  "diff --git a/docs/note.md b/docs/note.md",
  "new file mode 100644",
  "--- /dev/null",
  "+++ b/docs/note.md",
  "@@ -0,0 +1 @@",
  "+Hello.",
  "```",
].join("\n");

const shared = createShared();
let repository: TestRepository;
beforeAll(async () => {
  ({ repository } = await createCheckoutRepository(await temporaryFolder(shared.atEnd)));
});
afterAll(shared.undoAll);

type Answer = Readonly<Record<string, unknown>>;

async function post(url: string, tool: string, input: object): Promise<{ status: number; body: Answer }> {
  const response = await fetch(`${url}/agent/0.1.0/api/tools/${tool}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  return { status: response.status, body: (await response.json()) as Answer };
}

async function output(url: string, tool: string, input: object): Promise<Answer> {
  const { status, body } = await post(url, tool, input);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
}

async function begin(url: string, more: object = {}) {
  const { task_id } = await output(url, "task_create", { title: "Note", objective: OBJECTIVE, ...more });
  const { run_id } = await output(url, "task_claim", { worker_id: "w1" });
  return { task_id, run_id } as { task_id: string; run_id: string };
}

describe("a run", () => {
  let cairn: RunningCairn;
  let data: string;
  beforeAll(async () => {
    data = await temporaryFolder(shared.atEnd);
    cairn = await startCairn(["serve", repository.path, "--data", data], {}, shared.atEnd);
  }, 60_000);

  const eventsOf = async (run_id: string): Promise<readonly { kind: string }[]> =>
    (await output(cairn.url, "run_events", { run_id }))["events"] as { kind: string }[];

  test(
    "goes on where it was when the service was killed, at any line of its journal, and is done once",
    { timeout: 300_000 },
    async () => {
      // A run has 25 lines; each moment is one between two of them.
      const moments = process.env["CAIRN_LONG"] ? Array.from({ length: 24 }, (_, at) => at + 1) : [2, 6, 9, 21];
      for (const moment of moments) {
        const { task_id, run_id } = await begin(cairn.url, { workflow: "change" });
        const advancing = advance(run_id).catch(() => "killed");
        await vi.waitFor(async () => expect((await eventsOf(run_id)).length).toBeGreaterThanOrEqual(moment), {
          timeout: 60_000,
          interval: 5,
        });
        await cairn.stop("SIGKILL");
        await advancing;
        cairn = await startCairn(["serve", repository.path, "--data", data], {}, shared.atEnd);
        expect(await advance(run_id)).toBe("done");
        const done = { task_id, run_id, status: "completed", result_summary: "Done.", worker_id: "w1" };
        await output(cairn.url, "task_complete", done);
        const kinds = (await eventsOf(run_id)).map(({ kind }) => kind);
        expect(kinds.filter((kind) => kind === "run.completed")).toHaveLength(1);
        expect(kinds.filter((kind) => kind === "step.completed")).toHaveLength(5);
        const mirrors = toDataFolders(data).map((one) => openRepository(join(one, "mirror.git")));
        const refs = await Promise.all(mirrors.map((one) => one.git("for-each-ref", `refs/cairn/runs/${run_id}`)));
        const [mirror, ...more] = mirrors.filter((_, at) => refs[at] !== "");
        if (mirror === undefined || more.length > 0) throw new Error("The run has one workspace.");
        const commits = await mirror.git("rev-list", `refs/cairn/runs/${run_id}`, "^refs/tags/v0.1.0");
        expect(commits.split("\n")).toHaveLength(1);
        expect(await mirror.git("show", `refs/cairn/runs/${run_id}:docs/note.md`)).toBe("Hello.");
      }

      async function advance(run_id: string): Promise<unknown> {
        for (;;) {
          const { state } = await output(cairn.url, "run_advance", { run_id });
          if (state !== "step") return state;
        }
      }
    },
  );

  test("can be followed live: each line comes as progress, before the answer", async () => {
    const { run_id } = await begin(cairn.url);
    const client = await connectMcp(`${cairn.url}/agent/0.1.0/work`);
    const told: string[] = [];
    const input = { run_id, follow: true, wait: 20_000, limit: 3 };
    const following = client.callTool({ name: "run_events", arguments: input }, undefined, {
      onprogress: ({ message }) => void told.push(String(JSON.parse(message ?? "{}").kind)),
    });
    await vi.waitFor(() => expect(told).toEqual(["run.began"]), { timeout: 10_000 });
    for (const name of ["a.md", "b.md"]) await output(cairn.url, "artifact_write", { run_id, name, content: "x" });
    const { structuredContent } = await following;
    expect(structuredContent).toMatchObject({ next: 3, status: "running" });
    expect(told).toEqual(["run.began", "evidence.written", "evidence.written"]);
  });

  test("[abuse 36] whose task another worker has by now is answered 409, and nothing of it is kept", async () => {
    const { task_id, run_id } = await begin(cairn.url);
    await output(cairn.url, "task_release", { run_id, worker_id: "w1" });
    const taken = await output(cairn.url, "task_claim", { worker_id: "w2" });
    expect(taken).toMatchObject({ task_id });
    const late = { run_id, name: "notes.md", content: "late" };
    expect(await post(cairn.url, "artifact_write", late)).toMatchObject({ status: 409, body: { name: "CONFLICT" } });
    const done = { task_id, run_id, status: "completed", result_summary: "Done.", worker_id: "w1" };
    expect(await post(cairn.url, "task_complete", done)).toMatchObject({ status: 409 });
    const read = { task_id, run_id, artifact_name: "notes.md" };
    expect((await output(cairn.url, "artifact_read", read))["error"]).toContain("has no `notes.md`");
    expect((await eventsOf(run_id)).slice(-2).map(({ kind }) => kind)).toEqual(["refused", "refused"]);
  });
});

test.each([
  ["of 10 years", 10 * 365 * 24 * 3600],
  ["of less than nothing", -1],
])("[abuse 38] a workflow with a lease %s is no workflow", async (_, seconds) => {
  const { repository: other } = await createCheckoutRepository(await temporaryFolder());
  const workflow = `name: odd\ndescription: Odd.\nleaseSeconds: ${seconds}\n`;
  await other.commit({ "manifests/workflows/odd.yaml": workflow });
  const { code, stdout } = await runInProcess(["validate", other.path]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("manifests/workflows/odd.yaml:3:")]);
});
