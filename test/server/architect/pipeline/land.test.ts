import { describe, expect, test } from "vitest";
import { land } from "../../../../server/architect/pipeline/land.ts";
import { propose } from "../../../../server/architect/pipeline/propose.ts";
import type { Run, Transition } from "../../../../server/architect/pipeline/run.ts";
import { createCandidate, createRun, createWorld, FAILED, GREET, ID, NOW } from "../../../helpers/pipeline-world.ts";

const LAND = { step: "land" } as const;
const BRANCH = `proposal/${ID}`;

/** A change that the forge has, waiting for its checks. */
async function open(given: Parameters<typeof createWorld>[0] = {}) {
  const world = await createWorld(given);
  const candidate = await createCandidate(world);
  const approved = { candidate, gate: { status: "passed", risk_level: "low", checks: [], files: [] } } as const;
  const first: Run = await createRun(world);
  const next = { step: "propose", approved } as const;
  const intended = await propose(world.context, first, next);
  const proposed = await propose(world.context, { ...first, record: intended.record }, next);
  const run: Run = { ...first, record: proposed.record };
  const { branches } = world.repository;
  const head = branches.get(BRANCH) ?? "";
  /** Steps until it is no landing any more, as the driver does them. */
  const landOn = async (from = run): Promise<Transition & { readonly seen: readonly Transition[] }> => {
    const seen: Transition[] = [];
    for (let on = from; ;) {
      const last = seen.at(-1)?.next;
      const made = await land(world.context, on, last?.step === "land" ? last : LAND);
      seen.push(made);
      if (made.next.step !== "land") return { ...made, seen };
      on = { ...on, record: made.record };
    }
  };
  const summaries = () =>
    world.forge.reports.map(({ head: of, result }) => [of, "summary" in result ? result.summary : ""]);
  return { world, run, head, branches, landOn, summaries };
}

const rejected = (text: string) => ({
  step: "end",
  answer: { result: "rejected", notes: expect.stringContaining(text) },
});

describe("landing", () => {
  test("reports what was verified, lands exactly that, and publishes next", async () => {
    const { world, run, head, branches, landOn, summaries } = await open();
    const { record, next, seen } = await landOn();
    expect(seen).toHaveLength(1);
    expect(record).toEqual({ ...run.record, stage: "landed", proposal: { ...run.record.proposal, landed: head } });
    expect(next).toEqual({ step: "publish" });
    expect(branches.get("main")).toBe(head);
    expect(summaries()).toEqual([[head, "Verified before it was proposed."]]);
    expect(world.said.at(-1)).toBe("land: Landed on `main`.");
  });

  test("finds after a crash behind the landing that it has landed", async () => {
    const { head, landOn, run } = await open();
    const one = await landOn();
    expect(await landOn(run)).toEqual(one);
    expect(one.record.proposal?.landed).toBe(head);
  });

  test("waits for checks of others, and says once what for", async () => {
    const { world, landOn } = await open({ landsAtOnce: false });
    let looks = 0;
    world.forge.required = "pending";
    world.onPause = () => {
      if (++looks === 3) world.forge.required = "green";
    };
    expect((await landOn()).next).toEqual({ step: "publish" });
    expect(world.said.filter((line) => line.startsWith("checks: "))).toEqual(["checks: A check is missing."]);
    expect(looks).toBe(3);
  });

  test("takes it back where a check is red: that is kept before the forge hears of it", async () => {
    const { world, run, branches } = await open();
    world.forge.required = "red";
    const ending = { again: false, isMendable: true, reason: "A check of it is red: `review`." };
    const kept = await land(world.context, run, LAND);
    expect(kept).toEqual({ record: { ...run.record, proposal: { ...run.record.proposal, ending } }, next: LAND });
    expect(world.forge.listOpen()).toEqual([ID]);
    const { next } = await land(world.context, { ...run, record: kept.record }, LAND);
    expect(next).toMatchObject(rejected(ending.reason));
    expect([world.forge.listOpen(), branches.has(BRANCH)]).toEqual([[], false]);
    // Cut short in between, it is taken back once more, with the same end.
    expect((await land(world.context, { ...run, record: kept.record }, LAND)).next).toEqual(next);
  });

  test("waits where the forge runs a red check once more, and says so", async () => {
    const { world, landOn } = await open({ landsAtOnce: false });
    const again = { outcome: "running", reason: "`review` has failed and is run once more." } as const;
    world.forge.required = "red";
    world.forge.reruns.push(again, again);
    let looks = 0;
    world.onPause = () => {
      if (++looks === 2) world.forge.required = "green";
    };
    expect((await landOn()).next).toEqual({ step: "publish" });
    expect(world.said.filter((line) => line.startsWith("checks: "))).toEqual([`checks: ${again.reason}`]);
  });

  test("takes it back where it is red once more, or cannot be run again, and says which", async () => {
    const { world, landOn } = await open({ landsAtOnce: false });
    world.forge.required = "red";
    world.forge.reruns.push({ outcome: "final", reason: "`review` was run again." });
    expect((await landOn()).next).toMatchObject(rejected("A check of it is red: `review`. `review` was run again."));
  });

  test("has no check run again that it has reported itself", async () => {
    const { world, landOn } = await open({ landsAtOnce: false, checkName: "review" });
    world.forge.required = "red";
    world.forge.reruns.push({ outcome: "running", reason: "It is run once more." });
    expect((await landOn()).next).toMatchObject(rejected("A check of it is red: `review`."));
    expect(world.forge.reruns).toHaveLength(1);
  });

  test("takes it back, with the reason, where the forge has tried to land it and given up", async () => {
    const { world, landOn } = await open({ landsAtOnce: false });
    world.forge.landings.push({ outcome: "refused", reason: "The merge queue has let go of it twice." });
    expect((await landOn()).next).toMatchObject(rejected("The merge queue has let go of it twice."));
    expect(world.forge.listOpen()).toEqual([]);
  });

  test("verifies the commit that a merge queue would land, once, where the forge requires that", async () => {
    const { world, head, branches, landOn, summaries } = await open({ landsAtOnce: false });
    const { names, landings, runs, reports } = world.forge;
    names.push("cairn");
    const group = world.repository.commit(world.repository.read(head).files, [branches.get("main") ?? ""]);
    const queued = { outcome: "armed", reason: "It is in the queue.", group } as const;
    landings.push(queued, queued);
    world.onPause = () => runs.set(group, [{ name: "cairn", status: "success" }]);
    expect((await landOn()).next).toEqual({ step: "publish" });
    expect(reports.map(({ head: of }) => of)).toEqual([head, group]);
    expect(summaries()[1]?.[1]).toMatch(/^Verified as the merge queue would land it\./);
  });

  test("brings in what its base has got, verifies that, and keeps that it may land", async () => {
    const { world, head, branches, landOn, summaries } = await open();
    const theirs = world.repository.push("main", { "docs/page.md": "Theirs.\n" });
    const { seen, record } = await landOn();
    const merged = branches.get("main") ?? "";
    expect(world.repository.read(merged).parents).toEqual([head, theirs]);
    expect(seen.map(({ next }) => next)).toEqual([
      { step: "land", summary: "Verified with what its base has now." },
      { step: "publish" },
    ]);
    expect(seen[0]?.record.proposal?.head).toBe(merged);
    expect(record.proposal?.landed).toBe(merged);
    expect(summaries()).toEqual([
      [head, "Verified before it was proposed."],
      [merged, "Verified with what its base has now."],
    ]);
  });

  test.each([
    ["conflicts with its base", { [GREET]: "name: theirs\n" }, "passed"],
    ["does not hold where its base is now", { "docs/page.md": "Theirs.\n" }, "failed"],
  ] as const)("tries again from its base what %s", async (_why, files, status) => {
    const { world, landOn } = await open();
    world.repository.push("main", files);
    if (status === "failed") world.verification = FAILED;
    const { record, next, seen } = await landOn();
    expect(seen[0]?.record.proposal?.ending).toMatchObject({ again: true });
    expect(next).toEqual({ step: "receive" });
    expect(record).toMatchObject({ stage: "received", attempt: 1, proposal: null });
    expect(world.forge.listOpen()).toEqual([]);
  });

  test("lands what somebody has pushed to it where that holds, and leaves to them what does not", async () => {
    const good = await open();
    const theirs = good.world.repository.push(BRANCH, { "docs/page.md": "Theirs.\n" });
    expect((await good.landOn()).record.proposal).toMatchObject({ head: theirs, landed: theirs });

    const bad = await open();
    const broken = bad.world.repository.push(BRANCH, { "tools/_lib/words.ts": "export const words = {};\n" });
    bad.world.verification = FAILED;
    expect((await bad.landOn()).next).toMatchObject(rejected("examples: failed"));
    expect([bad.branches.get("main"), bad.branches.get(BRANCH)]).toEqual([bad.world.first, broken]);
    expect(bad.world.forge.reports.at(-1)).toMatchObject({ head: broken, result: { conclusion: "failure" } });
  });

  test("leaves to them what they have pushed that needs an approval", async () => {
    const { world, landOn } = await open();
    world.repository.push(BRANCH, { "manifests/policies/access.yaml": "roles: {}\n" });
    expect((await landOn()).next).toMatchObject(rejected("Somebody has pushed to it what needs an approval."));
    expect(world.repository.branches.get("main")).toBe(world.first);
  });

  test("ends where somebody has deleted its branch", async () => {
    const { branches, landOn, world } = await open();
    branches.delete(BRANCH);
    expect((await landOn()).next).toMatchObject(rejected("Somebody has closed its pull request."));
    expect(branches.get("main")).toBe(world.first);
  });

  test("takes a landing by hand for one, verifying what is more than was verified", async () => {
    const exact = await open();
    exact.branches.set("main", exact.head);
    expect((await exact.landOn()).record).toMatchObject({ stage: "landed", proposal: { landed: exact.head } });

    const more = await open();
    const theirs = more.world.repository.push(BRANCH, { "docs/page.md": "Theirs.\n" });
    more.branches.set("main", theirs);
    more.world.verification = FAILED;
    expect((await more.landOn()).next).toMatchObject(rejected("which is not what was verified and does not pass"));
  });

  test("looks again where somebody was first in that very moment", async () => {
    const { world, head, landOn } = await open();
    const { land: really } = world.forge;
    let tries = 0;
    world.forge.land = async (change, options) => {
      if (++tries > 1) return really(change, options);
      world.repository.branches.set("main", head);
      return really(change, { ...options, expectHead: world.first });
    };
    expect((await landOn()).record.proposal?.landed).toBe(head);
  });

  test("gives up after six days", async () => {
    let now = NOW;
    const { world, landOn } = await open({ now: () => now, landsAtOnce: false });
    world.forge.required = "pending";
    world.onPause = () => (now += 2 * 24 * 60 * 60_000);
    expect((await landOn()).next).toMatchObject(rejected("Its checks and reviews took longer than six days."));
    expect(world.forge.listOpen()).toEqual([]);
  });

  test("is left as it stands when the service stops", async () => {
    const stop = new AbortController();
    const { world, landOn } = await open({ signal: stop.signal });
    stop.abort();
    await expect(landOn()).rejects.toThrow(/abort/);
    expect(world.forge.listOpen()).toEqual([ID]);
  });
});
