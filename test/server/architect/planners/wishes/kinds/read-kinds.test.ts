import { describe, expect, test } from "vitest";
import { toFeatures } from "../../../../../../server/architect/planners/wishes/kinds/features.ts";
import { kindsOf } from "../../../../../../server/architect/planners/wishes/kinds/kinds-of.ts";
import { toPieces } from "../../../../../../server/architect/planners/wishes/kinds/pieces.ts";
import {
  readKinds,
  scoreOf,
  UNKNOWN_KIND,
} from "../../../../../../server/architect/planners/wishes/kinds/read-kinds.ts";
import { listPlaces } from "../../../../../../server/architect/planners/wishes/places/list-places.ts";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { groundOf } = await openAgents(["shop", "example"]);
const shop = listPlaces(groundOf("shop").version);
const example = listPlaces(groundOf("example").version);

describe("the pieces of a message", () => {
  test("are stems of words, with what stands for the names of this version, for texts and for numbers", () => {
    const pieces = toPieces('Give reader "Ask me" in runner.chat, 5 of units', example);
    expect(pieces.map(({ word, mask }) => mask ?? word).join(" ")).toBe(
      "giv <role> <text> in <tool> , <number> of <field>",
    );
  });

  test("have no names in what another agent calls so", () => {
    expect(toPieces("match_threshold", shop).flatMap(({ mask }) => mask ?? [])).toEqual([]);
    expect(toPieces("match_threshold", example).flatMap(({ mask }) => mask ?? [])).toEqual(["<parameter>"]);
  });

  test("are alike in messages to different agents, but for the names themselves", () => {
    const [one, other] = [
      toFeatures(toPieces("match_threshold should be 0.6", example)),
      toFeatures(toPieces("max_retries should be 6", shop)),
    ];
    const own = (features: ReadonlySet<string>) => [...features].filter((feature) => !feature.startsWith("="));
    expect(own(one)).toContain("<parameter> should");
    expect(own(one).filter((feature) => !other.has(feature))).toEqual(
      own(one).filter((feature) => feature.includes("<parameter>") && !other.has(feature)),
    );
  });
});

describe("the kinds of a change", () => {
  const timeout = "manifests/runner/chat.yaml#limits/time";
  test.each([
    [`${timeout}=999999`, ["tool time up"]],
    [`${timeout}=1`, ["tool time down"]],
    ["grant role reader tool:node.query", ["grant role"]],
    ["manifests/policies/access.yaml#egress + api.example.com", ["egress +"]],
    [`${timeout}=1 & remove runner.chat/input/metadata`, ["tool time down", "remove input"]],
  ])("say which key changes and in which direction, and not whose: %s", (name, kinds) => {
    expect(kindsOf([name], example)).toEqual(kinds);
  });
});

describe("the kinds of change that a message wants", () => {
  // None of these is a message of test/evaluation/feedback.
  test.each([
    ["runner.chat is cut off too early, its time limit has to be 75 seconds", "tool time up"],
    ["Please let the reader role use node.query as well.", "grant role"],
    ['I\'d have the title of runner.chat read "Talk to me"', "tool title other"],
    ["Any idea why get_weather is slow on Tuesdays?", "none"],
  ])("have the right one first: %s", (message, kind) => {
    const [first] = [...readKinds(message, example).scores].sort(([, one], [, other]) => other - one);
    expect(first?.[0]).toBe(kind);
  });

  test("have a low score where no message that was learnt from wants it, and a score for no words", () => {
    const reading = readKinds("", example);
    expect(scoreOf(reading, "no kind at all")).toBe(UNKNOWN_KIND);
    expect([...reading.scores.values()].every((score) => Number.isFinite(score))).toBe(true);
  });
});
