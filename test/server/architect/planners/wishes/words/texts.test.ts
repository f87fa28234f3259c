import { expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf } = await openAgents(["ferry", "example", "library"]);

test("a quotation within a text that stands behind a colon is a part of that text", async () => {
  expect(await changesOf("example", "Title of get_weather: Weather in 'human' words")).toBe(
    "The title of `runner.get_weather` is `Weather in 'human' words`.",
  );
  expect(await changesOf("example", "get_weather's title: use 'Hello'")).toBe(
    "The title of `runner.get_weather` is `Hello`.",
  );
  expect(
    await changesOf("example", "description of location in get_weather: Name of a city, or 'lat,long' coordinates."),
  ).not.toBe("The description of `location` in the input of `runner.get_weather` is `lat,long`.");
});

test("what says how something is now takes the place of no text", async () => {
  const message = "Instructions of the house server: it is children under fourteen now, not under twelve.";
  expect(await changesOf("library", message)).toBeUndefined();
});

test("a description is no title, whatever the title is now", async () => {
  const message = "La descripción de goods en consign_freight debe decir: Qué tipo de carga es.";
  expect((await changesOf("ferry", message)) ?? "").not.toMatch(/title/);
});

test("an unmarked text ends where another wish begins", async () => {
  expect(await changesOf("example", "Title of runner.chat: Talk. And have it read its answers aloud.")).toBeUndefined();
  expect(
    await changesOf("example", "Title of fs_list: Browse a folder. It should show the file sizes as well."),
  ).toBeUndefined();
  expect(await changesOf("example", "runner instructions: write 21:00 where it says 22:00")).toBeUndefined();
});
