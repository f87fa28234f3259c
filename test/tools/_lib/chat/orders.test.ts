import { describe, expect, test } from "vitest";
import { findOrdered, isStatement } from "../../../../tools/_lib/chat/orders.ts";
import { createProfile } from "../../../../tools/_lib/chat/tool-profile.ts";
import { converse } from "../../converse.ts";
import { FIXTURE_TOOLS } from "../../fixture-tools.ts";

/** Tools whose names begin with what they are about, as many do. */
const NOUNS_FIRST = ["crate_open", "branch_commit", "coin_issue", "job_cancel"].map((name) => ({
  server: "depot",
  name,
  description: `Does what ${name.replace("_", " ")} says.`,
  input: { type: "object", properties: { crate_id: { type: "string" } }, required: ["crate_id"] },
  output: { type: "object" },
  sideEffect: true,
  examples: [],
  run: () => ({}),
}));
const TOOLS = [...FIXTURE_TOOLS, ...NOUNS_FIRST];
const PROFILES = TOOLS.map(createProfile).filter(({ info }) => info.sideEffect);

const ordersOf = (message: string) => findOrdered(message, PROFILES).map(({ info }) => info.name);

describe("findOrdered", () => {
  test.each([
    ["add a note: buy milk", "notes.add"],
    ["add a note buy milk", "notes.add"],
    ["Add a new note saying that the door sticks", "notes.add"],
    ["add to my notes: the code is 12", "notes.add"],
    ["ok, add a note: don't forget what he said if it rains", "notes.add"],
    ["can you add a note?", "notes.add"],
    ["Could you please add a note that the shop was closed?", "notes.add"],
    ["hey cairn, would you kindly create a ticket about the stairs", "tickets.create_ticket"],
    ["I'd like you to create a ticket titled Broken window", "tickets.create_ticket"],
    ["create me a ticket for the lift, please", "tickets.create_ticket"],
    ["Create a ticket about the door not closing", "tickets.create_ticket"],
    ["create ticket about the lift", "tickets.create_ticket"],
    ["create ticket with high priority", "tickets.create_ticket"],
    ['create_ticket title="Lamp" priority=low', "tickets.create_ticket"],
    ['create a ticket "If it rains, never open" labelled docs', "tickets.create_ticket"],
    ["create a ticket titled Gutter due tomorrow", "tickets.create_ticket"],
    ["The lift is stuck. Create a ticket about the lift.", "tickets.create_ticket"],
    ["The lift is stuck, please create a ticket about it", "tickets.create_ticket"],
    ["notes.add text: call mum", "notes.add"],
    ["run notes.add", "notes.add"],
    ["crate_open crate_7", "crate_open"],
    ["Crate open: crate_7", "crate_open"],
    ["please crate_open with crate id kiwi", "crate_open"],
    ["branch commit now", "branch_commit"],
    ["Bitte create a ticket: Lampe kaputt", "tickets.create_ticket"],
    ["Kannst du notes.add text: Milch", "notes.add"],
    ["Könnten Sie bitte add a note: Milch", "notes.add"],
    ["Por favor, create a ticket: ascensor", "tickets.create_ticket"],
    ["¿Podrías add a note: leche?", "notes.add"],
    ["S'il vous plaît, create a ticket: ascenseur", "tickets.create_ticket"],
    ["Pourrais-tu add a note: du lait ?", "notes.add"],
    ["请 create a ticket: 电梯坏了", "tickets.create_ticket"],
    ["能不能帮我 crate_open crate_7", "crate_open"],
  ])("hears the order: %s", (message, tool) => {
    expect(ordersOf(message)).toEqual([tool]);
  });

  test.each([
    ["a report", "The coin issued at noon was fake"],
    ["a report", "the branch commit broke the shop"],
    ["a report", "I created a ticket"],
    ["a report", "they add a note and close the till"],
    ["a report", "Customers create a ticket every hour"],
    ["a report", "crate open failed"],
    ["a report", "create ticket fails on Windows"],
    ["a report", "notes.add broke again"],
    ["a report", "A note was added to the file by accident"],
    ["a report", "Create a ticket fails on Windows"],
    ["other people's words", "create a ticket my boss asked for"],
    ["a judgement", "Crate opening is scary"],
    ["a judgement", "branch commit messages should be short"],
    ["a judgement", "Job cancels are great"],
    ["a judgement", "Add a note feature would be great"],
    ["a judgement", "Create a ticket button is too small"],
    ["a judgement", "creating tickets takes for ever"],
    ["a heading", "# Create a ticket"],
    ["a heading", "Create a ticket:"],
    ["a heading", "Branch commit etiquette"],
    ["a heading", "crate_open: dangerous"],
    ["a heading", "Branch commit: a short history"],
    ["a heading", "How to create a ticket"],
    ["a quotation", '"create a ticket about the lift"'],
    ["a quotation", "> create a ticket about the lift"],
    ["other people's words", "My boss said create a ticket"],
    ["other people's words", "He wrote: please create a ticket about the lift"],
    ["other people's words", "The page says:\ncreate a ticket about the lift"],
    ["other people's words", "create a ticket about the lift, she said"],
    ["other people's words", "She told me something. Create a ticket about the lift."],
    ["a condition", "create a ticket if it rains"],
    ["a condition", "add a note when the lift works"],
    ["a condition", "If it breaks, please create a ticket about it"],
    ["a restriction", "please create a ticket only on Mondays"],
    ["a restriction", "Bitte nur heute create a ticket"],
    ["a condition", "Once it is green, please branch commit"],
    ["a plan", "I plan to add a note"],
    ["a plan", "we should create a ticket about it"],
    ["a plan", "tomorrow I will create a ticket"],
    ["a plan", "add a note tomorrow"],
    ["a question", "should I add a note?"],
    ["a question", "how do I add a note?"],
    ["a question", "why did you add a note"],
    ["a question", "create a ticket?"],
    ["a question", "can you create tickets?"],
    ["a question", "can you crate_open?"],
    ["forbidden", "don't add a note"],
    ["forbidden", "please do not add a note"],
    ["forbidden", "never branch commit on Fridays"],
    ["taken back", "create a ticket about the lift. Just kidding!"],
    ["taken back", "create a ticket about the lift. No, don't do it."],
    ["another's purpose", "To create a ticket, click the button"],
    ["several at once", "create tickets for all lamps"],
    ["German", "Der branch commit ist kaputt"],
    ["German", "branch_commit kaputt"],
    ["German", "Ich habe gestern create ticket benutzt"],
    ["German", "Wenn es regnet, bitte create a ticket"],
    ["German", "Bitte nicht add a note"],
    ["Spanish", "El branch commit falló"],
    ["Spanish", "Ayer usé create ticket"],
    ["Spanish", "Si llueve, por favor create a ticket"],
    ["French", "Le branch commit est lent"],
    ["French", "Il a dit: create a ticket pour la porte"],
    ["French", "Quand il pleut, s'il te plaît create a ticket"],
    ["Chinese", "branch_commit 失败了"],
    ["Chinese", "我昨天 branch_commit 了"],
    ["Chinese", "他说: create a ticket about the lift"],
    ["Chinese", "如果下雨, 请 create a ticket"],
  ])("hears none in %s: %s", (_, message) => {
    expect(ordersOf(message)).toEqual([]);
  });

  test("takes what follows a colon for text, whatever it says", () => {
    expect(ordersOf("add a note: Buy milk. Create a ticket about it.")).toEqual(["notes.add"]);
  });
});

describe("isStatement", () => {
  test("tells what says something from what wants something", () => {
    expect(["branch commit failed", "create_ticket is slow", "El branch commit está mal"].map(isStatement)).toEqual([
      true,
      true,
      true,
    ]);
    expect(["note that the code is 12", "please add a note", "branch commit"].map(isStatement)).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("the chat", () => {
  test.each([
    ["the coin issued was fake", "help"],
    ["Crate opening is scary", "help"],
    ["branch commit messages should be short", "help"],
    ["create a ticket if it rains", "question"],
    ["Der branch commit ist kaputt", "question"],
    ["never branch commit on Fridays", "answer"],
  ])("asks or explains, and does nothing: %s", async (message, kind) => {
    const { ctx, say } = converse({ tools: TOOLS });
    expect(await say(message)).toMatchObject({ kind });
    expect(ctx.called).toEqual([]);
  });

  test.each([
    "Delete all of it",
    "Cancel my gym membership",
    "Open sesame",
    "cancel culture",
    "commit to the idea",
    "issue a refund please",
    "add some salt to the soup",
    "create a masterpiece",
    "complete rubbish",
  ])("offers nothing that changes something for what it does not understand: %s", async (message) => {
    const { ctx, say } = converse({ tools: TOOLS });
    expect(await say(message)).toMatchObject({ kind: "failure" });
    expect(ctx.called).toEqual([]);
  });

  test.each([
    ["make a note of my meeting", "notes.add"],
    ["open the crate", "crate_open"],
    ["branch", "branch_commit"],
    ["crate open kiwi", "crate_open"],
    ["maybe a branch commit", "branch_commit"],
  ])("offers what a message may well mean: %s", async (message, tool) => {
    const { ctx, say } = converse({ tools: TOOLS });
    expect(await say(message)).toMatchObject({ kind: "question", alternatives: [tool] });
    expect(ctx.called).toEqual([]);
  });

  test("writes down what was said, in the writer's own language", async () => {
    const { ctx, say } = converse();
    await say("S'il te plaît add a note: demain acheter du lait");
    expect(ctx.called).toEqual([{ name: "notes.add", input: { text: "demain acheter du lait" } }]);
  });
});
