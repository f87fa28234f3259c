import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../../server/app/app.ts";
import { createApprovingAgent, PEOPLE, type Person } from "../helpers/approving-agent.ts";
import { runInProcess } from "../helpers/cairn.ts";
import { connectMcp } from "../helpers/mcp-client.ts";
import { type ModernRequest, sendModern, toToolCall } from "../helpers/modern-mcp.ts";
import { openServiceFor } from "../helpers/open-service.ts";
import { createShared } from "../helpers/temporary.ts";

const shared = createShared();
let service: Service;
beforeAll(async () => {
  const more = { "manifests/policies/parts.yaml": "roles: { approver: [tool:approval_write, tool:task_status] }\n" };
  const repository = await createApprovingAgent(shared.atEnd, more);
  // Whoever sends no `Authorization` may do everything.
  service = await openServiceFor(repository.path, { ...PEOPLE, "": PEOPLE.operator }, shared.atEnd);
}, 60_000);
afterAll(shared.undoAll);

const toUrl = (role: string) => `${service.url}/agent/1.0.0/work?role=${role}`;

async function send(who: Person, role: string, request: ModernRequest) {
  const sent = await sendModern(toUrl(role), { ...request, headers: { authorization: who } });
  return { status: sent.status, text: JSON.stringify(await sent.rest()) };
}

async function listTools(who: Person, role: string): Promise<readonly string[]> {
  const { text } = await send(who, role, { method: "tools/list" });
  return (JSON.parse(text) as readonly [{ result: { tools: readonly { name: string }[] } }])[0].result.tools
    .map(({ name }) => name)
    .toSorted();
}

describe("a server whose address names a role", () => {
  test("has the tools of that role alone, for who may use more", async () => {
    expect(await listTools("tom", "approver")).toEqual(["approval_write", "task_status"]);
    expect(await listTools("operator", "approver")).toEqual(["approval_write", "task_status"]);
    expect((await listTools("operator", "clerk")).length).toBeGreaterThan(4);
    const client = await connectMcp(toUrl("approver"), { authorization: "tom" });
    expect((await client.listTools()).tools.map(({ name }) => name).toSorted()).toEqual([
      "approval_write",
      "task_status",
    ]);
  });

  test("refuses the others", async () => {
    const { text } = await send("tom", "approver", toToolCall("task_list", {}));
    expect(text).toContain("`task_list` requires `tool:task_list`, which `tom` does not hold.");
  });

  test("gives nobody more than their own roles grant", async () => {
    expect(await listTools("bare", "clerk")).toEqual([]);
  });

  test("does not give who may do everything the role by its name", async () => {
    const asked = await fetch(`${service.url}/agent/1.0.0/api/tools/bank.transfer`, {
      method: "POST",
      headers: { authorization: "ann", "content-type": "application/json" },
      body: JSON.stringify({ amount: 2000 }),
    });
    const { details } = (await asked.json()) as { details: { task_id: string; run_id: string } };
    const { task_id, run_id } = details;
    const decision = toToolCall("approval_write", { task_id, run_id, approver: "op", reason: "Due." });
    for (const role of ["treasurer", "clerk"]) {
      const { text } = await send("operator", role, decision);
      expect(text).toContain("FORBIDDEN");
    }
  });

  test.each([
    ["nobody", 404, "has no role `nobody`"],
    ["*", 400, "must be the name of a role"],
    ["clerk&role=approver", 400, "must be the name of a role"],
  ])("is no server with the role `%s`", async (role, status, message) => {
    const answered = await send("tom", role, { method: "tools/list" });
    expect([answered.status, answered.text]).toEqual([status, expect.stringContaining(message)]);
  });

  test("is what `cairn connect --role` writes, for clients of HTTP and of `cairn stdio`", async () => {
    const args = ["connect", "1.0.0", "work", "--role", "approver", "--url", service.url, "--client", "cursor"];
    const environment = { CAIRN_URL: service.url };
    const http = await runInProcess(args, { environment });
    expect([http.code, http.stdout]).toEqual([0, expect.stringContaining("/work?role=approver")]);
    expect(http.stdout).toContain("bank-work-approver");
    const unknown = await runInProcess(args.with(4, "nobody"), { environment });
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("has no role `nobody`")]);
    const stdio = await runInProcess([...args, "--stdio"], { environment });
    expect(stdio.stdout.replaceAll(/\s+/g, "")).toContain('"--role","approver"');
  });
});
