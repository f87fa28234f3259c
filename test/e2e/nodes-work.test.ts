import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { join } from "node:path";
import { runInProcess, startCairn } from "../helpers/cairn.ts";
import { createCheckoutRepository } from "../helpers/checkout-repository.ts";
import { type Nodes, startNodes } from "../helpers/nodes.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { hasPostgres } from "../stand-ins/postgres.ts";

const PATCH = [
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

type Body = Readonly<Record<string, unknown>>;

const shared = createShared();
let cairn: Nodes & { readonly token: string };

describe.runIf(hasPostgres("work on several nodes"))("of two nodes", () => {
  beforeAll(async () => {
    const { repository } = await createCheckoutRepository(await temporaryFolder(shared.atEnd));
    cairn = await startNodes(repository.path, {}, shared.atEnd);
  }, 120_000);
  afterAll(shared.undoAll);

  async function send(url: string, body?: object): Promise<{ readonly status: number; readonly body: Body }> {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${cairn.token}`, "content-type": "application/json", prefer: "respond-async" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Body };
  }
  const post = (base: string, tool: string, input: object) => send(`${base}/agent/0.1.0/api/tools/${tool}`, input);
  const output = async (base: string, tool: string, input: object): Promise<Body> => {
    const { status, body } = await post(base, tool, input);
    expect([status, body]).toEqual([200, expect.anything()]);
    return body;
  };
  const begin = async () => {
    const task = { title: "Note", objective: PATCH, workflow: "change" };
    const { task_id } = await output(cairn.url, "task_create", task);
    const { run_id } = await output(cairn.url, "task_claim", { worker_id: "w1" });
    return { task_id, run_id };
  };
  const advance = async (base: string, run_id: unknown) => {
    for (;;) {
      const { state } = await output(base, "run_advance", { run_id });
      if (state !== "step") return state;
    }
  };

  test("each reaches the workspace of a run, which is on one of them", async () => {
    const { task_id, run_id } = await begin();
    expect(await advance(cairn.url, run_id)).toBe("done");
    for (const { url } of cairn.nodes) {
      const read = { run_id, path: "docs/note.md" };
      expect(await output(url, "fs_read", read)).toMatchObject({ content: "Hello.\n" });
      expect(await output(url, "git_diff", { run_id })).toMatchObject({ diff: expect.stringContaining("+Hello.") });
      expect(await post(url, "fs_read", { run_id, path: "none" })).toMatchObject({ status: 404 });
    }
    const done = { task_id, run_id, status: "completed", result_summary: "Done.", worker_id: "w1" };
    await output(cairn.url, "task_complete", done);
  });

  test("each makes a backup of the database, which one machine serves without it", async () => {
    const { task_id } = await output(cairn.url, "task_create", { title: "Kept", objective: PATCH });
    const folder = await temporaryFolder();
    const [environment = {}] = cairn.places;
    const { CAIRN_NODE_ADDRESS: _, ...place } = environment;
    const backup = join(folder, "backup");
    const alone = { ...place, CAIRN_STORE: "lmdb", CAIRN_DATA: join(folder, "data"), PORT: "0" };
    const made = await runInProcess(["backup", backup], { environment });
    expect([made.code, made.stderr]).toEqual([0, expect.not.stringContaining("damaged")]);
    expect(await runInProcess(["restore", backup], { environment: alone })).toMatchObject({ code: 0 });
    const exported = join(folder, "audit");
    const key = await runInProcess(["audit", "key"], { environment: alone });
    await runInProcess(["audit", "export", exported, "--tenant", "acme"], { environment: alone });
    const verified = await runInProcess(["audit", "verify", exported, "--key", key.stdout.trim()], {
      environment: alone,
    });
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringMatching(/^acme: ok, \d+ entries/)]);
    const { url } = await startCairn(["serve"], alone);
    expect(await output(url, "task_claim", { worker_id: "w2" })).toMatchObject({ task_id });
    await output(cairn.url, "task_cancel", { task_id });
  });

  test("the other goes on with feedback and work when one is killed", { timeout: 180_000 }, async () => {
    const [first, second] = cairn.nodes;
    const { run_id } = await begin();
    await output(first.url, "fs_list", { run_id });
    // So that the first node takes the feedback up.
    process.kill(second.pid, "SIGSTOP");
    const message = 'Set the description of runner.chat to "Chats."';
    const sent = await send(`${first.url}/agent/0.1.0/architect/chat`, { message, dry_run: true });
    expect(sent).toMatchObject({ status: 202, body: { status: "running" } });
    await first.stop("SIGKILL");
    process.kill(second.pid, "SIGCONT");

    // Until the first node is struck off, nobody knows that its workspace is lost.
    const patch = { run_id, patch: "--- a/README.md\n+++ b/README.md\n" };
    await waitFor(async () => expect(await post(second.url, "fs_list", { run_id })).toMatchObject({ status: 409 }));
    expect(await post(second.url, "fs_apply_patch", patch)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("is lost with the node that had it") },
    });
    const again = await output(second.url, "task_claim", { worker_id: "w1" });
    expect(again["run_id"]).not.toBe(run_id);
    expect(await advance(second.url, again["run_id"])).toBe("done");

    const id = String(sent.body["id"]);
    const find = () => send(`${second.url}/agent/0.1.0/architect/feedback/${id}`);
    await waitFor(async () => expect((await find()).body).toMatchObject({ status: "ended" }));
    expect((await find()).body["answer"]).toMatchObject({ notes: expect.stringContaining("Chats.") });
  });
});

/** Waits for what takes a lease to run out. */
async function waitFor(check: () => Promise<unknown>): Promise<void> {
  await expect.poll(() => check().then(() => true, String), { timeout: 80_000, interval: 500 }).toBe(true);
}
