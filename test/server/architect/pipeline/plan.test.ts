import { describe, expect, test } from "vitest";
import { plan } from "../../../../server/architect/pipeline/plan.ts";
import type { Planner } from "../../../../server/architect/planners/planner.ts";
import { createRun, createWorld, GREET, type World } from "../../../helpers/pipeline-world.ts";

const FEEDBACK = { message: "Greet by name.", attachments: [] };
const PLAN = { step: "plan", feedback: FEEDBACK, anew: false } as const;
const PAGE = {
  kind: "change",
  title: "A page",
  changes: ["There is a page."],
  files: new Map([["docs/a.md", "A.\n"]]),
} as const;

async function open(given: Parameters<typeof createWorld>[0] = {}) {
  const world = await createWorld(given);
  return { world, run: await createRun(world) };
}

describe("planning", () => {
  test("keeps the first planner's answer with the commits that it was made from, and builds next", async () => {
    const { world, run } = await open();
    world.plan = PAGE;
    const { record, next } = await plan(world.context, run, PLAN);
    expect(record).toEqual({ ...run.record, planner: "directives" });
    expect(next).toMatchObject({ step: "build", planned: { from: world.first, head: world.first, plan: PAGE } });
    const kept = JSON.parse(run.book.texts.get("decision.json") ?? "");
    expect(kept).toMatchObject({ planner: "directives", from: world.first, plan: { files: [["docs/a.md", "A.\n"]] } });
  });

  test("goes by what was kept after a crash, whatever the planner would say by then", async () => {
    const { world, run } = await open();
    world.plan = PAGE;
    const before = await plan(world.context, run, PLAN);
    world.plan = undefined;
    world.repository.push("main", { "docs/b.md": "B.\n" });
    expect(await plan(world.context, run, PLAN)).toEqual(before);
  });

  test("goes on at the landing where the forge has the change already", async () => {
    const { world, run } = await open();
    await plan(world.context, run, PLAN);
    const change = { key: "k", base: "main", branch: "proposal/k" };
    const proposal = { change, head: world.first } as NonNullable<typeof run.record.proposal>;
    const { next } = await plan(world.context, { ...run, record: { ...run.record, proposal } }, PLAN);
    expect(next).toEqual({ step: "land" });
  });

  test("made anew starts from where the branch is by then", async () => {
    const { world, run } = await open();
    await plan(world.context, run, PLAN);
    const head = world.repository.push("main", { "docs/b.md": "B.\n" });
    const { next } = await plan(world.context, run, { ...PLAN, anew: true });
    expect(next).toMatchObject({ step: "build", planned: { from: head, head } });
  });

  test("passes the guard: a model's plan for a path outside is rejected with the reason", async () => {
    const outside = { ...PAGE, files: new Map([["../outside", "x"]]) };
    const { world, run } = await open({ planners: [{ name: "model", plan: async () => outside }] });
    const { next } = await plan(world.context, run, PLAN);
    expect(next).toMatchObject({ step: "end", answer: { result: "rejected" } });
  });

  test("of nothing that can be told is rejected with what would be accepted", async () => {
    const { world, run } = await open({ planners: [] });
    // The only planner left are workers, and there are none.
    const book = { ...run.book, transact: async () => undefined as never };
    const { record, next } = await plan(world.context, { ...run, book }, PLAN);
    expect(record.planner).toBeNull();
    expect(next).toMatchObject({ step: "end", answer: { result: "rejected" } });
  });

  test.each([
    [{}, "A change was planned (A page), but it cannot be made: no forge"],
    [{ dry_run: true }, undefined],
  ])("without a forge is for dry runs alone: %j", async (given, notes) => {
    const world = await createWorld({ whyNoForge: "no forge" });
    const { forge: _, ...context } = world.context;
    world.plan = PAGE;
    const { next } = await plan(context, await createRun(world, given), PLAN);
    expect(next).toMatchObject(
      notes === undefined ? { step: "build" } : { step: "end", answer: { notes: expect.stringContaining(notes) } },
    );
  });

  test("offers the readings of a planner that asks back, and takes the one that is chosen to that planner alone", async () => {
    const readings = [
      { id: "a", title: "The greeting is warm." },
      { id: "b", title: "The greeting is plain." },
    ] as const;
    const asked: (string | undefined)[] = [];
    const wishes: Planner = {
      name: "wishes",
      plan: async ({ choice }) => {
        asked.push(choice);
        return choice === undefined
          ? { kind: "reject", reason: "Not clear.", accepted: "Did you mean (a) ... or (b) ...?", readings }
          : PAGE;
      },
    };
    const silent: Planner = {
      name: "directives",
      plan: async ({ choice }) => void asked.push(`${choice ?? "-"} first`),
    };
    const { world, run: opened } = await open({ planners: [wishes, silent] });
    const run = { ...opened, book: { ...opened.book, transact: async () => undefined as never } };
    const first = await plan(world.context, run, PLAN);
    expect(first.record.offered).toEqual(readings);
    expect(first.next).toEqual({
      step: "end",
      answer: {
        result: "rejected",
        notes: `Not clear. Did you mean (a) ... or (b) ...? To choose, send \`yes ${run.record.id} a | b\`.`,
      },
    });
    const feedback = { ...FEEDBACK, choice: "The greeting is plain." };
    const second = await plan(world.context, run, { ...PLAN, feedback, anew: true });
    expect(second).toMatchObject({ record: { planner: "wishes" }, next: { step: "build", planned: { plan: PAGE } } });
    expect(asked).toEqual(["- first", undefined, "The greeting is plain."]);
  });

  test("ends after eight attempts that others were faster than", async () => {
    const world: World = await createWorld();
    const at = async (attempt: number) => (await plan(world.context, await createRun(world, { attempt }), PLAN)).next;
    expect(await at(7)).toMatchObject({ step: "build" });
    expect(await at(8)).toMatchObject({
      step: "end",
      answer: { result: "rejected", notes: expect.stringContaining("Others have changed the same branch 8 times") },
    });
  });

  test("reads labels from the branch, and all else from the version", async () => {
    const seen: (string | undefined)[] = [];
    const world = await createWorld({
      planners: [
        {
          name: "directives",
          async plan(_feedback, { readText }) {
            seen.push(await readText("versions.yaml"), await readText(GREET));
            return PAGE;
          },
        },
      ],
    });
    const files = world.repository.read(world.first).files;
    const history = `${files.get("versions.yaml")}# Later.\n`;
    world.repository.push("main", { "versions.yaml": history, [GREET]: "name: other\n" });
    await world.readVersion(world.first);
    await plan(
      { ...world.context, registry: { ...world.context.registry, read: () => world.readVersion(world.first) } },
      await createRun(world),
      PLAN,
    );
    expect(seen).toEqual([history, files.get(GREET)]);
  });
});
