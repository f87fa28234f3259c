import { describe, expect, test } from "vitest";
import { withoutAdding } from "../../../../../server/architect/planners/wishes/leaves-sentence.ts";
import { openAgents } from "../../../../helpers/open-agents.ts";

const { planOf, changesOf, firstOffered } = await openAgents(["example", "farm"]);

describe("[A9] a message of several sentences", () => {
  test.each([
    [
      "example",
      "repository_search doesn't need the under argument, take it out. Also, weights in edge.bind have to lie between -100 and 100",
      "`repository_search` takes no `under` any more. Its handler still reads it, and gets nothing. The minimum of `weight` in the input of `edge.bind` is `-100`. The maximum of `weight` in the input of `edge.bind` is `100`.",
    ],
    [
      "example",
      "get_weather may take 20 seconds. Also, kelvin is missing among its units.",
      "The time limit of `runner.get_weather` is `20000`; it was `15000`. `runner.get_weather` accepts `kelvin` as `units`.",
    ],
    [
      "farm",
      "Windows on ARM is coming: add windows-arm64 to start_build's targets\n15 seconds for start_build instead of 8",
      "`builds.start_build` accepts `windows-arm64` as `target`. The time limit of `builds.start_build` is `15000`; it was `8000`.",
    ],
    [
      "example",
      "limit in repository_search has no description. Write: How many passages at most. A call of exec_run must cost 10 units.",
      "The cost of `exec_run` is `10`; it was `0`. The description of `limit` in the input of `repository_search` is `How many passages at most.`.",
    ],
  ])("is done whole where each of them is sure: %s: %s", async (agent, message, changes) => {
    expect(await changesOf(agent, message)).toBe(changes);
  });

  test("is offered whole where its end may take something back", async () => {
    const message =
      "Set match_threshold to 0.5. Oh and drop the metadata field from runner.chat's input while you're there, will you not";
    expect(await firstOffered("example", message)).toBe(
      "The parameter `chat.match_threshold` is `0.5` by default; it was `0.4`. `runner.chat` takes no `metadata` any more. Its handler still reads it, and gets nothing. An example of `runner.chat` goes with it.",
    );
  });

  test.each([
    ["example", "get_weather may take 20 seconds. Also draw a map of it"],
    ["example", "get_weather may take 20 seconds. And let it sing."],
    [
      "example",
      "Only 10% of the weather conversations should explore. Nothing about this is stable yet. Remove that label.",
    ],
    [
      "farm",
      "allow five calls of fleet.drain_machine a minute, two is too few when we patch plus windows on ARM is coming: add windows-arm64 to start_build's targets",
    ],
    [
      "example",
      "medium is missing among the lengths of replies plus get_weather has to be able to reach air-quality-api.open-meteo.com",
    ],
    [
      "example",
      "Messages of up to ten words should still count as a follow-up in chat; repository_search should return 20 passages by default rather than 10",
    ],
  ])("is not done in part: %s: %s", async (agent, message) => {
    expect((await planOf(agent, message))?.kind).not.toBe("change");
  });

  test("names the wish that is not understood", async () => {
    const plan = await planOf("example", "get_weather may take 20 seconds. Also draw a map of it");
    expect(plan).toMatchObject({
      kind: "reject",
      reason: 'It is not clear what "Also draw a map of it" asks for, so nothing was done.',
      readings: [{ title: "The time limit of `runner.get_weather` is `20000`; it was `15000`." }],
    });
  });

  test.each([
    [
      "get_weather may take 20 seconds. The service behind it is slow.",
      "The time limit of `runner.get_weather` is `20000`; it was `15000`.",
    ],
  ])("is done where the others ask for nothing: %s", async (message, changes) => {
    expect(await changesOf("example", message)).toBe(changes);
  });
});

describe("words that add a further wish", () => {
  test.each([
    ["Also, cap it at 3", "cap it at 3"],
    ["Oh, and one more thing: cap it at 3", "cap it at 3"],
    ["And cap it at 3", "cap it at 3"],
    ["Außerdem soll es 3 sein", "soll es 3 sein"],
    ["Andrea wants 3", "Andrea wants 3"],
    ["Also", "Also"],
  ])("%s", (text, rest) => {
    expect(withoutAdding(text)).toBe(rest);
  });
});

test.each([
  ["use kl_ucb instead of thompson for the weather experiment", "The strategy of the experiment `weather` is `kl_ucb`"],
  ["Each actor should have at most 4 calls running at the same time", "The concurrency of each actor is `4`"],
  ["2 units for a chat call is too expensive, make it 1", "The cost of `runner.chat` is `1`"],
])("[A9] a word that is a verb elsewhere leaves nothing open: %s", async (message, change) => {
  expect(await changesOf("example", message)).toContain(change);
});
