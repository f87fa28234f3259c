import { describe, expect, test } from "vitest";
import { tune } from "../../../../server/architect/pipeline/tune.ts";
import type { TunePlan } from "../../../../server/architect/planners/plan.ts";
import { createLedgers } from "../../../../server/capabilities/tuner/ledgers.ts";
import type { GateReport } from "../../../../server/capabilities/work/gate.ts";
import { createMemoryBook, createRun, createWorld, NOW } from "../../../helpers/pipeline-world.ts";
import { openTestStore } from "../../../helpers/store.ts";

const PLAN: TunePlan = { kind: "tune", adjustments: [{ kind: "promote", experiment: "style", arm: "long" }] };
const DOUBT = "The plan tunes `style`, which the message does not name.";
const BLOCKED: GateReport = { status: "blocked", risk_level: "high", checks: [], files: [] };

async function open(plan: TunePlan, given: { readonly dryRun?: boolean; readonly approvedBy?: string } = {}) {
  const store = await openTestStore();
  const ledgers = createLedgers({ store, now: () => NOW });
  const toPrincipal = () => ({ tenant: "acme", actor: "ada", capabilities: new Set(["*"]) });
  const world = await createWorld({ store, ledgers, toPrincipal });
  const book = createMemoryBook({ isApproved: given.approvedBy !== undefined });
  if (given.approvedBy === undefined) book.gate = BLOCKED;
  else book.texts.set("approval.json", JSON.stringify({ approved_by: given.approvedBy }));
  const run = await createRun(world, { dry_run: given.dryRun ?? false, capabilities: ["*"] }, book);
  const made = await tune(world.context, run, plan);
  const active = async () => (await (await ledgers.open("acme", run.version, "style"))?.read())?.active.values;
  return { made, run, book, active };
}

describe("tuning", () => {
  test("that the message names is active at once", async () => {
    const { made, active } = await open(PLAN);
    expect(made.next).toMatchObject({ step: "end", answer: { result: "tuned" }, done: [] });
    expect(await active()).toEqual({ style: "long" });
  });

  test("that is in doubt waits, with what it would do and why that is in doubt, and changes nothing meanwhile", async () => {
    const { made, run, book, active } = await open({ ...PLAN, doubts: [DOUBT] });
    expect(made).toEqual({
      record: { ...run.record, stage: "approval" },
      next: { step: "wait", reasons: [expect.stringMatching(/^It would tune: `style`.* with `long`/), DOUBT] },
    });
    expect(book.done.map(({ step }) => step)).toEqual(["plan", "execute", "verify"]);
    expect(await active()).toEqual({ style: "short" });
  });

  test("that is in doubt is done once somebody else has approved it, and never by the word of its sender", async () => {
    const approved = await open({ ...PLAN, doubts: [DOUBT] }, { approvedBy: "pat" });
    expect(approved.made.next).toMatchObject({ step: "end", answer: { result: "tuned" }, done: [{ step: "gate" }] });
    expect(await approved.active()).toEqual({ style: "long" });
    const own = await open({ ...PLAN, doubts: [DOUBT] }, { approvedBy: "ada" });
    expect(own.made.next).toMatchObject({
      step: "end",
      answer: { result: "rejected", notes: expect.stringContaining("approved by somebody who asked for it") },
    });
    expect(await own.active()).toEqual({ style: "short" });
  });

  test("in a dry run says what would have to be approved", async () => {
    const { made, active } = await open({ ...PLAN, doubts: [DOUBT] }, { dryRun: true });
    expect(made.next).toMatchObject({
      answer: { result: "tuned", notes: expect.stringContaining(`somebody else's approval first. ${DOUBT}`) },
    });
    expect(await active()).toEqual({ style: "short" });
  });
});
