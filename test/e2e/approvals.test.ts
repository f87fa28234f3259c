import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Service } from "../../server/app/app.ts";
import { AUDIT, createApprovingAgent, PEOPLE, type Person } from "../helpers/approving-agent.ts";
import { connectMcp } from "../helpers/mcp-client.ts";
import { askModern, toToolCall } from "../helpers/modern-mcp.ts";
import { openServiceFor } from "../helpers/open-service.ts";
import type { TestRepository } from "../helpers/repository.ts";
import { expectSchema } from "../helpers/schemas.ts";
import { createShared } from "../helpers/temporary.ts";

const shared = createShared();
let service: Service;
let repository: TestRepository;
beforeAll(async () => {
  repository = await createApprovingAgent(shared.atEnd, AUDIT);
  service = await openServiceFor(repository.path, PEOPLE, shared.atEnd);
}, 60_000);
afterAll(shared.undoAll);

interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly body: Record<string, unknown> & { readonly details?: Handle };
}

interface Handle {
  readonly task_id: string;
  readonly run_id: string;
  readonly by: string;
  readonly digest: string;
  readonly outcome: string;
  readonly decided_with: string;
}

interface Waits {
  readonly content: readonly [{ readonly text: string }];
  readonly _meta: { readonly "cairn/approval": Handle };
}

async function call(who: Person, tool: string, input: object, key?: string): Promise<Answer> {
  const response = await fetch(`${service.url}/agent/1.0.0/api/tools/${tool}`, {
    method: "POST",
    headers: {
      authorization: who,
      "content-type": "application/json",
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: JSON.stringify(input),
  });
  const body = (await response.json()) as Answer["body"];
  return { status: response.status, location: response.headers.get("location"), body };
}

async function ask(input: object, key?: string, who: Person = "ann", tool = "bank.transfer"): Promise<Handle> {
  const { status, body } = await call(who, tool, input, key);
  expect([status, body["name"]]).toEqual([202, "APPROVAL_REQUIRED"]);
  return body.details as Handle;
}

function decide(who: Person, { task_id, run_id }: Handle, decision = "approved"): Promise<Answer> {
  return call(who, "approval_write", { task_id, run_id, approver: who, reason: "It is due.", decision });
}

async function read(who: Person, { outcome }: Handle): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(service.url + outcome, { headers: { authorization: who } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function list(who: Person): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${service.url}/agent/1.0.0/api/approvals`, { headers: { authorization: who } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function listWaiting(who: Person): Promise<unknown> {
  const { status, body } = await list(who);
  expectSchema("approvals", body);
  expect([status, body["decider"]]).toEqual([200, "approval_write"]);
  return body["waiting"];
}

/** Waits until a call that was approved has ended. */
async function settle(handle: Handle, status: string): Promise<Record<string, unknown>> {
  return vi.waitFor(
    async () => {
      const { body } = await read("ann", handle);
      expect(body["status"]).toBe(status);
      return body;
    },
    { timeout: 20_000, interval: 50 },
  );
}

let nextAmount = 2000;
/** No other call of this file has it, so none is taken for another. */
const freshAmount = () => (nextAmount += 1);

async function balance(): Promise<number> {
  return (await call("tim", "bank.transfer", { amount: 0 })).body["balance"] as number;
}

describe("a call that a second person must approve", () => {
  test("waits with a handle, runs once when somebody else has approved it, and tells its caller", async () => {
    const before = await balance();
    const amount = freshAmount();
    const answer = await call("ann", "bank.transfer", { amount });
    const handle = answer.body.details as Handle;
    expect(answer.status).toBe(202);
    expect(answer.location).toBe(handle.outcome);
    expect(handle).toMatchObject({ by: "treasurer", decided_with: "approval_write" });
    expect((await read("ann", handle)).body).toMatchObject({ status: "waiting", tool: "bank.transfer" });
    // The same call again asks for its outcome.
    expect((await ask({ amount })).task_id).toBe(handle.task_id);
    expect(await balance()).toBe(before);

    expect(await listWaiting("tom")).toEqual([
      {
        task_id: handle.task_id,
        run_id: handle.run_id,
        title: expect.stringContaining("bank.transfer"),
        workflow: "@approval",
        created_by: "ann",
        since: expect.stringMatching(/^\d{4}-.*Z$/),
        reason: expect.stringContaining("treasurer"),
        warnings: [],
        may_read: true,
      },
    ]);
    // The role that reads all tasks does not decide about the call, so its input is not for it.
    expect(await listWaiting("operator")).toMatchObject([{ task_id: handle.task_id, may_read: false }]);
    expect(await listWaiting("stranger")).toEqual([]);
    expect(await list("bare")).toMatchObject({ status: 403 });

    expect((await decide("tom", handle)).status).toBe(200);
    expect(await listWaiting("tom")).toEqual([]);
    const done = await settle(handle, "completed");
    expect(done["outcome"]).toMatchObject({ output: { balance: before + amount } });
    expect(await balance()).toBe(before + amount);

    const again = await call("ann", "bank.transfer", { amount });
    expect([again.status, again.body["balance"]]).toEqual([200, before + amount]);
    expect(await balance()).toBe(before + amount);
    // Its outcome was fetched: now it is a new call.
    expect((await ask({ amount })).task_id).not.toBe(handle.task_id);
  });

  test("does not wait where the input does not ask for it", async () => {
    expect((await call("ann", "bank.transfer", { amount: 1000 })).status).toBe(200);
  });

  test("shows who decides the whole call, and its digest is of that", async () => {
    const amount = freshAmount();
    const { task_id, run_id, digest } = await ask({ amount });
    const shown = await call("tom", "artifact_read", { task_id, run_id, artifact_name: "call.json" });
    const content = shown.body["content"] as Record<string, unknown>;
    expect(content).toMatchObject({ caller: "ann", tool: "bank.transfer", input: { amount, to: "bob" } });
    const status = await call("tom", "task_status", { task_id });
    expect(status.body).toMatchObject({ status: "blocked", workflow: "@approval" });
    expect(JSON.stringify(status.body)).toContain(digest);
  });

  test("shows its input to its caller and to who decides, and its outcome to its caller alone", async () => {
    const handle = await ask({ amount: freshAmount() });
    await decide("tom", handle);
    await settle(handle, "completed");
    const { task_id, run_id } = handle;
    const readers = async (artifact_name: string) => {
      const people = ["ann", "tom", "operator", "stranger"] as const;
      const answers = people.map((who) => call(who, "artifact_read", { task_id, run_id, artifact_name }));
      return (await Promise.all(answers)).map(({ status, body }) => status === 200 && body["raw"] !== undefined);
    };
    expect(await readers("call.json")).toEqual([true, true, false, false]);
    expect(await readers("outcome.json")).toEqual([true, false, false, false]);
    expect(await readers("approval.json")).toEqual([true, true, true, true]);
  });

  const refused: readonly (readonly [string, Person, number])[] = [
    ["its caller", "ann", 403],
    ["its caller with credentials that have the role", "annTreasurer", 403],
    ["its caller under a name that differs in case", "annLoud", 403],
    ["who may do everything, and does not have the role by its name", "operator", 403],
    ["who has no token, and gives its name itself", "nameless", 403],
    ["who has the role, and may not use the tool", "bare", 403],
    ["who has the role in another tenant, whose workers serve all", "stranger", 403],
  ];
  test.each(refused)("is approved or rejected by nobody like %s", async (_who, person, status) => {
    const handle = await ask({ amount: freshAmount() });
    for (const decision of ["approved", "rejected"]) {
      expect((await decide(person, handle, decision)).status).toBe(status);
    }
    expect((await read("ann", handle)).body["status"]).toBe("waiting");
  });

  test("is read by its caller and by who decides, and by nobody else", async () => {
    const handle = await ask({ amount: freshAmount() });
    const seen = await Promise.all(
      (["ann", "tom", "operator", "stranger"] as const).map(async (who) => (await read(who, handle)).status),
    );
    expect(seen).toEqual([200, 200, 404, 404]);
  });

  test("runs once when two approve it at once", async () => {
    const before = await balance();
    const amount = freshAmount();
    const handle = await ask({ amount });
    const decided = await Promise.all([decide("tom", handle), decide("tim", handle)]);
    expect(decided.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await settle(handle, "completed");
    expect(await balance()).toBe(before + amount);
  });

  test("never runs once it is rejected, and says so with the reason", async () => {
    const before = await balance();
    const amount = freshAmount();
    const handle = await ask({ amount });
    expect((await decide("tom", handle, "rejected")).status).toBe(200);
    const told = await call("ann", "bank.transfer", { amount });
    expect([told.status, told.body["detail"]]).toEqual([403, "This call of `bank.transfer` was rejected: It is due."]);
    expect((await decide("tim", handle)).status).toBe(409);
    expect(await balance()).toBe(before);
  });

  test("is cancelled by its caller before it runs", async () => {
    const handle = await ask({ amount: freshAmount() });
    const cancelled = await call("ann", "task_cancel", { task_id: handle.task_id, reason: "Not needed." });
    expect(cancelled.status).toBe(200);
    expect((await decide("tom", handle)).status).toBe(409);
    expect((await read("ann", handle)).body["status"]).toBe("cancelled");
  });

  test("takes no evidence from its caller, who would speak for the service", async () => {
    const { run_id } = await ask({ amount: freshAmount() });
    const written = await call("ann", "artifact_write", { run_id, name: "outcome.json", content: "{}" });
    expect(written.status).toBe(403);
  });

  test("answers under its idempotency key, before and after", async () => {
    const amount = freshAmount();
    const handle = await ask({ amount }, "key-1");
    expect((await ask({ amount }, "key-1")).task_id).toBe(handle.task_id);
    expect((await ask({ amount }, "key-2")).task_id).not.toBe(handle.task_id);
    await decide("tom", handle);
    await settle(handle, "completed");
    const [first, second] = [
      await call("ann", "bank.transfer", { amount }, "key-1"),
      await call("ann", "bank.transfer", { amount }, "key-1"),
    ];
    expect([first.status, first.body]).toEqual([200, second.body]);
  });

  test("is refused under a key that waits with another input, so that no person decides about both", async () => {
    const amount = freshAmount();
    const handle = await ask({ amount }, "key-3");
    const { status, body } = await call("ann", "bank.transfer", { amount: freshAmount() }, "key-3");
    expect([status, body["name"]]).toEqual([422, "UNPROCESSABLE"]);
    expect(body["detail"]).toContain("with another input, which waits for approval");
    expect((await ask({ amount }, "key-3")).task_id).toBe(handle.task_id);
  });

  test("stops a tool that makes it, which goes on when it is called again", async () => {
    const amount = freshAmount();
    const before = await balance();
    const handle = await ask({ amount }, "outer", "ann", "bank.pay");
    await decide("tom", handle);
    await settle(handle, "completed");
    const paid = await call("ann", "bank.pay", { amount }, "outer");
    expect([paid.status, paid.body]).toEqual([200, { paid: before + amount }]);
    expect(await balance()).toBe(before + amount);
  });

  test("is recorded with both names", async () => {
    const amount = freshAmount();
    const handle = await ask({ amount });
    await decide("tim", handle);
    const { outcome } = await settle(handle, "completed");
    const { conversation_id } = outcome as { conversation_id: string };
    const uri = `logs://${conversation_id}`;
    const sent = { method: "resources/read", params: { uri }, headers: { authorization: "ann" } };
    const result = await askModern(`${service.url}/agent/1.0.0/bank`, sent);
    const { text } = (result as unknown as { contents: readonly [{ text: string }] }).contents[0];
    expect((JSON.parse(text) as { calls: readonly object[] }).calls).toMatchObject([
      { actor: "ann", approval: { by: "tim", task: handle.task_id }, outcome: "ok" },
    ]);
  });
});

describe("a call that a policy and its tool both have wait", () => {
  test("runs once both roles have approved it, and is recorded with all names", async () => {
    const amount = freshAmount();
    const answer = await call("ann", "bank.transfer", { amount, to: "abroad" });
    const handle = answer.body.details as Handle;
    expect(handle).toMatchObject({ by: "auditor", also: ["treasurer"] });
    expect(answer.body["detail"]).toContain("waits for the approval of a `auditor` and a `treasurer` other than `ann`");
    expect((await decide("ada", handle)).status).toBe(200);
    expect((await read("tom", handle)).body).toMatchObject({ status: "waiting", waits_for: ["treasurer"] });
    expect((await decide("tom", handle)).status).toBe(200);
    await settle(handle, "completed");
    const sent = { task_id: handle.task_id, run_id: handle.run_id, artifact_name: "outcome.json" };
    const outcome = await call("ann", "artifact_read", sent);
    expect(outcome.body["content"]).toMatchObject({ status: "completed", approved_by: "ada, tom" });
  });

  test("is listed with both conditions", async () => {
    const listed = await askModern(`${service.url}/agent/1.0.0/bank`, {
      method: "tools/list",
      headers: { authorization: "ann" },
    });
    const { tools } = listed as unknown as { tools: readonly { name: string; _meta: Record<string, unknown> }[] };
    expect(tools.find(({ name }) => name === "bank.transfer")?._meta["cairn/approval"]).toMatchObject([
      { by: "treasurer", expiresSeconds: 3600 },
      { by: "auditor", expiresSeconds: 1800 },
    ]);
    expect(tools.find(({ name }) => name === "bank.pay")?._meta["cairn/approval"]).toBeUndefined();
  });
});

describe("clients of MCP", () => {
  test("without sessions get the handle with the answer, and the outcome by the same call", async () => {
    const amount = freshAmount();
    const url = `${service.url}/agent/1.0.0/bank`;
    const request = { ...toToolCall("bank.transfer", { amount }), headers: { authorization: "ann" } };
    const waits = (await askModern(url, request)) as unknown as Waits;
    const handle = waits._meta["cairn/approval"];
    expect(waits).toMatchObject({ isError: true });
    expect(waits.content[0].text).toContain("waits for the approval of a `treasurer` other than `ann`");
    await decide("tom", handle);
    await settle(handle, "completed");
    expect(await askModern(url, request)).toMatchObject({ structuredContent: { balance: expect.anything() } });
  });

  test("with sessions, too", async () => {
    const client = await connectMcp(`${service.url}/agent/1.0.0/bank`, { authorization: "ann" });
    const sent = { name: "bank.transfer", arguments: { amount: freshAmount() } };
    const waits = await client.callTool(sent);
    expect(waits.isError).toBe(true);
    const handle = waits._meta?.["cairn/approval"] as Handle;
    await decide("tom", handle);
    await settle(handle, "completed");
    expect(await client.callTool(sent)).toMatchObject({ structuredContent: { balance: expect.anything() } });
  });
});
