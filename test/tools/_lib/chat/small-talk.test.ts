import { describe, expect, test } from "vitest";
import { readHelpTopic, readSmallTalk } from "../../../../tools/_lib/chat/small-talk.ts";

describe("readSmallTalk", () => {
  test.each([
    ["Hi", "greeting"],
    ["hello there!", "greeting"],
    ["Good evening.", "greeting"],
    ["help me please", "help"],
    ["so, what can you do?", "help"],
    ["which tools do you have?", "help"],
    ["Who are you?", "help"],
    ["thanks a lot!", "thanks"],
    ["ok, great, thank you", "thanks"],
    ["perfect", "thanks"],
    ["see you later", "goodbye"],
    ["never mind.", "cancel"],
    ["hello, what's the weather in Paris?", undefined],
    ["help with the weather", undefined],
    ["what can you do about the rain in Spain", undefined],
    ["stop words", undefined],
    ["good", "thanks"],
    ["goods", undefined],
  ])("takes %j for %s", (message, expected) => {
    expect(readSmallTalk(message)).toBe(expected);
  });
});

describe("readHelpTopic", () => {
  test.each([
    ["help with docs.search", "docs.search"],
    ["How do I use the weather?", "the weather"],
    ["what does notes.add do?", "notes.add"],
    ["weather", undefined],
  ])("finds in %j the topic %s", (message, topic) => {
    expect(readHelpTopic(message)).toBe(topic);
  });
});
