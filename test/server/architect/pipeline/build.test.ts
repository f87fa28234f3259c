import { describe, expect, test } from "vitest";
import { build } from "../../../../server/architect/pipeline/build.ts";
import type { FeedbackRecord } from "../../../../server/architect/pipeline/feedback-record.ts";
import type { ChangePlan } from "../../../../server/architect/planners/plan.ts";
import { createRun, createWorld, GREET, ID, type World } from "../../../helpers/pipeline-world.ts";

const SPEC = `docs/specs/${ID}_SPEC.md`;

async function buildIn(world: World, given: Partial<FeedbackRecord> = {}, plan = world.plan) {
  const run = await createRun(world, given);
  const planned = { plan: plan as ChangePlan, from: world.first, head: world.first };
  return { run, made: await build(world.context, run, { step: "build", planned }) };
}

function edit(world: World, from: string, to: string): Record<string, string> {
  return { [GREET]: (world.repository.read(world.first).files.get(GREET) ?? "").replace(from, to) };
}

describe("building", () => {
  test("makes the files on the base, raises the numbers that they need, and writes the spec", async () => {
    const world = await createWorld();
    const { run, made } = await buildIn(world);
    const { next, record } = made;
    if (next.step !== "verify") throw new Error(JSON.stringify(next));
    const { files, semver, base, workspace } = next.built;
    expect(record).toBe(run.record);
    expect([semver, base]).toEqual(["1.0.1", { branch: "main", head: world.first, build: "" }]);
    expect([...files.keys()].toSorted()).toEqual([SPEC, GREET, "versions.yaml"]);
    expect(files.get(GREET)).toContain("version: 1.0.1");
    expect(files.get(SPEC)).toContain("Greet by name.");
    expect([...world.workspaces.keys()]).toEqual([workspace.runId]);
    expect(world.said).toEqual(["execute: Changes 1 files."]);
  });

  test("comes out the same once more after a crash, whatever the workspace was left as", async () => {
    const world = await createWorld();
    const one = (await buildIn(world)).made.next;
    const [name = ""] = world.workspaces.keys();
    const left = await world.context.workspaces.create(name, world.first);
    await left.fs.write(GREET, "half of it");
    const other = (await buildIn(world)).made.next;
    if (one.step !== "verify" || other.step !== "verify") throw new Error("It was not built.");
    expect(other.built.files).toEqual(one.built.files);
  });

  test("passes over a number that is a tag already", async () => {
    const world = await createWorld();
    world.repository.tags.set("v1.0.1", world.first);
    const { next } = (await buildIn(world)).made;
    expect(next).toMatchObject({ step: "verify", built: { semver: "1.0.2" } });
  });

  test("keeps what the base has of other files by then", async () => {
    const world = await createWorld();
    const head = world.repository.push("main", { "docs/page.md": "A page.\n" });
    const { next } = (await buildIn(world)).made;
    expect(next).toMatchObject({ step: "verify", built: { base: { head }, baseVersion: { commit: head } } });
  });

  test("builds on the commit that was about to be proposed, not on what came after it", async () => {
    const world = await createWorld();
    world.repository.push("main", { "docs/page.md": "A page.\n" });
    const proposal = { from: world.first } as FeedbackRecord["proposal"];
    const { next } = (await buildIn(world, { proposal })).made;
    expect(next).toMatchObject({ step: "verify", built: { base: { head: world.first } } });
  });

  test("rejects a second value for a key that somebody else has set meanwhile, naming both", async () => {
    const world = await createWorld();
    world.repository.push("main", edit(world, "Greets somebody.", "Greets all."));
    for (const moving of [false, true]) {
      const { next } = (await buildIn(world, { moving })).made;
      const notes = expect.stringContaining(
        "it was `Greets somebody.`, is `Greets all.` now, and would be `Greets by name.`",
      );
      expect(next).toMatchObject({ step: "end", answer: { result: "rejected", notes } });
    }
  });

  test("plans again what was sent to an address that moves, three times, where the base changed the same place", async () => {
    const world = await createWorld();
    world.repository.push("main", { "docs/page.md": "Theirs.\n" });
    const plan: ChangePlan = {
      kind: "change",
      title: "A page",
      changes: ["x"],
      files: new Map([["docs/page.md", "Ours.\n"]]),
    };
    const planned = { plan, from: world.first, head: world.first };
    const at = async (moving: boolean, replans: number) => {
      const run = await createRun(world, { moving });
      return (await build(world.context, { ...run, replans }, { step: "build", planned })).next;
    };
    expect(await at(true, 2)).toEqual({ step: "receive", anew: true });
    expect(await at(true, 3)).toMatchObject({ step: "end", answer: { result: "rejected" } });
    expect(await at(false, 0)).toMatchObject({
      step: "end",
      answer: { notes: expect.stringContaining("`main` has changed `docs/page.md` since 1.0.0, in the same places.") },
    });
  });

  test("rejects what the base is like already, and files that nobody may change so", async () => {
    const world = await createWorld();
    const text = world.repository.read(world.first).files.get(GREET) ?? "";
    const same: ChangePlan = { kind: "change", title: "x", changes: [], files: new Map([[GREET, text]]) };
    expect((await buildIn(world, {}, same)).made.next).toMatchObject({
      answer: { notes: expect.stringContaining("`main` is like that already.") },
    });
    const stray = { ...same, files: new Map([["server/main.ts", "x"]]) };
    expect((await buildIn(world, {}, stray)).made.next).toMatchObject({
      answer: { notes: expect.stringContaining("`server/main.ts` cannot be changed here.") },
    });
  });

  test("rejects a sender whom the branch has shut out since", async () => {
    const world = await createWorld();
    const { next } = (await buildIn(world, { roles: ["user"] })).made;
    expect(next).toMatchObject({
      step: "end",
      answer: { notes: expect.stringContaining("`ada` may not ask for changes of it.") },
    });
  });

  test("finds after a crash what others have landed of it, and publishes that", async () => {
    const world = await createWorld();
    const landed = world.repository.push("main", { [SPEC]: "# Greet by name\n" });
    world.repository.push("main", { "docs/page.md": "Later.\n" });
    const { record, done, next } = (await buildIn(world)).made;
    expect(next).toEqual({ step: "publish" });
    expect(record).toMatchObject({
      stage: "landed",
      proposal: { landed, head: landed, from: world.first, base: "main", isRelease: false, change: null },
    });
    expect(done?.map(({ step }) => step)).toEqual(["gate", "propose"]);
    expect(world.audited).toMatchObject([{ change: "feedback.proposed", target: ID }]);
  });

  test("rejects with CONFLICT where no branch has the version any more", async () => {
    const world = await createWorld();
    world.repository.branches.set("main", world.repository.commit(new Map(), []));
    await expect(buildIn(world)).rejects.toMatchObject({ name: "CONFLICT" });
  });
});
