import { beforeAll, describe, expect, test } from "vitest";
import { type Agents, openAgents } from "../../../../helpers/open-agents.ts";

let agents: Agents;

beforeAll(async () => {
  agents = await openAgents(["example", "farm", "marina", "museum", "shop"]);
});

/** What is done at once, in one line; undefined where nothing is. */
async function doneOf(agent: string, message: string): Promise<string | undefined> {
  const plan = await agents.planOf(agent, message);
  if (plan?.kind === "tune") return plan.adjustments.map((one) => JSON.stringify(one)).join(" ");
  return plan?.kind === "change" ? plan.changes.join(" ") : undefined;
}

describe("[A9] wishes about experiments", () => {
  test.each([
    ["example", "sigma: 0.08", "The sigma of the experiment `chat` is `0.08`; it was `0.05`."],
    ["example", "minSamples 60", "The minimum samples of the experiment `weather` are `60`; they were `30`."],
    [
      "example",
      "The chat search should end after 1000 evaluations instead of 2000",
      "The evaluations of the experiment `chat` are `1000`; they were `2000`.",
    ],
    [
      "example",
      "chat experiment: rewards out of range should be clipped rather than rejected",
      "The treatment of rewards out of range of the experiment `chat` is `clip`; it was `reject`.",
    ],
    [
      "example",
      "the weather experiment must never promote its winner by itself",
      "The promote automatically of the experiment `weather` is `false`; it was `true`.",
    ],
    [
      "farm",
      "Change the loyal arm of scheduler so that lookahead is 20 there, not 16",
      "The value of `lookahead` in the arm `loyal` of `scheduler` is `20`; it was `16`.",
    ],
    [
      "museum",
      "add an arm gentle to the renewals experiment: voice chatty, weeks_before 6",
      "The experiment `renewals` has an arm `gentle`.",
    ],
    ["marina", "drop the arm soon from notices", "The experiment `notices` has no arm `soon` any more."],
    ["farm", "Give everyone the arm loyal", '{"kind":"promote","experiment":"scheduler","arm":"loyal"}'],
    [
      "shop",
      "Everybody should be given the arm discovery in ranking",
      '{"kind":"promote","experiment":"ranking","arm":"discovery"}',
    ],
  ])("are done at once: %s: %s", async (agent, message, changes) => {
    expect(await doneOf(agent, message)).toBe(changes);
  });

  test("make what an arm has the defaults", async () => {
    const changes =
      "The parameter `notices.tone` is `official` by default; it was `brief`. The parameter `notices.lead_hours` is `18` by default; it was `12`.";
    expect(await doneOf("marina", "Make what the arm stern uses the defaults of notices")).toBe(changes);
    expect(await doneOf("marina", "Turn the values of stern into the defaults of notices")).toBe(changes);
  });

  test.each([
    ["marina", "Make the arm stern use the defaults of notices"],
    ["marina", "Make what the arm stern uses in tone the default of notices"],
    ["marina", "Make what the arm stern uses the defaults of notices, but keep tone"],
    ["marina", "The arm soon from notices is great"],
    ["marina", "The arm jolly in notices is great"],
    ["example", "The sigma of greeting should be 0.1"],
    ["example", "weather should not stop after 60 samples"],
    ["example", "weather may only stop once every arm has 60 samples and the board agrees"],
    ["example", "chat experiment: rewards out of range are rejected rather than clipped"],
    ["example", "The weather experiment promotes its winner by itself"],
    ["farm", "lookahead is 24 in the loyal arm of scheduler, not 16"],
    ["farm", "Everybody was given the arm loyal last week"],
    ["shop", "Everybody should be given the discovery arm of ranking once it wins"],
    ["museum", "there is an arm gentle in renewals: voice chatty, weeks_before 6"],
  ])("are not guessed from what says something else: %s: %s", async (agent, message) => {
    expect(await doneOf(agent, message)).toBeUndefined();
  });
});

test("[A9] a part of an experiment goes without the experiment", async () => {
  const message = "Remove the stop rule from the weather experiment, we decide ourselves when it is over.";
  expect(await agents.firstOffered("example", message)).toBe("The experiment `weather` has no stop rule any more.");
  expect(await doneOf("example", "Drop the weather experiment")).toBe("The parameters `weather` are no longer tuned.");
});
