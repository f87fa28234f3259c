import { expect, test } from "vitest";
import { hear } from "../../../../../server/architect/planners/wishes/heard.ts";
import { leavesOpen } from "../../../../../server/architect/planners/wishes/leaves-open.ts";
import { listPlaces } from "../../../../../server/architect/planners/wishes/places/list-places.ts";
import { readPlain } from "../../../../../server/architect/planners/wishes/plain/read-plain.ts";
import { openAgents } from "../../../../helpers/open-agents.ts";

const { groundOf } = await openAgents(["example"]);
const places = listPlaces(groundOf("example").version);
const isOpen = (message: string) => leavesOpen(hear(readPlain(message, places), places), places);

test.each([
  "get_weather: no more than 30 calls a minute per city",
  "Cap the amount in ledger_issue at 10000 per principal and day",
  "In the freight repo, genesis_store.search should return 20 by default",
  "For the sibling repo: cap match_margin at 0.4",
  "Backport to 0.0.7: follow_up_words 5",
  "exec_run darf am Wochenende 512 MB Speicher haben.",
  "Everybody bar the readers may use task_list",
  "Set match_margin to 0.4, in the test branch",
  "Set match_margin to 0.4 for half of the callers",
])("%s: is not meant for all cases", (message) => {
  expect(isOpen(message)).toBe(true);
});

test.each([
  "get_weather: no more than 30 calls a minute per caller",
  "60 calls a minute for each actor instead of 45",
  "In this repo, genesis_store.search should return 20 by default",
  "Everybody may use task_list",
])("%s: is meant as it stands", (message) => {
  expect(isOpen(message)).toBe(false);
});
