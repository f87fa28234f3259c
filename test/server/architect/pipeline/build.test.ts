import { describe, expect, test } from "vitest";
import { build } from "../../../../server/architect/pipeline/build.ts";
import type { FeedbackRecord } from "../../../../server/architect/pipeline/feedback-record.ts";
import type { ChangePlan } from "../../../../server/architect/planners/plan.ts";
import type { Json } from "../../../../server/json/types.ts";
import { feedbackKey, openFeedbackKey } from "../../../../server/store/keys.ts";
import type { Base } from "../../../../server/versions/registry/judge/bases.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { createRun, createWorld, GREET, ID, type World } from "../../../helpers/pipeline-world.ts";

const PROPOSAL: NonNullable<FeedbackRecord["proposal"]> = {
  key: "other",
  at: "2026-01-01T00:00:00Z",
  base: "main",
  from: "",
  semver: "1.1.0",
  isRelease: true,
  audit: ID,
  change: null,
  head: null,
  ending: null,
  landed: null,
};
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

  describe("on a base with a number that has no tag", () => {
    const HISTORY = `current: 1.1.0
versions:
  1.1.0:
    parent: 1.0.0
    changes: [Others have raised it.]
  1.0.0:
    changes: [The first.]
`;
    const OTHER = "01a20306-1dca-7000-9757-e99bba9294a2";

    async function openUnreleased(open: readonly FeedbackRecord[] = []) {
      const store = await openTestStore();
      await store.commit({
        set: open.flatMap((record) => [
          { key: openFeedbackKey(record.id), value: record.tenant },
          { key: feedbackKey(record.tenant, record.id), value: record as unknown as Json },
        ]),
      });
      const world = await createWorld({ store });
      world.context.registry.findBases = async () => {
        const version = { commit: world.first, semver: "1.0.0" } as Base["version"];
        return [{ version, scope: "all" }];
      };
      return world;
    }

    /** Feedback whose change is on its way to the base. */
    async function toProposed(semver: string) {
      const world = await createWorld();
      const { record } = await createRun(world, { id: OTHER });
      const proposal = { ...PROPOSAL, from: world.first, semver };
      return { ...record, proposal };
    }

    test("counts from the last release, so that one number stands for several changes", async () => {
      const world = await openUnreleased();
      world.repository.push("main", { "versions.yaml": HISTORY });
      const { next } = (await buildIn(world)).made;
      if (next.step !== "verify") throw new Error(JSON.stringify(next));
      const { semver, before, baseVersion, files } = next.built;
      expect([semver, before, baseVersion.semver]).toEqual(["1.1.0", "1.0.0", "1.1.0"]);
      expect(files.get("versions.yaml")).toMatch(
        /1\.1\.0:\n {4}parent: 1\.0\.0\n {4}changes: .*Others.*The greeting says the name/s,
      );
    });

    test("counts from the number that other feedback has landed with, and is about to be tagged", async () => {
      const other = await toProposed("1.1.0");
      const built = async (record: FeedbackRecord, landed: boolean) => {
        const world = await openUnreleased([record]);
        const spec = `docs/specs/${OTHER}_SPEC.md`;
        world.repository.push("main", { "versions.yaml": HISTORY, ...(landed ? { [spec]: "# It\n" } : {}) });
        const { next } = (await buildIn(world)).made;
        return next.step === "verify" ? [next.built.semver, next.built.before] : next;
      };
      expect(await built(other, true)).toEqual(["1.1.1", "1.1.0"]);
      expect(await built(other, false)).toEqual(["1.1.0", "1.0.0"]);
      expect(await built(await toProposed("1.0.1"), true)).toEqual(["1.1.0", "1.0.0"]);
    });

    test("counts from it where there is no served version below that may be its parent", async () => {
      const world = await openUnreleased();
      world.repository.push("main", { "versions.yaml": "current: 1.1.0\nversions:\n  1.1.0:\n    changes: [One.]\n" });
      expect((await buildIn(world)).made.next).toMatchObject({ built: { semver: "1.1.1", before: "1.1.0" } });
    });

    test("finds after a crash that what has landed was to be tagged with the number of the base", async () => {
      const released = async (tag?: "it" | "other") => {
        const world = await openUnreleased();
        world.repository.push("main", { "versions.yaml": HISTORY });
        const more = HISTORY.replace("it.]", "it., The greeting says the name.]");
        const landed = world.repository.push("main", { [SPEC]: "# Greet by name\n", "versions.yaml": more });
        if (tag !== undefined) world.repository.tags.set("v1.1.0", tag === "it" ? landed : world.first);
        return (await buildIn(world)).made.record.proposal?.isRelease;
      };
      expect([await released(), await released("it"), await released("other")]).toEqual([true, true, false]);
    });
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
