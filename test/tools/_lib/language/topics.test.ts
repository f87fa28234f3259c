import { expect, test } from "vitest";
import { toTopicTerms, withTopics } from "../../../../tools/_lib/language/topics.ts";

test("words that people say of a topic bring it with them", () => {
  expect(withTopics(["umbrella", "oslo"])).toEqual(["umbrella", "oslo", "weather"]);
  expect(withTopics(["ticket"])).toEqual(["ticket"]);
});

test("a topic has all words that are said of it", () => {
  expect(toTopicTerms(["weather"])).toEqual(expect.arrayContaining(["umbrella", "glov", "sky", "weather"]));
  expect(toTopicTerms(["ticket"])).toEqual([]);
});
