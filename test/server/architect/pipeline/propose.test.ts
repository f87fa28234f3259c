import { describe, expect, test, vi } from "vitest";
import { propose } from "../../../../server/architect/pipeline/propose.ts";
import type { Run } from "../../../../server/architect/pipeline/run.ts";
import { CairnError } from "../../../../server/errors.ts";
import { createCandidate, createRun, createWorld, GREET, ID, NOW } from "../../../helpers/pipeline-world.ts";

async function open(given: Parameters<typeof createWorld>[0] = {}, attempt = 0) {
  const world = await createWorld(given);
  const candidate = await createCandidate(world);
  const run: Run = await createRun(world, { attempt });
  const next = {
    step: "propose",
    approved: { candidate, gate: { status: "passed", risk_level: "low", checks: [], files: [] } },
  } as const;
  const intend = async () => {
    const { record } = await propose(world.context, run, next);
    return { ...run, record };
  };
  return { world, candidate, run, next, intend };
}

describe("proposing", () => {
  test("keeps the intent before the forge hears of it", async () => {
    const { world, run, next } = await open();
    const hears = vi.spyOn(world.forge, "propose");
    const { record, next: then, done } = await propose(world.context, run, next);
    expect(record).toMatchObject({
      stage: "proposing",
      proposal: {
        key: ID,
        base: "main",
        from: world.first,
        semver: "1.0.1",
        isRelease: true,
        change: null,
        head: null,
      },
    });
    expect(then).toEqual(next);
    expect(done).toEqual([{ step: "gate", message: "A change of low risk may be proposed." }]);
    expect(hears).not.toHaveBeenCalled();
    expect(world.audited).toMatchObject([{ change: "feedback.proposed", details: { base: "main" } }]);
  });

  test("then has the forge make it, and lands next what was verified", async () => {
    const { world, next, intend } = await open();
    const { record, next: then, done } = await propose(world.context, await intend(), next);
    const branch = `proposal/${ID}`;
    const head = world.repository.branches.get(branch) ?? "";
    expect(record).toMatchObject({ stage: "checks", proposal: { head, change: { branch } } });
    expect(then).toEqual({ step: "land" });
    expect(done?.at(-1)).toEqual({ step: "propose", message: `Proposed as \`${branch}\`.` });
    expect(world.repository.read(head).files.get(GREET)).toContain("Greets by name.");
    expect(world.said).toEqual(["propose: Proposes 1.0.1 for `main`."]);
  });

  test("is the same change again after a crash behind the forge's answer", async () => {
    const { world, next, intend } = await open();
    const run = await intend();
    const one = await propose(world.context, run, next);
    const branches = new Map(world.repository.branches);
    expect(await propose(world.context, run, next)).toEqual(one);
    expect(world.repository.branches).toEqual(branches);
  });

  test("takes a commit that somebody has pushed to it for another than was verified", async () => {
    const { world, next, intend } = await open();
    const run = await intend();
    await propose(world.context, run, next);
    world.repository.push(`proposal/${ID}`, { "docs/page.md": "Theirs.\n" });
    const { record } = await propose(world.context, run, next);
    expect(record.proposal).toMatchObject({ head: world.first });
  });

  test("frees feedback for another attempt where the base was lost to somebody", async () => {
    const { world, next, intend } = await open();
    const run = await intend();
    world.repository.branches.set("main", world.repository.commit(new Map(), []));
    const { record, next: then } = await propose(world.context, run, next);
    expect(record).toMatchObject({ stage: "received", attempt: 1, proposal: null });
    expect(then).toEqual({ step: "receive" });
  });

  test("has a name of its own in each attempt", async () => {
    const { intend } = await open({}, 2);
    expect((await intend()).record.proposal?.key).toBe(`${ID}-3`);
  });

  test.each(["BAD_REQUEST", "NOT_FOUND"] as const)("rejects with the forge's reason where that is %s", async (name) => {
    const { world, next, intend } = await open();
    world.forge.propose = () => Promise.reject(new CairnError(name, "It is refused."));
    const { record, next: then } = await propose(world.context, await intend(), next);
    expect(record.proposal).toBeNull();
    expect(then).toMatchObject({ answer: { notes: "It is refused. Send it again once that is settled." } });
  });

  test("is tried again for six days where the forge fails otherwise", async () => {
    let now = NOW;
    const { world, next, intend } = await open({ now: () => now });
    world.forge.propose = () => Promise.reject(new CairnError("UPSTREAM_ERROR", "It is down."));
    const run = await intend();
    await expect(propose(world.context, run, next)).rejects.toMatchObject({ name: "UPSTREAM_ERROR" });
    now += 7 * 24 * 60 * 60_000;
    expect((await propose(world.context, run, next)).next).toMatchObject({ answer: { result: "rejected" } });
  });
});
