import { expect, onTestFinished, test, vi } from "vitest";
import { openArchitect } from "../../../server/architect/open-architect.ts";
import { createIdentifiers } from "../../../server/identifiers.ts";
import { isObject } from "../../../server/json/is-object.ts";
import type { Key, Store } from "../../../server/store/store.ts";
import { createWorld } from "../../helpers/pipeline-world.ts";
import { openTestStore } from "../../helpers/store.ts";

test("a decision counts that came just before anything waited for it", async () => {
  const kept = await openTestStore();
  const now = () => Date.UTC(2026, 0, 1);
  let isDecided: boolean | undefined;
  /** Ends the run before the first look of what waits. */
  const decide = async (key: Key) => {
    const run = key[0] === "run" && isDecided === false ? (await kept.get(key))?.value : undefined;
    if (!isObject(run)) return;
    isDecided = true;
    await kept.commit({ set: [{ key, value: { ...run, status: "rejected", result_summary: "Not now." } }] });
  };
  const store: Store = {
    ...kept,
    async get(key) {
      await decide(key);
      return kept.get(key);
    },
  };
  const world = await createWorld({ createId: createIdentifiers(now), store });
  world.verification = { ...world.verification, required: "major" };
  const architect = await openArchitect({ ...world.context, pollMs: 1_000, isShared: false, conducts: true });
  onTestFinished(() => architect.close());
  const { id } = await architect.submit({
    version: await world.readVersion(world.first),
    address: "1.0.0",
    principal: { tenant: "acme", actor: "ada", capabilities: new Set(["architect:chat"]) },
    roles: ["sender"],
    servers: [],
    message: "Greet by name.",
    attachments: [],
    dryRun: false,
    isMoving: false,
  });
  architect.follow({ tenant: "acme", id }, ({ stage }) => {
    if (stage === "waiting") isDecided ??= false;
  });
  await vi.waitFor(async () => expect((await architect.find("acme", id)).outcome).not.toBeNull(), 10_000);
  expect(isDecided).toBe(true);
  expect((await architect.find("acme", id)).outcome).toMatchObject({
    kind: "answer",
    answer: { result: "rejected", notes: expect.stringContaining("Not now.") },
  });
});
