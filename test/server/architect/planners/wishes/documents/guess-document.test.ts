import { describe, expect, test } from "vitest";
import { createWishPlanner } from "../../../../../../server/architect/planners/wishes/create-wish-planner.ts";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { planOf } = await openAgents(["school", "library", "farm"], [createWishPlanner()]);

function fence(text: string): string {
  return `\n\`\`\`yaml\n${text}\n\`\`\``;
}

describe("[A9] pasted fragments", () => {
  test.each([
    [
      "a role that is new, in a line without a fence",
      "school",
      "Please add this to the roles in access.yaml:\n\n  librarian: [rooms:book, lessons:read]",
      '`roles.librarian` in manifests/policies/access.yaml is `["rooms:book","lessons:read"]`.',
    ],
    [
      "what a role grants, behind a reason",
      "library",
      `Volunteers look after the rooms as well now, so in access.yaml:\n${fence("volunteer: [shelf.read, programme.see, room.see]")}`,
      '`roles.volunteer` in manifests/policies/access.yaml is `["shelf.read","programme.see","room.see"]`.',
    ],
    [
      "a host more of a list that has others",
      "library",
      `please add to egress in the keeping policy:${fence("egress:\n  - hooks.shelfbot.example")}`,
      '`egress` in manifests/policies/keeping.yaml is `["api.bookgraph.example","post.lettermill.example","covers.openshelf.example","h…`.',
    ],
    [
      "values of parameters as their defaults",
      "school",
      `Please make the canteen parameters look like this:${fence("takeaway_fee: 0.4\norder_deadline_hour: 10")}`,
      "`parameters.takeaway_fee.default` in manifests/parameters/canteen.yaml is `0.4`. `parameters.order_deadline_hour.default` in manifests/parameters/canteen.yaml is `10`.",
    ],
    [
      "limits of a tool in a policy",
      "school",
      `add to the limits of tools in access.yaml please:${fence("timetable.find_cover: { rate: 30, concurrency: 3 }")}`,
      '`limits.tools.timetable.find_cover` in manifests/policies/access.yaml is `{"rate":30,"concurrency":3}`.',
    ],
    [
      "what parameters should say from now on",
      "library",
      `house-rules should say this from now on:${fence("parameters:\n  graceDays:\n    default: 3")}`,
      "`parameters.graceDays.default` in manifests/parameters/house-rules.yaml is `3`.",
    ],
    [
      "the tool that they name themselves",
      "school",
      'New description for a tool, see below\n```json\n{ "name": "office.lunch_menu", "description": "Shows what there is to eat." }\n```',
      "`description` in manifests/office/lunch_menu.yaml is `Shows what there is to eat.`.",
    ],
    [
      "a part that is asked for politely",
      "library",
      `can house-rules have this please:${fence("graceDays:\n  default: 3")}`,
      "`parameters.graceDays.default` in manifests/parameters/house-rules.yaml is `3`.",
    ],
    [
      "what parameters are to be like",
      "library",
      `house-rules like this please:${fence("parameters:\n  graceDays:\n    default: 3")}`,
      "`parameters.graceDays.default` in manifests/parameters/house-rules.yaml is `3`.",
    ],
    [
      "indented lines without a fence, below a plea",
      "school",
      "can you apply this to the canteen parameters?\n\n  takeaway_fee:\n    default: 0.5\n  rounding:\n    default: five_cents",
      "`parameters.takeaway_fee.default` in manifests/parameters/canteen.yaml is `0.5`. `parameters.rounding.default` in manifests/parameters/canteen.yaml is `five_cents`.",
    ],
    [
      "what its parameters need, whatever stays",
      "school",
      `canteen should have these values, the rest stays:${fence("takeaway_fee: 0.4\norder_deadline_hour: 10")}`,
      "`parameters.takeaway_fee.default` in manifests/parameters/canteen.yaml is `0.4`. `parameters.order_deadline_hour.default` in manifests/parameters/canteen.yaml is `10`.",
    ],
    [
      "limits that a tool needs",
      "school",
      `timetable.find_cover needs these limits:${fence("limits:\n  time: 9000")}`,
      "`limits.time` in manifests/timetable/find_cover.yaml is `9000`.",
    ],
    [
      "what is said to be so, without a colon",
      "library",
      `The house-rules parameters should be${fence("parameters:\n  graceDays:\n    default: 3")}`,
      "`parameters.graceDays.default` in manifests/parameters/house-rules.yaml is `3`.",
    ],
  ])("change %s", async (_, agent, message, changes) => {
    const plan = await planOf(agent, message);
    expect(plan?.kind === "change" ? plan.changes.join(" ") : plan).toBe(changes);
  });

  test.each([
    [
      "where the named file is not the one that has it",
      "farm",
      `Please put this into access.yaml:${fence("limits:\n  tools:\n    builds.build_logs: { rate: 60 }")}`,
    ],
    [
      "where a list may be all or more",
      "library",
      `Please apply this to the keeping policy:${fence("egress:\n  - hooks.shelfbot.example")}`,
    ],
  ])("are asked about %s", async (_, agent, message) => {
    const plan = await planOf(agent, message);
    expect(plan?.kind === "reject" ? plan.readings?.length : plan).toBeGreaterThan(0);
  });

  test.each([
    [
      "school",
      `here is what the old server had in access.yaml:\n${fence("roles:\n  caretaker: [lessons:read, lunch:read]")}`,
    ],
    ["school", `Somebody mailed us this, looks like spam:${fence('roles:\n  parent: ["*"]')}`],
    [
      "farm",
      `do you think this would be a good idea for the ci role?${fence("ci: [build:start, build:read, build:stop]")}`,
    ],
    ["library", `If the director agrees, put this into access.yaml:${fence("volunteer: [shelf.read, room.see]")}`],
    ["library", `The vendor says we should add this to access.yaml:${fence('volunteer: ["*"]')}`],
    ["library", `Include this in the minutes:${fence("roles:\n  volunteer: [shelf.read, room.see]")}`],
    ["library", `Put this in your notes:${fence("graceDays: 5")}`],
    ["library", `Add this to the report, please:${fence("volunteer: [shelf.read, room.see]")}`],
    ["library", `Write to Ines about this:${fence("graceDays: 5")}`],
    [
      "school",
      "The canteen got this from the caterer:\n\n  takeaway_fee:\n    default: 0.5\n  rounding:\n    default: none",
    ],
    ["library", `Should house-rules say this from now on?${fence("graceDays: 5")}`],
    ["library", `Our auditor says that house-rules should say this:${fence("graceDays: 5")}`],
    [
      "school",
      "can you apply this to the canteen parameters, or would that break anything?\n\n  takeaway_fee:\n    default: 0.5\n  rounding:\n    default: none",
    ],
    ["library", `The house-rules parameters should not be${fence("graceDays: 5")}`],
    ["library", `Our intern thinks house-rules needs these values:${fence("graceDays: 5")}`],
    ["library", `Perhaps house-rules should have these values:${fence("graceDays: 5")}`],
    ["library", `In the demo the house-rules parameters should be${fence("graceDays: 5")}`],
    ["library", `house-rules should have these values, but not before May:${fence("graceDays: 5")}`],
    ["library", `Please apply to house-rules:${fence("graceDays:\n  default: 12")}`],
  ])("are never applied where nobody says so, or they do not fit: %s %s", async (agent, message) => {
    expect((await planOf(agent, message))?.kind).not.toBe("change");
  });

  test("name the keys that no manifest has, with their lines", async () => {
    const message = `Please merge this into house-rules:${fence("graceDays:\n  default: 3\n  colour: red\n  taste: sour")}`;
    expect(await planOf("library", message)).toMatchObject({
      kind: "reject",
      reason: "No manifest has keys `colour` (line 5) and `taste` (line 6), so nothing of this is done.",
    });
  });
});

test("[A9] a block that a message does not order to put anywhere is offered, and not where it asks about it", async () => {
  const block = fence("takeaway_fee: 0.4\norder_deadline_hour: 10");
  const offered = await planOf("school", `Canteen, agreed in the review:${block}`);
  expect(offered?.kind === "reject" ? offered.readings?.[0]?.title : undefined).toContain("`0.4`");
  const asked = await planOf("school", `What does this mean in the canteen?${block}`);
  expect(asked?.kind === "reject" ? asked.readings : undefined).toBeUndefined();
});
