import { expect, test } from "vitest";
import { openAgents } from "../../../../helpers/open-agents.ts";

const { changesOf } = await openAgents(["school", "parcels"]);

test.each([
  ["parcels", "Set `deterministic` to `false` on `counter.price_postage`."],
  ["school", "`overhead_slides` of `timetable.book_room`: please set `deprecated`."],
  ["parcels", "`lockers.reserve_compartment`: `code_by` must no longer offer `paper`."],
])("names and keys that are written as code are read as those without its marks: %s: %s", async (agent, message) => {
  const changes = await changesOf(agent, message);
  expect(changes).toBeDefined();
  expect(changes).toBe(await changesOf(agent, message.replaceAll("`", "")));
});
