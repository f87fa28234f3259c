import { beforeAll, describe, expect, test } from "vitest";
import { type Agents, openAgents } from "../../../../../../helpers/open-agents.ts";

let agents: Agents;

beforeAll(async () => {
  agents = await openAgents(["tickets", "example"]);
});

/** What is done at once; undefined where the sender is asked. */
const done = (agent: string, message: string) => agents.changesOf(agent, message);

/** All that is done at once or offered. */
async function readingsOf(agent: string, message: string): Promise<string> {
  const plan = await agents.planOf(agent, message);
  return plan?.kind === "change"
    ? plan.changes.join(" ")
    : plan?.kind === "reject"
      ? (plan.readings ?? []).map(({ title }) => title).join(" | ")
      : "";
}

/** "+ viewer kb:read" as the answer says it. */
function toSentence(change: string): string {
  const [sign, role, right] = change.split(" ");
  return `The role \`${role}\` ${sign === "+" ? "grants" : "no longer grants"} \`${right}\`.`;
}

describe("rights of roles", () => {
  test.each([
    ["Take kb:read from the viewer and from the intern.", ["- viewer kb:read", "- intern kb:read"]],
    ["Grant kb:translate to the viewer, and to the intern too.", ["+ viewer kb:translate", "+ intern kb:translate"]],
    [
      "Grant ticket:create and kb:translate to the viewer and the intern.",
      ["+ viewer ticket:create", "+ viewer kb:translate", "+ intern ticket:create", "+ intern kb:translate"],
    ],
    ["Role intern: remove kb:read, add kb:translate", ["- intern kb:read", "+ intern kb:translate"]],
    [
      "Every role except the intern should be allowed to use kb:translate.",
      ["+ viewer kb:translate", "+ intake-bot kb:translate"],
    ],
  ])("are given and taken part by part: %s", async (message, changes) => {
    expect(await done("tickets", message)).toBe(changes.map(toSentence).join(" "));
  });

  test.each([
    ["Take kb:read from the intern, ticket:read stays.", "- intern kb:read"],
    ["Take kb:read from the viewer, the intern keeps it.", "- viewer kb:read"],
    ["Take kb:read from viewer, not from intern.", "- viewer kb:read"],
    ["Only agents should write tickets, so take ticket:read from the intern.", "- intern ticket:read"],
    ["Translating is up to agents: take kb:read away from the intern.", "- intern kb:read"],
    ["Take kb:read from the intern because the viewer answers now.", "- intern kb:read"],
  ])("stay as they are where the message says so: %s", async (message, change) => {
    expect(await done("tickets", message)).toBe(toSentence(change));
  });

  test.each([
    "Grant kb:translate to the viewer, or to the intern.",
    "Grant kb:translate to the viewer, maybe to the intern.",
    "Remove ticket:read from everyone but the viewer.",
    "Let the viewer use kb:translate rather than the agent.",
  ])("are asked about where the message leaves open who is meant: %s", async (message) => {
    expect(await done("tickets", message)).toBeUndefined();
  });

  test.each([
    ["Remove ticket:read from everyone but the viewer.", "viewer"],
    ["Take kb:read from the intern but not ticket:read.", "ticket:read"],
    ["Intern keeps ticket:read, but needs no kb:read any more.", "ticket:read"],
    ["Grant kb:translate to the viewer, never to the intern.", "intern"],
    ["The viewer rather than the intern should have kb:translate.", "intern"],
  ])("are not offered against what the message says: %s", async (message, spared) => {
    expect(await readingsOf("tickets", message)).not.toContain(`\`${spared}\``);
  });

  test("have names that are no words of the sentence", async () => {
    expect(await readingsOf("tickets", "Grant kb:translate to the viewer, not to the intern.")).toBe(
      toSentence("+ viewer kb:translate"),
    );
    expect(await done("tickets", "Grant only to intern.")).toBeUndefined();
    expect(await done("tickets", "Grant deploy to intern.")).toBe(toSentence("+ intern deploy"));
    expect(await readingsOf("tickets", "Role intern: remove kb:read, add kb:translate")).not.toContain("role `add`");
  });

  test("are taken from who asked, and not from whom it is up to", async () => {
    const message = "Cancelling tasks is up to operators: take task_cancel away from requester";
    expect(await done("example", message)).toBe(toSentence("- requester tool:task_cancel"));
  });
});
