import { beforeAll, describe, expect, test } from "vitest";
import { readMessage } from "../../../../../server/architect/message/read-message.ts";
import type { Ground } from "../../../../../server/architect/planners/planner.ts";
import { createSentencePlanner } from "../../../../../server/architect/planners/wishes/create-sentence-planner.ts";
import { hear } from "../../../../../server/architect/planners/wishes/heard.ts";
import { leavesWish } from "../../../../../server/architect/planners/wishes/leaves-wish.ts";
import { listPlaces } from "../../../../../server/architect/planners/wishes/places/list-places.ts";
import { createGround, readCheckout } from "../../../../helpers/plan-ground.ts";

let ground: Ground;
beforeAll(async () => {
  ground = await createGround(await readCheckout());
});

describe("[A9] wishes beside others", () => {
  test("are left where only one of two is among the changes", () => {
    const heard = hear(
      readMessage("- runner.chat: time limit 70 s\n- exec_run: time limit 80 s"),
      listPlaces(ground.version),
    );
    const chat = "manifests/runner/chat.yaml#limits/time=70000";
    const run = "manifests/work/exec_run.yaml#limits/time=80000";
    expect(leavesWish(heard, [chat])).toBe(true);
    expect(leavesWish(heard, [`${run} & ${chat}`])).toBe(false);
  });

  test("are done together, and what stays is no wish", async () => {
    const message = "1. runner.chat: time limit 70 s\n2. exec_run: time limit 80 s\n3. fs_read: stays as it is";
    const plan = await createSentencePlanner().plan({ message, attachments: [] }, ground);
    expect(plan?.kind === "change" ? plan.changes : plan).toEqual([
      "The time limit of `runner.chat` is `70000`; it was `60000`.",
      "The time limit of `exec_run` is `80000`; it was `300000`.",
    ]);
  });
});
