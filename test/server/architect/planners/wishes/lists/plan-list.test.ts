import { describe, expect, test } from "vitest";
import { createWishPlanner } from "../../../../../../server/architect/planners/wishes/create-wish-planner.ts";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { planOf } = await openAgents(
  ["school", "library", "tickets", "freight", "example", "theatre"],
  [createWishPlanner()],
);

describe("[A9] lists are read with their heading", () => {
  test.each([
    [
      "school",
      "write_letter:\n* copies_to: up to 10 addresses\n* body: up to 4000 characters",
      "The maximum number of `copies_to` in the input of `office.write_letter` is `10`; it was `5`. The maximum length of `body` in the input of `office.write_letter` is `4000`; it was `3000`.",
    ],
    [
      "library",
      "New house rules:\n1. graceDays 3\n2. rounding tenCents\n3. maxRenewals: stays as it is",
      "The parameter `house-rules.graceDays` is `3` by default; it was `2`. The parameter `house-rules.rounding` is `tenCents` by default; it was `none`.",
    ],
    [
      "school",
      "for the role caretaker:\n1. take lessons:read away\n2. give it lunch:read",
      "The role `caretaker` no longer grants `lessons:read`. The role `caretaker` grants `lunch:read`.",
    ],
    [
      "tickets",
      "(a) intern gets kb:translate (b) agent loses kb:translate",
      "The role `intern` grants `kb:translate`. The role `agent` no longer grants `kb:translate`.",
    ],
    [
      "library",
      "Grant to the role volunteer:\n- room.see\n- notice.send",
      "The role `volunteer` grants `room.see`. The role `volunteer` grants `notice.send`.",
    ],
    [
      "tickets",
      "Time limits:\n- desk.create_ticket: 8 s\n- desk.search_tickets: 4 s",
      "The time limit of `desk.create_ticket` is 8000 ms; it was 5000. The time limit of `desk.search_tickets` is 4000 ms; it was 2000.",
    ],
    [
      "school",
      "Make required in book_room:\n- people\n- purpose",
      "`people` in the input of `timetable.book_room` is required. An example of `timetable.book_room` goes with it. `purpose` in the input of `timetable.book_room` is required.",
    ],
    [
      "library",
      "notices:\n- leadDays: 4\n- attempts: 3",
      "The parameter `notices.leadDays` is `4` by default; it was `3`. The experiment of `notices` has the arm `default` to compare with. The parameter `notices.attempts` is `3` by default; it was `2`.",
    ],
    [
      "school",
      "Changes to roles:\n* caretaker gets cover:find\n* deputy loses rooms:book",
      "The role `caretaker` grants `cover:find`. The role `deputy` no longer grants `rooms:book`.",
    ],
    [
      "example",
      "get_weather:\na) units: add kelvin\nb) title: Weather report\nc) description of location: Name of a city, or 'lat,long' coordinates.",
      "`runner.get_weather` accepts `kelvin` as `units`. The title of `runner.get_weather` is `Weather report`. The description of `location` in the input of `runner.get_weather` is `Name of a city, or 'lat,long' coordinates.`.",
    ],
    [
      "freight",
      "Pickups, as agreed on Monday:\n- cutoff_hour: 15\n- tone: polite",
      "The parameter `pickups.cutoff_hour` is `15` by default; it was `14`. The parameter `pickups.tone` is `polite` by default; it was `plain`.",
    ],
    [
      "school",
      "Canteen, after yesterday's meeting:\n- takeaway_fee 0.5\n- order_deadline_hour: 10",
      "The parameter `canteen.takeaway_fee` is `0.5` by default; it was `0.3`. The parameter `canteen.order_deadline_hour` is `10` by default; it was `9`.",
    ],
    [
      "school",
      "New defaults after the staff meeting:\n1. send_hour: 17\n2. takeaway_fee: 0.5",
      "The parameter `letters.send_hour` is `17` by default; it was `16`. The experiment of `letters` has the arm `default` to compare with. The parameter `canteen.takeaway_fee` is `0.5` by default; it was `0.3`.",
    ],
    [
      "school",
      "Canteen, decided with the parents last week:\n- takeaway_fee 0.5\n- order_deadline_hour: 10",
      "The parameter `canteen.takeaway_fee` is `0.5` by default; it was `0.3`. The parameter `canteen.order_deadline_hour` is `10` by default; it was `9`.",
    ],
    [
      "tickets",
      "Rights, as agreed in the review:\n- intern also gets kb:translate\n- agent loses kb:translate",
      "The role `intern` grants `kb:translate`. The role `agent` no longer grants `kb:translate`.",
    ],
    [
      "tickets",
      "Better titles:\n1. desk.create_ticket: Open a ticket for somebody\n2. search_tickets: Look for tickets",
      "The title of `desk.create_ticket` is `Open a ticket for somebody`. The title of `desk.search_tickets` is `Look for tickets`.",
    ],
    [
      "tickets",
      "Two things for knowledge.translate_reply:\n* title: Put it in other words\n* cost: 3 units",
      "The title of `knowledge.translate_reply` is `Put it in other words`. The cost of `knowledge.translate_reply` is `3`; it was `4`.",
    ],
    [
      "tickets",
      "- cost of knowledge.translate_reply: 3\n- title of create_ticket: Open a ticket",
      "A call of `knowledge.translate_reply` costs 3 units; it was 4. The title of `desk.create_ticket` is `Open a ticket`.",
    ],
  ])("and done at once where each item is sure: %s %s", async (agent, message, changes) => {
    const plan = await planOf(agent, message);
    expect(plan?.kind === "change" ? plan.changes.join(" ") : plan).toBe(changes);
  });

  test.each([
    ["school", "role teacher:\n- letters:send\n- cover:find"],
    ["school", "Canteen rules:\n- takeaway_fee 0.5\n- rounding ten_cents, but only from Monday"],
    ["school", "Two changes:\n1. takeaway_fee 0.5\n2. send_hour 18\n3. retries 2"],
  ])("and offered as a whole where an item is not sure: %s %s", async (agent, message) => {
    const plan = await planOf(agent, message);
    expect(plan?.kind === "reject" ? plan.readings?.length : plan).toBe(1);
  });

  test.each([
    ["school", "Ines says about canteen:\n- takeaway_fee 0.5\n- rounding ten_cents"],
    ["school", "Canteen rules last year:\n1. takeaway_fee 0.2\n2. order_deadline_hour 8"],
    ["school", "What write_letter does:\n- body: up to 4000\n- copies_to: up to 9"],
    ["school", "Never change these in canteen:\n- takeaway_fee 0.5\n- rounding ten_cents"],
    ["library", "Should we change the house rules?\n1. graceDays 5\n2. maxRenewals 5"],
    ["library", "reserve-room:\n(a) hours: at most 6\n(b) it should bring cake"],
    ["school", "Canteen rules are:\n- takeaway_fee 0.5\n- rounding ten_cents"],
    ["school", "Check these:\n- takeaway_fee 0.5\n- rounding ten_cents"],
    ["school", "Set for tests only:\n- takeaway_fee 0.5\n- rounding ten_cents"],
    ["school", "Canteen:\n- takeaway_fee: 0.5 (tbd)\n- rounding: ten_cents"],
    ["school", "Rejected by the head.\nCanteen rules:\n- takeaway_fee 0.5\n- rounding ten_cents"],
    ["library", "Changes to roles that were turned down:\n* member gets loan.issue\n* visitor loses room.see"],
    ["freight", "Pickups, after the next meeting:\n- cutoff_hour: 15\n- tone: polite"],
    ["freight", "Pickups, after our meeting:\n- cutoff_hour: 15\n- tone: polite"],
    ["school", "New defaults, discussed with the staff this morning:\n1. send_hour: 17\n2. takeaway_fee: 0.5"],
    ["school", "Old defaults:\n1. send_hour: 17\n2. takeaway_fee: 0.5"],
    ["school", "Canteen, before the review:\n- takeaway_fee 0.5\n- order_deadline_hour: 10"],
    ["tickets", "Two ideas for knowledge.translate_reply:\n* title: Put it in other words\n* cost: 3 units"],
    ["tickets", "Three things for knowledge.translate_reply:\n* title: Put it in other words\n* cost: 3 units"],
    ["theatre", "to do for find_shows\n* genre: musical\n* genre: dance\n* page_size up to 60"],
    ["tickets", "If the lead agrees:\n- reopen_days: 30\n- auto_reply: off"],
  ])("and never done where that is no wish, or not understood in whole: %s %s", async (agent, message) => {
    expect((await planOf(agent, message))?.kind).not.toBe("change");
  });
});

test("[A9] a list below words that may limit it is offered, and done below words for what is wanted", async () => {
  const limited = await planOf(
    "theatre",
    `For the front desk:\n- title of find_shows: "What is on"\n- cost of find_shows: 3`,
  );
  expect(limited).toMatchObject({ kind: "reject" });
  expect(limited?.kind === "reject" ? limited.readings?.length : 0).toBe(1);
  const wanted = await planOf(
    "theatre",
    `What bothers me:\n- title of find_shows: "What is on"\n- cost of find_shows: 3`,
  );
  expect(wanted).toMatchObject({ kind: "change" });
});
