import { expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf } = await openAgents(["school"]);

test("nothing gets another name where no word says so", async () => {
  const renamed = "`overhead_slides` in the input of `timetable.book_room` is called `slides`.";
  expect(await changesOf("school", 'overhead_slides of timetable.book_room: please set "slides".')).toBeUndefined();
  expect(await changesOf("school", 'overhead_slides of timetable.book_room: please rename it to "slides".')).toBe(
    renamed,
  );
});
