import { userInfo } from "node:os";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Service } from "../../server/app/app.ts";
import { createApprovingAgent } from "../helpers/approving-agent.ts";
import { runInProcess } from "../helpers/cairn.ts";
import { openTestService } from "../helpers/open-service.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const shared = createShared();
let service: Service;
let data: string;
beforeAll(async () => {
  const repository = await createApprovingAgent(shared.atEnd);
  data = await temporaryFolder(shared.atEnd);
  const { PATH, HOME } = process.env;
  const environment = { PATH, HOME, PORT: "0", CAIRN_REPO: repository.path, CAIRN_DATA: data };
  service = await openTestService(environment, repository.path, { atEnd: shared.atEnd });
}, 60_000);
afterAll(shared.undoAll);

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown> & { readonly details?: Handle };
}

interface Handle {
  readonly task_id: string;
  readonly run_id: string;
  readonly outcome: string;
}

async function call(tool: string, input: object, person?: string): Promise<Answer> {
  const response = await fetch(`${service.url}/agent/1.0.0/api/tools/${tool}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(person === undefined ? {} : { "cairn-person": person }) },
    body: JSON.stringify(input),
  });
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}

async function ask(amount: number, person?: string): Promise<Handle> {
  const { status, body } = await call("bank.transfer", { amount }, person);
  expect(status).toBe(202);
  return body.details as Handle;
}

const work = (...args: readonly string[]) => runInProcess(["work", ...args, "--data", data]);

async function outcomeOf({ outcome }: Handle): Promise<unknown> {
  return (await fetch(service.url + outcome)).json();
}

describe("where callers need no token, a call that waits", () => {
  test("is approved on the machine of the service, in the name of its user, and that is audited", async () => {
    const handle = await ask(2000);
    const listed = await work("waiting", "--json");
    expect(JSON.parse(listed.stdout)).toMatchObject(
      [{ ...handle, outcome: undefined, workflow: "@approval", created_by: "anonymous" }].map(
        ({ task_id, run_id, workflow, created_by }) => ({ task_id, run_id, workflow, created_by }),
      ),
    );
    const done = await work("approve", handle.task_id, "--reason", "It is due.");
    expect([done.code, done.stdout]).toEqual([0, `Run ${handle.run_id} is approved.\n`]);
    await vi.waitFor(
      async () =>
        expect(await outcomeOf(handle)).toMatchObject({ status: "completed", outcome: { output: { balance: 2000 } } }),
      { timeout: 20_000, interval: 50 },
    );
    const { username } = userInfo();
    const found = await runInProcess(["audit", "query", "--tenant", "local", "--data", data, "--kind", "change"]);
    expect(found.stdout).toMatch(/"change":\s*"work.approved"/);
    expect(found.stdout).toMatch(new RegExp(`"actor":\\s*"${username}"`));
  });

  test("says at once that no caller could approve it, to who called and to who lists what waits", async () => {
    const { body } = await call("bank.transfer", { amount: 1999 });
    const { task_id, warnings } = body.details as Handle & { readonly warnings: readonly string[] };
    const warning = `Nobody who calls this service could approve it: callers here have no tokens, so their names prove nothing. On the machine of the service, \`cairn work approve ${task_id}\` decides.`;
    expect(warnings).toEqual([warning]);
    expect(body["detail"]).toContain(warning);
    const again = await call("bank.transfer", { amount: 1999 });
    expect(again.body.details).toMatchObject({ task_id, warnings });
    expect((await work("waiting")).stdout).toContain(`${task_id}: ${warning}`);
    expect((await work("approve", task_id, "--reject", "--reason", "Not due.")).code).toBe(0);
  });

  test("is rejected there as well, by its run", async () => {
    const handle = await ask(2001);
    const done = await work("approve", handle.run_id, "--reject", "--reason", "Not due.");
    expect(done.stdout).toBe(`Run ${handle.run_id} is rejected.\n`);
    const told = await call("bank.transfer", { amount: 2001 });
    expect([told.status, told.body["detail"]]).toEqual([403, "This call of `bank.transfer` was rejected: Not due."]);
  });

  test("is not approved by a caller under another name, and the refusal says who can", async () => {
    const { task_id, run_id } = await ask(2002, "ann");
    const decided = await call("approval_write", { task_id, run_id, approver: "tom", reason: "Due." }, "tom");
    expect([decided.status, decided.body["detail"]]).toEqual([403, expect.stringContaining("`cairn work approve`")]);
  });

  test("is not approved there by the user who made it", async () => {
    const { task_id } = await ask(2003, userInfo().username);
    const done = await work("approve", task_id, "--reason", "Mine.");
    expect([done.code, done.stderr]).toEqual([1, expect.stringContaining("somebody else must decide about it")]);
  });

  test("is named as missing when it does not wait", async () => {
    const done = await work("approve", "none", "--reason", "Due.");
    expect([done.code, done.stderr]).toEqual([1, expect.stringContaining("`cairn work waiting` lists what does")]);
  });
});
