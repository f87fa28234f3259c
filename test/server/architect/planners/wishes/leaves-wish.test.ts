import { beforeAll, describe, expect, test } from "vitest";
import { readMessage } from "../../../../../server/architect/message/read-message.ts";
import type { Ground } from "../../../../../server/architect/planners/planner.ts";
import { createSentencePlanner } from "../../../../../server/architect/planners/wishes/create-sentence-planner.ts";
import { hear } from "../../../../../server/architect/planners/wishes/heard.ts";
import { announcesMore, leavesWish } from "../../../../../server/architect/planners/wishes/leaves-wish.ts";
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

describe("[A9] a message announces more than", () => {
  const price = "manifests/parameters/notices.yaml#parameters/hours_before/default=12";
  const title = 'manifests/beds/find_plantings.yaml#input/properties/limit/title="What grows where"';
  test.each([
    ["one of two wishes", "Two things for notices: hours_before 12", [price]],
    ["a value where an arm should come", "notices needs another arm: evening, with hours_before 12", [price]],
    ["a value where a label should come", "We want one more label, evening, with hours_before 12", [price]],
    ["a field's title for what may be its tool", "find_plantings: limit up to 100, and title it 'X'", [price, title]],
  ])("%s", (_, message, names) => {
    expect(announcesMore(message, names)).toBe(true);
  });

  test.each([
    ["an arm that comes", "notices needs another arm: evening, with hours_before 12", ["arm notices/evening"]],
    ["a quotation", 'Title of notices: "Another arm"', [price]],
    ["one title", "title it 'What grows where'", [title]],
  ])("but not than %s", (_, message, names) => {
    expect(announcesMore(message, names)).toBe(false);
  });
});
