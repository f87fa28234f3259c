import { beforeAll, expect, test } from "vitest";
import type { Ground } from "../../../../../../server/architect/planners/planner.ts";
import { createBench } from "../../../../../../server/architect/planners/directives/bench.ts";
import { setPlace } from "../../../../../../server/architect/planners/wishes/drafts/scalar-drafts.ts";
import { listPlaces } from "../../../../../../server/architect/planners/wishes/places/list-places.ts";
import { openAgents } from "../../../../../helpers/open-agents.ts";
import { createGround, readCheckout } from "../../../../../helpers/plan-ground.ts";

let ground: Ground;
beforeAll(async () => {
  ground = await createGround(await readCheckout());
});

test("[A9] another strategy takes the settings of the one before away", async () => {
  const place = listPlaces(ground.version).named.get("manifests/parameters/chat.yaml#experiment/strategy/kind");
  if (place === undefined) throw new TypeError("There is no strategy.");
  const bench = createBench(ground);
  await setPlace(bench, place, "ucb1");
  const plan = bench.toPlan();
  expect(plan.kind === "change" ? plan.files.get(place.file) : plan).toMatch(/strategy:\s*\{?\s*kind: ucb1\s*\}?\n/);
  expect(await bench.find(place.file, ["experiment", "strategy"])).toEqual({ kind: "ucb1" });
});

test("[A9] a description that is called clunky is not kept before the new one", async () => {
  const { firstOffered } = await openAgents(["example"]);
  const message =
    "fs_list has a clunky description. new one: Lists the files and folders in a folder of a run's workspace.";
  expect(await firstOffered("example", message)).toBe(
    "The description of `fs_list` is `Lists the files and folders in a folder of a run's workspace.`.",
  );
});

test("[A9] a tool that changes nothing is not made less idempotent by that", async () => {
  const { changesOf, firstOffered } = await openAgents(["example"]);
  const message = "task_cancel changes nothing the second time, so let it be idempotent";
  expect((await changesOf("example", message)) ?? (await firstOffered("example", message))).toBe(
    "The idempotent of `task_cancel` is `true`; it was `false`.",
  );
});
