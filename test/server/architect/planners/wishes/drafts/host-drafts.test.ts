import { beforeAll, describe, expect, test } from "vitest";
import { type Agents, openAgents } from "../../../../../helpers/open-agents.ts";

let agents: Agents;

beforeAll(async () => {
  agents = await openAgents(["example", "freight", "marina", "museum", "shop"]);
});

describe("[A9] a host", () => {
  test.each([
    ["shop", "No tool talks to rates.bank.example, so take it off the hosts we allow", "rates.bank.example"],
    ["museum", "tiles.oldmaps.example should no longer be on the egress list", "tiles.oldmaps.example"],
    [
      "marina",
      "tides.pilotage.example can come off the list of allowed hosts, nobody calls it",
      "tides.pilotage.example",
    ],
    [
      "freight",
      "No tool asks tariffs.customs.example for anything. Strike it from the egress hosts.",
      "tariffs.customs.example",
    ],
  ])("leaves the list that is spoken of (%s: %s)", async (agent, message, host) => {
    expect(await agents.changesOf(agent, message)).toBe(`Tools can no longer reach \`${host}\`.`);
  });

  test.each([
    [
      "Add air-quality.open-meteo.com to the hosts that the policy allows",
      "Tools may reach `air-quality.open-meteo.com`.",
    ],
    [
      "Let get_weather reach customer.open-meteo.com too. The policy doesn't list that host yet.",
      "Tools may name `customer.open-meteo.com`. `runner.get_weather` may reach `customer.open-meteo.com`.",
    ],
    [
      "Replace archive-api.open-meteo.com by marine.open-meteo.com in the egress list",
      "Tools may reach `marine.open-meteo.com` in place of `archive-api.open-meteo.com`.",
    ],
    ["node --test should be able to reach registry.npmjs.org", "`node --test` may reach `registry.npmjs.org`."],
    ["Block api.example.net everywhere, please", "No version reaches `api.example.net` any more."],
  ])("comes, goes everywhere, or takes the place of others: %s", async (message, change) => {
    expect(await agents.changesOf("example", message)).toBe(change);
  });

  test("is shown where the sentence before names it", async () => {
    const message = "api.example.net was taken over by somebody. Revoke that host for all versions.";
    expect(await agents.firstOffered("example", message)).toBe("No version reaches `api.example.net` any more.");
  });

  test.each([
    ["example", "replace the two open-meteo hosts by *.open-meteo.com"],
    ["example", "Should we revoke api.example.net in all versions?"],
    ["example", "We revoked api.example.net in all versions last week"],
    ["example", "Don't revoke api.open-meteo.com for all versions"],
    ["example", "Revoke api.example.net in all versions but 0.1.0"],
    ["example", "node --test can't reach registry.npmjs.org, why?"],
    ["museum", "tiles.oldmaps.example should not be the only one on the egress list"],
    ["example", "Revoke the host api.open-meteo.com in access.yaml so that no version reaches it."],
    ["museum", "nothing but tiles.oldmaps.example should be on the egress list"],
    ["museum", "No tool talks to tiles.oldmaps.example. Take it off the allowed hosts, and add maps.example.org."],
    ["shop", "take rates.bank.example off the hosts we allow once the contract ends"],
  ])("stays as it is where that is not certain (%s: %s)", async (agent, message) => {
    expect(await agents.changesOf(agent, message)).toBeUndefined();
  });
});
