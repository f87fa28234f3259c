import { expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf } = await openAgents(["example", "farm", "ferry", "marina", "museum", "theatre"]);

test.each([
  [
    "farm",
    "Set record to true for start_build, the auditors keep asking.",
    "The record of `builds.start_build` is `true`",
  ],
  [
    "museum",
    "90 calls a minute for foyer.hold_tickets, 60 is too tight on Sundays",
    "The rate limit of `foyer.hold_tickets` is `90`",
  ],
  [
    "marina",
    "Would you mind letting berths.reserve take crews of up to 20 people rather than 16? The tall ships are coming in June.",
    "The maximum of `crew` in the input of `berths.reserve` is `20`",
  ],
  [
    "theatre",
    "Our gold leaf man has retired, so drop gilded from the finishes of order_piece",
    "`workshop.order_piece` no longer accepts `gilded` as `finish`",
  ],
  [
    "example",
    "Chat asks back too often which tool was meant. Set match_margin to 0.1.",
    "The parameter `chat.match_margin` is `0.1` by default",
  ],
  [
    "ferry",
    "Some people want to know much earlier. lead_minutes of the alerts should be allowed up to 480.",
    "The maximum of the parameter `alerts.lead_minutes` is `480`",
  ],
  ["theatre", "Cut call_cast off after 8 seconds", "The time limit of `rehearsal.call_cast` is `8000`"],
  [
    "theatre",
    "All tools that don't say otherwise should have 96 MB of memory",
    "The memory limit of the agent is `96`",
  ],
  [
    "theatre",
    "Tools without a time limit of their own should get 15 seconds",
    "The time limit of the agent is `15000`",
  ],
])("%s: %s: what is wanted is done without its reason", async (agent, message, change) => {
  expect(await changesOf(agent, message)).toContain(change);
});

test.each([
  // A condition, an approval that lacks, a second wish, what a reason is needed for, and what is not wanted any more.
  ["farm", "Raise the payload limit of start_build to 600 KiB, the board has not agreed yet."],
  ["farm", "Set record to true for start_build, lts goes."],
  ["museum", "90 calls a minute for foyer.hold_tickets from Sunday on"],
  ["marina", "Let berths.reserve take crews of up to 20 people, the captain has not agreed"],
  ["theatre", "We can seat 180 now. quote_group has to take groups that large."],
  ["theatre", "Remove call_cast after 8 days"],
  ["theatre", "Tools that don't have a title of their own should get one"],
  ["example", "Ida asks us to wait. Set match_margin to 0.1."],
  ["ferry", "storm is still on 2.2.0?! Put it on 2.3.0."],
  ["theatre", "Severity needs no longer to be given in report_damage."],
])("%s: %s: is asked about", async (agent, message) => {
  expect(await changesOf(agent, message)).toBeUndefined();
});
