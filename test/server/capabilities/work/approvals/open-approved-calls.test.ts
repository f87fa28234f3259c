import { onTestFinished, describe, expect, test, vi } from "vitest";
import { createToPrincipal } from "../../../../../server/auth/to-principal.ts";
import { approveRun } from "../../../../../server/capabilities/work/approve-run.ts";
import { expireCalls } from "../../../../../server/capabilities/work/approvals/approved-call.ts";
import { decideAsOperator } from "../../../../../server/capabilities/work/approvals/decide-as-operator.ts";
import { findWaitingRuns } from "../../../../../server/capabilities/work/approvals/find-waiting-runs.ts";
import { createApprovals } from "../../../../../server/capabilities/work/approvals/create-approvals.ts";
import { createFindCall } from "../../../../../server/capabilities/work/approvals/find-call.ts";
import { openApprovedCalls } from "../../../../../server/capabilities/work/approvals/open-approved-calls.ts";
import { workAt } from "../../../../../server/capabilities/work/work-desk.ts";
import { createIdentifiers } from "../../../../../server/identifiers.ts";
import type { Result } from "../../../../../server/kernel/call.ts";
import { WAITING_CALLS } from "../../../../../server/store/waiting-keys.ts";
import type { Revoked } from "../../../../../server/versions/policy.ts";
import type { Version } from "../../../../../server/versions/version.ts";
import { approvingFiles, AUDIT } from "../../../../helpers/approving-agent.ts";
import { openTestKernel } from "../../../../helpers/kernel.ts";
import { loader } from "../../../../helpers/loader.ts";
import { openTestStore } from "../../../../helpers/store.ts";
import { warmSandbox } from "../../../../helpers/warm-sandbox.ts";
import { createMemoryTree } from "../../../../fixtures/trees/create-memory-tree.ts";

const ANN = { tenant: "t", actor: "ann", roles: ["clerk"] };
const TOM = { tenant: "t", actor: "tom", roles: ["clerk", "treasurer"] };
const ADA = { tenant: "t", actor: "ada", roles: ["clerk", "auditor"] };
const NOTHING: Revoked = { roles: [], capabilities: [], hosts: [], commands: [], secrets: [] };
const HOUR = 3_600_000;

interface Handle {
  readonly task_id: string;
  readonly run_id: string;
  readonly by: string;
  readonly also?: readonly string[];
  readonly expires_at: string;
}

/** The kernel of one process over a store, with what it needs to approve; nothing runs what was approved yet. */
async function openBank(more: Readonly<Record<string, string>> = {}) {
  const clock = { at: Date.UTC(2030, 0, 1) };
  const now = () => clock.at;
  const store = await openTestStore(now);
  const files = approvingFiles(more);
  const loaded = await loader.load(createMemoryTree(files), "c".repeat(40));
  if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join(" "));
  const { version } = loaded;
  let revoked = NOTHING;
  let served = true;
  const toPrincipal = createToPrincipal(() => revoked);
  const desk = { store, createId: createIdentifiers(now), storeTime: now };
  const kernel = openTestKernel({ store, sandbox: await warmSandbox(), now, approvals: createApprovals(desk) });
  onTestFinished(kernel.close);
  const errors: unknown[] = [];
  const resolve = async (): Promise<{ version: Version }> => {
    if (!served) throw new (await import("../../../../../server/errors.ts")).CairnError("VERSION_NOT_SERVED", "Gone.");
    return { version };
  };
  const find = createFindCall(desk);
  const call = (amount: number, to?: string): Promise<Result> => {
    const tool = version.tools.get("bank.transfer");
    if (tool === undefined) throw new Error("no tool");
    return kernel.invoke({ version, tool, input: { amount, ...(to && { to }) }, principal: toPrincipal(version, ANN) });
  };
  return {
    clock,
    store,
    call,
    errors,
    expire: () => expireCalls(desk),
    revoke: (rights: Partial<Revoked>) => (revoked = { ...NOTHING, ...rights }),
    withdraw: () => (served = false),
    async ask(amount = 2000, to?: string): Promise<Handle> {
      const result = await call(amount, to);
      if (result.ok || result.error.name !== "APPROVAL_REQUIRED") throw new Error(JSON.stringify(result));
      return result.error.details as Handle;
    },
    approve({ task_id: taskId, run_id: runId }: Handle, who = TOM, decision: "approved" | "rejected" = "approved") {
      const place = { version, principal: toPrincipal(version, who), scope: "work", isArchitect: false };
      const [roles, commit] = [place.principal.roles ?? [], version.commit];
      const decider = { right: "caller", roles, allowsSelf: false, commit, tool: "approval_write" } as const;
      const decided = { taskId, runId, approver: "Tom", reason: "Due.", decision, decider } as const;
      return workAt(place, desk, (own) => approveRun(own, decided));
    },
    async approveAsOperator(actor: string) {
      const toHead = () => ({ schemaVersion: 1, id: desk.createId(), salt: "00".repeat(16) }) as const;
      const [waiting] = await findWaitingRuns(store);
      if (waiting === undefined) throw new Error("nothing waits");
      return decideAsOperator({ store, now, toHead }, waiting, { actor, reason: "Due.", decision: "approved" });
    },
    open() {
      const calls = openApprovedCalls({
        store,
        storeTime: now,
        invoke: kernel.invoke,
        resolve,
        toPrincipal,
        onError: (error) => void errors.push(error),
      });
      onTestFinished(async () => {
        calls.stop();
        await calls.close();
      });
      return calls;
    },
    look: async ({ task_id }: Handle) => (await find(version, toPrincipal(version, ANN), task_id)).view,
    async settle(handle: Handle, status: string) {
      return vi.waitFor(async () => {
        const view = (await find(version, toPrincipal(version, ANN), handle.task_id)).view;
        expect([view.status, errors]).toEqual([status, []]);
        return view;
      });
    },
  };
}

describe("a call that was approved before this process began", () => {
  test("runs when it begins", async () => {
    const bank = await openBank();
    const handle = await bank.ask();
    await bank.approve(handle);
    expect((await bank.look(handle)).status).toBe("approved");
    bank.open();
    expect((await bank.settle(handle, "completed")).outcome).toMatchObject({ output: { balance: 2000 } });
  });

  test("runs once under two processes", async () => {
    const bank = await openBank();
    const handle = await bank.ask();
    await bank.approve(handle);
    bank.open();
    bank.open();
    await bank.settle(handle, "completed");
    expect(await bank.call(0)).toMatchObject({ ok: true, output: { balance: 2000 } });
  });

  test("runs when the operator of the data folder approved it, whose name is not its caller's", async () => {
    const bank = await openBank();
    const handle = await bank.ask();
    await expect(bank.approveAsOperator("ann")).rejects.toMatchObject({ name: "FORBIDDEN" });
    await bank.approveAsOperator("root");
    bank.open();
    expect((await bank.settle(handle, "completed")).outcome).toMatchObject({ output: { balance: 2000 } });
  });

  test("does not run when the operator approved it for a role that was revoked since", async () => {
    const bank = await openBank();
    const handle = await bank.ask();
    await bank.approveAsOperator("root");
    bank.revoke({ roles: ["treasurer"] });
    bank.open();
    expect((await bank.settle(handle, "failed")).outcome).toMatchObject({
      error: { name: "FORBIDDEN", message: "`root` approved this call, and may not any more." },
    });
  });

  const changes: readonly (readonly [string, (bank: Awaited<ReturnType<typeof openBank>>) => void, string])[] = [
    ["the approver's role is revoked", (bank) => bank.revoke({ roles: ["treasurer"] }), "`tom` approved this call"],
    [
      "the approver's capability is revoked",
      (bank) => bank.revoke({ capabilities: ["tool:approval_write"] }),
      "`tom` approved this call",
    ],
    [
      "the caller's capability is revoked",
      (bank) => bank.revoke({ capabilities: ["tool:bank.transfer"] }),
      "which `ann` does not hold",
    ],
    ["its version is not served any more", (bank) => bank.withdraw(), "Gone."],
  ];
  test.each(changes)("fails where %s", async (_what, change, message) => {
    const bank = await openBank();
    const handle = await bank.ask();
    await bank.approve(handle);
    change(bank);
    bank.open();
    const { outcome } = await bank.settle(handle, "failed");
    expect(outcome?.error?.message).toContain(message);
    bank.revoke({});
    expect(await bank.call(0)).toMatchObject({ ok: true, output: { balance: 0 } });
  });

  test("does not run after its time", async () => {
    const bank = await openBank();
    const handle = await bank.ask();
    await bank.approve(handle);
    bank.clock.at += HOUR;
    bank.open();
    expect((await bank.settle(handle, "cancelled")).reason).toBe(
      "It was not approved and begun until 2030-01-01T01:00:00.000Z.",
    );
  });
});

describe("a call that nobody decides about", () => {
  test("cannot be approved after its time, and is forgotten", async () => {
    const bank = await openBank();
    const handle = await bank.ask();
    bank.clock.at += HOUR;
    expect((await bank.look(handle)).status).toBe("expired");
    await expect(bank.approve(handle)).rejects.toThrow("could be approved until 2030-01-01T01:00:00.000Z");
    await bank.expire();
    expect((await bank.look(handle)).status).toBe("cancelled");
    expect(await Array.fromAsync(bank.store.scan({ prefix: WAITING_CALLS }))).toEqual([]);
  });

  test("is one of a hundred that a caller may have waiting", async () => {
    const bank = await openBank();
    for (let amount = 2000; amount < 2100; amount += 1) await bank.call(amount);
    expect(await bank.call(9000)).toMatchObject({ ok: false, error: { name: "CONFLICT" } });
    expect(await bank.call(2000)).toMatchObject({ ok: false, error: { name: "APPROVAL_REQUIRED" } });
  });
});

describe("a call that a policy has wait", () => {
  test("waits for the role of the policy, where its tool asks for none", async () => {
    const bank = await openBank(AUDIT);
    const handle = await bank.ask(1, "abroad");
    expect([handle.by, handle.also, handle.expires_at]).toEqual(["auditor", undefined, "2030-01-01T00:30:00.000Z"]);
    await expect(bank.approve(handle)).rejects.toThrow("Only who has the role `auditor` by its name");
    await bank.approve(handle, ADA);
    bank.open();
    expect((await bank.settle(handle, "completed")).outcome).toMatchObject({ output: { balance: 1 } });
  });

  test("does not wait where neither the policy nor its tool asks for it", async () => {
    const bank = await openBank(AUDIT);
    expect(await bank.call(1)).toMatchObject({ ok: true });
  });

  test("waits for each role where both ask for it, in any order, and no role twice", async () => {
    const bank = await openBank(AUDIT);
    const handle = await bank.ask(2000, "abroad");
    expect([handle.by, handle.also, handle.expires_at]).toEqual(["auditor", ["treasurer"], "2030-01-01T00:30:00.000Z"]);
    bank.open();
    await bank.approve(handle);
    expect(await bank.look(handle)).toMatchObject({ status: "waiting", waits_for: ["auditor"] });
    await expect(bank.approve(handle)).rejects.toThrow("The call waits for a `auditor`; your role has approved it.");
    expect(await bank.call(2000, "abroad")).toMatchObject({ ok: false, error: { name: "APPROVAL_REQUIRED" } });
    await bank.approve(handle, ADA);
    expect((await bank.settle(handle, "completed")).outcome).toMatchObject({ output: { balance: 2000 } });
  });

  test("is approved at once by somebody with all of the roles", async () => {
    const bank = await openBank(AUDIT);
    const handle = await bank.ask(2000, "abroad");
    await bank.approve(handle, { ...ADA, roles: ["clerk", "auditor", "treasurer"] });
    bank.open();
    await bank.settle(handle, "completed");
  });

  test("is rejected by any of the roles, also by one that has approved it", async () => {
    const bank = await openBank(AUDIT);
    const handle = await bank.ask(2000, "abroad");
    await bank.approve(handle);
    await bank.approve(handle, TOM, "rejected");
    expect((await bank.look(handle)).status).toBe("rejected");
    await expect(bank.approve(handle, ADA)).rejects.toThrow("waits for no approval");
  });

  test("fails where the first of two who approved it has lost the role since", async () => {
    const bank = await openBank(AUDIT);
    const handle = await bank.ask(2000, "abroad");
    await bank.approve(handle);
    await bank.approve(handle, ADA);
    bank.revoke({ roles: ["treasurer"] });
    bank.open();
    const { outcome } = await bank.settle(handle, "failed");
    expect(outcome?.error?.message).toBe("`tom` approved this call, and may not any more.");
  });
});
