import { afterAll, beforeAll, expect, test } from "vitest";
import type { Service } from "../../../../../server/app/app.ts";
import type { Caller } from "../../../../../server/auth/caller.ts";
import { agentFiles } from "../../../../helpers/agent.ts";
import { openServiceFor } from "../../../../helpers/open-service.ts";
import { createRepository } from "../../../../helpers/repository.ts";
import { expectSchema } from "../../../../helpers/schemas.ts";
import { createShared, temporaryFolder } from "../../../../helpers/temporary.ts";

const toCaller = (tenant: string, actor: string, ...scopes: string[]): Caller => ({
  tenant,
  actor,
  roles: ["user"],
  scopes: new Set(scopes),
});
const CALLERS = {
  ada: toCaller("acme", "ada", "versions:read", "runner"),
  bob: toCaller("acme", "bob", "versions:read", "runner"),
  eve: toCaller("other", "eve", "versions:read", "runner"),
  /** May read versions, and call nothing. */
  vera: toCaller("acme", "vera", "versions:read"),
};
const LIMITS = `roles: { user: ["tool:runner.echo"], chief: ["tool:*"] }
limits:
  tenant: { rate: 100, concurrency: 5 }
  actor: { rate: 10, dailyCost: 50 }
  tools: { runner.echo: { rate: 3 }, runner.secret: { rate: 2 } }
`;
const shared = createShared();
let service: Service;

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  const handler = "export default () => ({});\n";
  const tools = {
    echo: { handler, manifest: "cost: { units: 7 }" },
    secret: { handler, manifest: "requiredCapabilities: [tool:runner.secret]" },
  };
  const files = { "manifests/policies/access.yaml": LIMITS };
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools, files }));
  service = await openServiceFor(repository.path, CALLERS, shared.atEnd);
});
afterAll(shared.undoAll);

async function ask(who: string, path: string, method = "GET") {
  const body = method === "GET" ? {} : { body: "{}" };
  const headers = { authorization: who, "content-type": "application/json" };
  const response = await fetch(`${service.url}/agent/1.0.0/api/${path}`, { method, headers, ...body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test("the limits of a version are told with what each caller has used of them", async () => {
  const { body: before } = await ask("ada", "limits");
  expectSchema("limits", before);
  expect(before).toMatchObject({
    version: "1.0.0",
    tenant: { rate: { allowed: 100, left: 100 }, concurrency: { allowed: 5, running: 0 } },
    actor: { rate: { allowed: 10, left: 10 }, daily_cost: { allowed: 50, spent: 0 } },
    tools: [{ name: "runner.echo", rate: { allowed: 3, left: 3 } }],
  });
  for (let call = 0; call < 3; call++) expect((await ask("ada", "tools/runner.echo", "POST")).status).toBe(200);
  expect((await ask("ada", "tools/runner.echo", "POST")).status).toBe(429);
  const used = (await ask("ada", "limits")).body;
  expect(used).toMatchObject({
    tenant: { concurrency: { running: 0 } },
    actor: { daily_cost: { allowed: 50, spent: 21 } },
    tools: [{ name: "runner.echo", rate: { allowed: 3, left: 0 } }],
  });
  expect((used["actor"] as { rate: { left: number } }).rate.left).toBeLessThan(10);
  expect((await ask("bob", "limits")).body).toMatchObject({
    actor: { rate: { left: 10 }, daily_cost: { spent: 0 } },
    tools: [{ rate: { left: 0 } }],
  });
  expect((await ask("eve", "limits")).body).toMatchObject({ tools: [{ rate: { left: 3 } }] });
});

test("the limits of tools that a caller may not use are not told", async () => {
  expect((await ask("vera", "limits")).body).toMatchObject({ tools: [] });
  expect((await ask("ada", "limits")).body["tools"]).toHaveLength(1);
});
