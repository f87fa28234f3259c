import { beforeAll, describe, expect, test } from "vitest";
import { listPlaces } from "../../../../../../server/architect/planners/wishes/places/list-places.ts";
import { withAntecedents } from "../../../../../../server/architect/planners/wishes/plain/with-antecedents.ts";
import { type Agents, openAgents } from "../../../../../helpers/open-agents.ts";

let agents: Agents;

beforeAll(async () => {
  agents = await openAgents(["example"]);
});

describe("[A9] a word that stands for a name of the sentence before", () => {
  test.each([
    ["The maintainer role is unused since operators migrate. Drop it.", "Drop the maintainer role."],
    [
      "Requesters cancel too much. Take task_cancel away from that role.",
      "Take task_cancel away from the requester role.",
    ],
    ["old.example.net was taken over. Revoke it for all versions.", "Revoke old.example.net for all versions."],
    ["0.1.0 runs well. Label it tested.", "Label 0.1.0 tested."],
  ])("is read as that: %s", (message, said) => {
    const { version } = agents.groundOf("example");
    expect(withAntecedents(message, listPlaces(version)).endsWith(said)).toBe(true);
  });

  test.each([
    "The maintainer role is unused. Remove it from the docs.",
    "The judge role and the operator role look alike. Drop it.",
    "The judge role has tool:tuner.propose. Drop it.",
    "Nothing about this is stable yet. Remove that label.",
    "a.example.net and b.example.net are slow. Take that host off the list.",
    'The judge role is called "it". Drop it.',
  ])("stays as it is where something else may be meant: %s", (message) => {
    expect(withAntecedents(message, listPlaces(agents.groundOf("example").version))).toBe(message);
  });
});

describe("[A9] policies", () => {
  test.each([
    ["From now on the Architect may merge only patches by itself", /is `patch`/],
    ["let owners of workers approve their own runs", /is `true`/],
    [
      "whatever touches tools/decisions/** should need somebody's approval",
      /^Changes of `tools\/decisions\/\*\*` wait/,
    ],
    ["The maintainer role is unused since operators do the migrations. Drop it.", /^The role `maintainer` is gone\.$/],
  ])("say who approves of what: %s", async (message, change) => {
    expect(await agents.changesOf("example", message)).toMatch(change);
  });

  test.each([
    "The Architect may not merge patches by itself",
    "who allows self-approval?",
    "Do changes to tools/decisions/** need approval?",
    "tools/decisions/** needs no approval",
    "protect tools/work/** instead of tools/decisions/**",
    "The maintainer role is unused. Remove it from the docs.",
  ])("stay as they are: %s", async (message) => {
    expect(await agents.changesOf("example", message)).toBeUndefined();
  });
});
