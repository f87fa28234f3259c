import { describe, expect, test } from "vitest";
import { approve, digestOf, findApprovedBase } from "../../../../server/architect/pipeline/approve.ts";
import type { FeedbackRecord } from "../../../../server/architect/pipeline/feedback-record.ts";
import type { Candidate } from "../../../../server/architect/pipeline/run.ts";
import type { GateReport } from "../../../../server/capabilities/work/gate.ts";
import { createCandidate, createMemoryBook, createRun, createWorld, PASSED } from "../../../helpers/pipeline-world.ts";

const MAJOR = { verification: { ...PASSED, required: "major" } } as const;
const BLOCKED: GateReport = { status: "blocked", risk_level: "high", checks: [], files: [] };

async function open(given: { gate?: GateReport; candidate?: Partial<Candidate>; record?: Partial<FeedbackRecord> }) {
  const world = await createWorld();
  const candidate = await createCandidate(world, given.candidate);
  const book = createMemoryBook();
  if (given.gate !== undefined) book.gate = given.gate;
  const run = await createRun(world, given.record, book);
  return { world, candidate, book, run, made: await approve(run, { step: "approve", candidate }) };
}

/** The run once somebody has approved what it waits for. */
async function decide(by: string | undefined, given: { readonly changed?: boolean; readonly self?: boolean } = {}) {
  const { world, candidate, book } = await open({ gate: BLOCKED, candidate: MAJOR });
  const { texts } = book;
  texts.set("approval.json", JSON.stringify({ approved_by: by }));
  const run = await createRun(world, {}, createMemoryBook({ isApproved: true, texts }));
  const other = given.changed === true ? { ...candidate, files: new Map([["docs/a.md", "A"]]) } : candidate;
  const policies =
    given.self === true
      ? candidate.baseVersion.policies.map((one) => ({ ...one, allowsSelfApproval: true }))
      : candidate.baseVersion.policies;
  const judged = { ...other, baseVersion: { ...candidate.baseVersion, policies } };
  return { run, world, made: await approve(run, { step: "approve", candidate: judged }) };
}

describe("the gate", () => {
  test("has a small change proposed", async () => {
    const { made, candidate, run, book } = await open({});
    expect(made).toEqual({ record: run.record, next: { step: "propose", approved: { candidate, gate: book.gate } } });
  });

  test("lets go of a major change until somebody has approved it, and remembers its files and its base", async () => {
    const { made, candidate, run, book, world } = await open({ gate: BLOCKED, candidate: MAJOR });
    expect(made.record).toEqual({ ...run.record, stage: "approval" });
    expect(made.next).toEqual({
      step: "wait",
      reasons: ["It is a major change: callers of what it takes away would fail."],
    });
    expect(JSON.parse(book.texts.get("candidate.json") ?? "")).toEqual({
      from: world.first,
      digest: digestOf(candidate.files),
      lines: expect.stringMatching(/^[0-9a-f]{64}$/),
      reasons: ["It is a major change: callers of what it takes away would fail."],
      authors: ["ada"],
    });
    expect(await findApprovedBase(book)).toBeUndefined();
  });

  test("has what somebody else approved proposed, from the commit that was shown", async () => {
    const { made, run, world } = await decide("pat");
    expect(made.next).toMatchObject({ step: "propose" });
    expect(await findApprovedBase(run.book)).toBe(world.first);
  });

  test("rejects an approval of other files, and one by the sender unless policies allow that", async () => {
    expect((await decide("pat", { changed: true })).made.next).toMatchObject({
      answer: {
        notes: expect.stringContaining("Since it was approved, what would be changed has become something else."),
      },
    });
    expect((await decide("ada")).made.next).toMatchObject({
      answer: { notes: expect.stringContaining("It was approved by somebody who asked for it or made it.") },
    });
    expect((await decide("ada", { self: true })).made.next).toMatchObject({ step: "propose" });
  });

  test("rejects an approval that does not say who has given it", async () => {
    expect((await decide(undefined)).made.next).toMatchObject({
      answer: { notes: expect.stringContaining("Its approval does not say who has given it.") },
    });
  });

  test("answers a dry run with what would be done, and leaves the run open where somebody would have to approve", async () => {
    const record = { dry_run: true };
    const { made } = await open({ record });
    expect(made.next).toMatchObject({
      step: "end",
      isOpen: false,
      answer: {
        result: "committed",
        new_version: "1.0.1",
        notes: expect.stringContaining("This would be committed as 1.0.1."),
      },
    });
    const major = await open({ record, gate: BLOCKED, candidate: { ...MAJOR, semver: "2.0.0-rc.1" } });
    expect(major.made.next).toMatchObject({
      isOpen: true,
      answer: { notes: expect.stringContaining("once somebody else approves it") },
    });
    expect(major.made.next).not.toHaveProperty("answer.new_version");
    expect(major.book.texts.has("candidate.json")).toBe(false);
  });

  test("that fails is a failure of ours", async () => {
    const gate: GateReport = {
      ...BLOCKED,
      status: "failed",
      checks: [{ name: "spec", passed: false, message: "No spec." }] as never,
    };
    await expect(open({ gate })).rejects.toMatchObject({ name: "INTERNAL_ERROR", message: "No spec." });
  });
});
