import { beforeAll, describe, expect, test } from "vitest";
import { type Agents, openAgents } from "../../../../../helpers/open-agents.ts";

let agents: Agents;

beforeAll(async () => {
  agents = await openAgents(["farm", "library", "marina", "museum"]);
});

describe("[A9] a right", () => {
  test.each([
    ["farm", "ci needs build:logs as well", "The role `ci` grants `build:logs`."],
    ["farm", "ci ought not to have build:start any more", "The role `ci` no longer grants `build:start`."],
    ["library", "Allow the busDriver role to renew loans (loan.renew)", "The role `busDriver` grants `loan.renew`."],
    [
      "marina",
      "night-watch should be allowed to call skippers (watch:call)",
      "The role `night-watch` grants `watch:call`.",
    ],
    ["marina", "let the night watch call skippers: watch:call", "The role `night-watch` grants `watch:call`."],
    ["marina", "skippers may call the night watch (watch:call)", "The role `skipper` grants `watch:call`."],
  ])("is for who the sentence is about (%s: %s)", async (agent, message, change) => {
    expect(await agents.changesOf(agent, message)).toBe(change);
  });

  test.each([
    ["farm", "ci doesn't need build:logs"],
    ["farm", "ci has no need for build:logs"],
    ["farm", "ci can no longer read build:logs"],
    ["farm", "ci needed build:logs last week"],
    ["farm", "ci may read build:logs only on weekends"],
    ["farm", "if the audit passes, ci needs build:logs"],
    ["marina", "night-watch should not be allowed to call skippers (watch:call)"],
    ["museum", "trainees must not read the collection on weekends"],
  ])("is asked about where it may not be meant, or not always (%s: %s)", async (agent, message) => {
    expect(await agents.changesOf(agent, message)).toBeUndefined();
  });
});
