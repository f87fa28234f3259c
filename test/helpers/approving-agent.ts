import { readFileSync } from "node:fs";
import type { Caller } from "../../server/auth/caller.ts";
import { createRepository, type TestRepository } from "./repository.ts";
import { type AtEnd, temporaryFolder } from "./temporary.ts";

const caller = (tenant: string, actor: string, ...roles: string[]): Caller => ({
  tenant,
  actor,
  roles,
  scopes: new Set(["*"]),
});

/** By what they send as `Authorization`. */
export const PEOPLE = {
  /** Who asks. */
  ann: caller("t", "ann", "clerk"),
  /** Ann, who is also a treasurer. */
  annTreasurer: caller("t", "ann", "clerk", "treasurer"),
  /** Ann once more, as an issuer may know her by another spelling. */
  annLoud: caller("t", "ANN", "clerk", "treasurer"),
  /** Two who may approve. */
  tom: caller("t", "tom", "clerk", "treasurer"),
  tim: caller("t", "tim", "clerk", "treasurer"),
  /** Who may approve for a role that a policy names. */
  ada: caller("t", "ada", "clerk", "auditor"),
  /** May do everything, and has no role by its name. */
  operator: caller("t", "op", "*"),
  /** Has the role, and not the tool. */
  bare: caller("t", "bare", "treasurer-only", "treasurer"),
  /** Says its own name, as callers without a token do. */
  nameless: caller("t", "nick", "*", "anonymous", "treasurer"),
  /** A treasurer of others, who serves all tenants. */
  stranger: caller("u", "tom", "clerk", "treasurer", "fleet"),
};

export type Person = keyof typeof PEOPLE;

const POLICY = `roles:
  clerk: ["tool:*"]
  treasurer: []
  treasurer-only: []
  fleet: ["work:any-tenant"]
`;

/** A policy by which an auditor approves each transfer abroad, and has half an hour to do so. */
export const AUDIT = {
  "manifests/policies/audit.yaml": `roles: { auditor: [] }
approvals:
  calls:
    - tools: ["bank.t*"]
      when: { type: object, required: [to], properties: { to: { const: abroad } } }
      by: auditor
      expiresSeconds: 1800
`,
};

const TRANSFER = `name: bank.transfer
version: 1.0.0
description: Moves money.
input:
  type: object
  required: [amount]
  properties: { amount: { type: number }, to: { type: string, default: bob } }
output: { type: object, required: [balance], properties: { balance: { type: number }, conversation_id: { type: string } } }
sideEffect: true
requiredCapabilities: [tool:bank.transfer]
uses: [state.read, state.write]
approval:
  when: { type: object, required: [amount], properties: { amount: { type: number, exclusiveMinimum: 1000 } } }
  by: treasurer
  expiresSeconds: 3600
`;

const PAY = `name: bank.pay
version: 1.0.0
description: Pays by a transfer.
input: { type: object, required: [amount], properties: { amount: { type: number } } }
output: { type: object, required: [paid], properties: { paid: { type: number } } }
sideEffect: true
uses: [tools.call, state.read, state.write]
`;

/** Files of a bank whose transfers of more than 1000 a treasurer approves, with this checkout's work server. */
export function approvingFiles(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const copied = ["approval_write", "task_status", "task_list", "task_cancel", "artifact_read", "artifact_write"];
  const own = [
    "manifests/work/server.yaml",
    "tools/_lib/work/to-summary.ts",
    ...copied.flatMap((tool) => [`manifests/work/${tool}.yaml`, `tools/work/${tool}.ts`]),
  ];
  return {
    ...Object.fromEntries(own.map((file) => [file, readFileSync(file, "utf8")])),
    "manifests/agent.yaml": "name: bank\ndescription: A bank for tests.\nhostApi: 1.3.0\n",
    "versions.yaml": "current: 1.0.0\nversions:\n  1.0.0:\n    changes:\n      - Everything.\n",
    "manifests/policies/access.yaml": POLICY,
    "manifests/bank/server.yaml":
      'name: bank\ndescription: A bank.\ninstructions: Use it.\nstate: { scope: shared, name: bank }\nresources:\n  - { uriTemplate: "logs://{conversation_id}", name: Logs, mimeType: application/json, provider: logs.read }\n',
    "manifests/bank/transfer.yaml": TRANSFER,
    "tools/bank/transfer.ts": `export default async ({ amount }, ctx) => {
  const balance = ((await ctx.state.get(["balance"])) ?? 0) + amount;
  await ctx.state.set(["balance"], balance);
  return { balance };
};
`,
    "manifests/bank/pay.yaml": PAY,
    "tools/bank/pay.ts": `export default async ({ amount }, ctx) => {
  const { balance } = await ctx.tools.call("bank.transfer", { amount });
  return { paid: balance };
};
`,
    ...more,
  };
}

export async function createApprovingAgent(
  atEnd: AtEnd,
  more: Readonly<Record<string, string>> = {},
): Promise<TestRepository> {
  const repository = await createRepository(await temporaryFolder(atEnd));
  await repository.release("1.0.0", approvingFiles(more));
  return repository;
}
