import { describe, expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf } = await openAgents(["airfield", "observatory", "example", "tickets", "museum"]);

describe("nothing is done of a message of which another part is a wish that is left over", () => {
  test.each([
    [
      "airfield",
      "No tool talks to notams.skybulletin.example, please take it off the egress list, the secretary must not send notices any longer",
    ],
    [
      "example",
      "The search of the chat parameters can end after 500 evaluations and match_margin stops at 0.5. We need up to 0.8.",
    ],
    ["tickets", "translate_reply: add nl and es as languages, and its cost can go down to 3 units"],
    ["museum", "list_tours: limit up to 60, and an audience seniors."],
  ])("%s: %s", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });
});

describe("parts that only say more of a wish leave it to be done", () => {
  test.each([
    ["airfield", "Deprecate the tool tower.crosswind as of 2026-12-01, reason: pilots use their own app."],
    ["airfield", "Twelve hours is too short notice for most of us. Make 24 the default for lead_hours"],
  ])("%s: %s", async (agent, message) => {
    expect(await changesOf(agent, message)).not.toBeUndefined();
  });
});
