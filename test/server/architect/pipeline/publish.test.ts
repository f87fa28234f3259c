import { describe, expect, test } from "vitest";
import type { FeedbackRecord } from "../../../../server/architect/pipeline/feedback-record.ts";
import { publish } from "../../../../server/architect/pipeline/publish.ts";
import { createMemoryBook, createRun, createWorld, ID, type World } from "../../../helpers/pipeline-world.ts";

/** Feedback of which a release, or a page, has landed. */
async function open(world: World, given: Partial<NonNullable<FeedbackRecord["proposal"]>> = {}) {
  const history = world.repository.read(world.first).files.get("versions.yaml") ?? "";
  const raised = history
    .replace("current: 1.0.0", "current: 1.0.1")
    .replace(
      "versions:\n",
      "versions:\n  1.0.1:\n    parent: 1.0.0\n    date: 2026-01-02T00:00:00Z\n    changes: [By name.]\n",
    );
  const landed = world.repository.push(
    "main",
    given.isRelease === false ? { "docs/a.md": "A.\n" } : { "versions.yaml": raised },
  );
  const proposal = { base: "main", from: world.first, isRelease: true, landed, change: null, ...given };
  const texts = new Map([["plan.json", JSON.stringify({ objective: "Greet by name\nThe rest." })]]);
  const run = await createRun(
    world,
    { stage: "landed", proposal: proposal as FeedbackRecord["proposal"] },
    createMemoryBook({ texts }),
  );
  return { landed, run };
}

describe("publishing", () => {
  test("tags what has landed, and answers once that is served", async () => {
    const world = await createWorld();
    const { landed, run } = await open(world);
    const { record, next } = await publish(world.context, run);
    expect(record).toBe(run.record);
    expect(world.repository.tags.get("v1.0.1")).toBe(landed);
    expect(next).toEqual({
      step: "end",
      done: [{ step: "land", message: "Landed as v1.0.1." }],
      answer: {
        result: "committed",
        new_version: "1.0.1",
        commit_hash: landed,
        notes: `Greet by name. It is live as 1.0.1, made from 1.0.0; every older version answers as before. Run ${ID} has the plan, the checks and the patch. \`undo ${ID}\` takes it back.`,
      },
    });
    expect(world.audited).toMatchObject([{ change: "feedback.landed", details: { commit: landed, tag: "v1.0.1" } }]);
  });

  test("gives the same answer again after a crash behind the tag", async () => {
    const world = await createWorld();
    const { run } = await open(world);
    const { next } = await publish(world.context, run);
    expect((await publish(world.context, run)).next).toEqual(next);
    expect([...world.repository.tags.keys()]).toEqual(["v1.0.0", "v1.0.1"]);
  });

  test("gives it a name of its own where somebody has given its number away, and fails where that is taken, too", async () => {
    const world = await createWorld();
    const { landed, run } = await open(world);
    world.repository.tags.set("v1.0.1", world.first);
    const { next } = await publish(world.context, run);
    expect(next).toMatchObject({ answer: { new_version: "1.0.1", notes: expect.stringContaining("1.0.1+01a20306") } });
    expect(world.repository.tags.get("v1.0.1+01a20306")).toBe(landed);
    world.repository.tags.set("v1.0.1+01a20306", world.first);
    await expect(publish(world.context, run)).rejects.toMatchObject({ name: "CONFLICT" });
  });

  test("tags nothing of a page, and names its company and its pull request", async () => {
    const world = await createWorld();
    const change = { key: ID, base: "main", branch: "b", url: "https://forge/1" };
    const { landed, run } = await open(world, { isRelease: false, change, together: ["other"] });
    const { next } = await publish(world.context, run);
    expect([...world.repository.tags.keys()]).toEqual(["v1.0.0"]);
    const notes = `Greet by name. It is on \`main\`; no version needs another number for it. It landed together with another change. Its pull request is https://forge/1. Run ${ID} has the plan, the checks and the patch. \`undo ${ID}\` takes it back.`;
    expect(next).toMatchObject({ answer: { result: "committed", commit_hash: landed, notes } });
    expect(next).not.toHaveProperty("answer.new_version");
  });

  test("rejects with UNAVAILABLE, to be tried again, while the upstream cannot be read or does not serve it", async () => {
    const world = await createWorld();
    const { run } = await open(world);
    const unread = { ...world.context.registry, refresh: async () => ({ ok: false, message: "It is away." }) as never };
    await expect(publish({ ...world.context, registry: unread }, run)).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: "It is away.",
    });
    expect([...world.repository.tags.keys()]).toEqual(["v1.0.0"]);
    let looks = 0;
    world.onPause = () => void looks++;
    const resolve = () => Promise.reject(new Error("not yet"));
    const unserved = { ...world.context, registry: { ...world.context.registry, resolve } };
    await expect(publish(unserved, run)).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: "`v1.0.1` is not served yet.",
    });
    expect(looks).toBe(20);
  });
});
