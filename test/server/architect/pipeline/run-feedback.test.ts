import { describe, expect, test } from "vitest";
import type { ArchitectContext } from "../../../../server/architect/pipeline/context.ts";
import { readFeedbackRecord } from "../../../../server/architect/pipeline/feedback-record.ts";
import { runFeedback } from "../../../../server/architect/pipeline/run-feedback.ts";
import { submitFeedback } from "../../../../server/architect/pipeline/submit-feedback.ts";
import { createTurns } from "../../../../server/architect/pipeline/turns.ts";
import type { ChangePlan } from "../../../../server/architect/planners/plan.ts";
import type { Forge } from "../../../../server/forge/forge.ts";
import { createIdentifiers } from "../../../../server/identifiers.ts";
import { CairnError } from "../../../../server/errors.ts";
import { feedbackKey } from "../../../../server/store/keys.ts";
import type { Store } from "../../../../server/store/store.ts";
import { createWorld, FAILED, GREET, PASSED, type World } from "../../../helpers/pipeline-world.ts";
import { openTestStore } from "../../../helpers/store.ts";

const isLong = process.env["CAIRN_LONG"] !== undefined;
/** Points of the walk below that are tried by default. */
const SAMPLES = 12;

class Killed extends Error {}

/** Dies before or after one of the effects on the store and the forge, counted; each counts twice. */
function createMortal(world: World, store: Store, lives: number) {
  const abort = new AbortController();
  let left = lives;
  let points = 0;
  const point = () => {
    points += 1;
    if (abort.signal.aborted || --left < 0) {
      abort.abort();
      throw new Killed();
    }
  };
  const around = <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) => {
    return async (...args: Args) => {
      point();
      const result = await work(...args);
      point();
      return result;
    };
  };
  const { propose, report, land, refresh, abandon, tag } = world.forge;
  const forge: Forge = {
    ...world.forge,
    propose: around(propose),
    report: around(report),
    land: around(land),
    refresh: around(refresh),
    abandon: around(abandon),
    tag: around(tag),
  };
  const context: ArchitectContext = {
    ...world.context,
    store: { ...store, commit: around(store.commit) },
    forge,
    signal: abort.signal,
  };
  return { context, count: () => points };
}

async function open(given: Partial<ArchitectContext> = {}) {
  const store = await openTestStore();
  const now = () => Date.UTC(2026, 0, 1);
  const world = await createWorld({ createId: createIdentifiers(now), ...given, store });
  const version = await world.readVersion(world.first);
  const send = (message: string, more: { readonly isMoving?: boolean; readonly dryRun?: boolean } = {}) =>
    submitFeedback(
      {
        version,
        address: "1.0.0",
        principal: { tenant: "acme", actor: "ada", capabilities: new Set(["architect:chat"]) },
        roles: ["sender"],
        servers: [],
        message,
        attachments: [],
        dryRun: false,
        ...more,
      },
      { ...world.context, store },
    );
  const load = async (id: string) => readFeedbackRecord((await store.get(feedbackKey("acme", id)))?.value);
  const drive = async (id: string, context: ArchitectContext = world.context, turns = createTurns(context)) =>
    runFeedback(context, await load(id), { isLastTry: false, turns });
  return { world, store, send, load, drive };
}

function expectOnce({ repository, forge, workspaces }: World): void {
  const main = repository.branches.get("main") ?? "";
  expect(repository.listAncestors(main)).toHaveLength(2);
  expect(repository.read(main).files.get(GREET)).toContain("Greets by name.");
  expect([...repository.branches.keys()]).toEqual(["main"]);
  expect([...repository.tags]).toEqual([
    ["v1.0.0", repository.listAncestors(main)[1]],
    ["v1.0.1", main],
  ]);
  expect(forge.listOpen()).toEqual([]);
  expect(workspaces.size).toBe(0);
}

describe("the driver of the pipeline", () => {
  test("takes feedback through all steps to its end, and saves where it stands after each", async () => {
    const { world, store, send, load, drive } = await open();
    const { id } = await send("Greet by name.");
    const stages: string[] = [];
    const commit: Store["commit"] = async (given) => {
      const result = await store.commit(given);
      const { stage } = await load(id);
      if (stages.at(-1) !== stage) stages.push(stage);
      return result;
    };
    const done = await drive(id, { ...world.context, store: { ...store, commit } });
    expect(stages).toEqual(["received", "proposing", "checks", "landed", "ended"]);
    expect(done).toMatchObject({
      kind: "ended",
      record: { stage: "ended", outcome: { kind: "answer", answer: { result: "committed", new_version: "1.0.1" } } },
    });
    expect(await load(id)).toEqual(done.kind === "ended" ? done.record : undefined);
    expectOnce(world);
  });

  test("has the same end wherever it is killed, and whenever the life after that ends, too", async () => {
    const whole = await open();
    const mortal = createMortal(whole.world, whole.store, Infinity);
    await whole.drive((await whole.send("Greet by name.")).id, mortal.context);
    const count = mortal.count();
    expect(count).toBeGreaterThan(40);
    const every = isLong ? 1 : Math.ceil(count / SAMPLES);
    for (let lives = 0; lives < count; lives += every) {
      const { world, store, send, load, drive } = await open();
      const { id } = await send("Greet by name.");
      for (const life of [lives, (lives * 7) % count]) {
        const { context } = createMortal(world, store, life);
        await drive(id, context).catch((error: unknown) => {
          if (!context.signal.aborted) throw error;
        });
      }
      if ((await load(id)).outcome === null) await drive(id);
      expect((await load(id)).outcome, String(lives)).toMatchObject({
        answer: { result: "committed", new_version: "1.0.1" },
      });
      expectOnce(world);
    }
  });

  test("ends what does not hold as rejected, with nothing left behind", async () => {
    const { world, send, drive } = await open();
    world.verification = FAILED;
    const done = await drive((await send("Greet by name.")).id);
    expect(done).toMatchObject({ record: { outcome: { answer: { result: "rejected" } }, proposal: null } });
    expect([world.repository.branches.size, world.repository.tags.size, world.workspaces.size]).toEqual([1, 1, 0]);
  });

  test("leaves a dry run without a trace in the repository", async () => {
    const { world, send, drive } = await open();
    const done = await drive((await send("Greet by name.", { dryRun: true })).id);
    expect(done).toMatchObject({ record: { outcome: { answer: { result: "committed", new_version: "1.0.1" } } } });
    expect([...world.repository.branches]).toEqual([["main", world.first]]);
  });

  test("lets go of what needs an approval, and keeps that it does", async () => {
    const { world, send, load, drive } = await open();
    world.verification = { ...world.verification, required: "major" };
    const { id } = await send("Greet by name.");
    expect(await drive(id)).toEqual({ kind: "waiting" });
    expect(await load(id)).toMatchObject({ stage: "approval", outcome: null });
    // A further start finds that it still waits.
    expect(await drive(id)).toEqual({ kind: "waiting" });
    expect([world.repository.branches.size, world.workspaces.size]).toEqual([1, 0]);
  });

  test("tells a failure of ours from one that may pass", async () => {
    const failing = (error: Error) =>
      open({
        async verify() {
          throw error;
        },
        onError: () => undefined,
      });
    const passing = await failing(new CairnError("UNAVAILABLE", "Not now."));
    const { id } = await passing.send("Greet by name.");
    await expect(passing.drive(id)).rejects.toMatchObject({ name: "UNAVAILABLE" });
    expect((await passing.load(id)).outcome).toBeNull();
    const broken = await failing(new Error("secret"));
    const ended = await broken.drive((await broken.send("Greet by name.")).id);
    expect(ended).toMatchObject({
      record: { stage: "ended", outcome: { kind: "error", error: { name: "INTERNAL_ERROR" } } },
    });
    expect(JSON.stringify(ended)).not.toContain("secret");
  });

  test("never gives up what is on its way to its base because something failed meanwhile", async () => {
    const { world, send, load, drive } = await open();
    const { land } = world.forge;
    world.forge.land = () => Promise.reject(new Error("broken"));
    const { id } = await send("Greet by name.");
    await expect(drive(id)).rejects.toThrow("broken");
    expect(await load(id)).toMatchObject({ stage: "checks", outcome: null });
    world.forge.land = land;
    expect(await drive(id)).toMatchObject({ record: { outcome: { answer: { result: "committed" } } } });
    expectOnce(world);
  });
});

describe("turns on one branch", () => {
  const page = (at: number): ChangePlan => ({
    kind: "change",
    title: `Page ${at}`,
    changes: [`There is page ${at}.`],
    files: new Map([[`docs/p${at}.md`, `${at}\n`]]),
  });

  async function race(messages: readonly string[], given: Partial<ArchitectContext> = {}) {
    const planner = {
      name: "directives",
      plan: async ({ message }: { readonly message: string }) => page(Number(message)),
    } as const;
    const opened = await open({ planners: [planner], ...given });
    const { world, send, drive } = opened;
    const turns = createTurns(world.context);
    const records = [];
    for (const message of messages) records.push(await send(message));
    const ended = await Promise.all(records.map(({ id }) => drive(id, world.context, turns)));
    const answers = ended.map((one) =>
      one.kind === "ended" && one.record.outcome?.kind === "answer" ? one.record.outcome.answer : undefined,
    );
    return { ...opened, answers, records: ended };
  }

  test("those that wait land together as one change, verified once", async () => {
    let verified = 0;
    const { world, answers } = await race(["1", "2", "3", "4"], {
      verify: async () => {
        verified += 1;
        return PASSED;
      },
    });
    expect(answers.map((answer) => answer?.result)).toEqual(Array(4).fill("committed"));
    const main = world.repository.read(world.repository.branches.get("main") ?? "").files;
    expect([1, 2, 3, 4].map((at) => main.get(`docs/p${at}.md`))).toEqual(["1\n", "2\n", "3\n", "4\n"]);
    expect(verified).toBe(2);
    expect(answers.filter((answer) => answer?.notes.includes("It landed together with 2 other changes."))).toHaveLength(
      3,
    );
    expect(world.forge.listOpen()).toEqual([]);
  });

  test("each goes by itself where all of them together do not hold, and one that does not is rejected alone", async () => {
    const { world, answers } = await race(["1", "2", "3"], {
      verify: async ({ changed }) => (changed.includes("docs/p3.md") ? FAILED : PASSED),
    });
    expect(answers.map((answer) => answer?.result)).toEqual(["committed", "committed", "rejected"]);
    const main = world.repository.read(world.repository.branches.get("main") ?? "").files;
    expect([...main.keys()].filter((path) => path.startsWith("docs/p"))).toEqual(["docs/p1.md", "docs/p2.md"]);
    expect(world.workspaces.size).toBe(0);
  });

  test("where the leader's landing fails, the others have their turns all the same", async () => {
    const opened = await open({
      planners: [{ name: "directives", plan: async ({ message }) => page(Number(message)) }],
    });
    const { world, send, drive } = opened;
    const { propose } = world.forge;
    world.forge.propose = async (proposal) => {
      if ([...proposal.files.keys()].filter((path) => path.startsWith("docs/p")).length > 1) throw new Error("broken");
      return propose(proposal);
    };
    const turns = createTurns(world.context);
    const ids = [];
    for (const message of ["1", "2", "3"]) ids.push((await send(message)).id);
    const ended = await Promise.allSettled(ids.map((id) => drive(id, world.context, turns)));
    expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const main = world.repository.read(world.repository.branches.get("main") ?? "").files;
    expect([...main.keys()].filter((path) => path.startsWith("docs/p"))).toEqual(["docs/p1.md", "docs/p3.md"]);
  });
});
