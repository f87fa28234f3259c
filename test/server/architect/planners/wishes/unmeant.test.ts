import { describe, expect, test } from "vitest";
import { fromStated } from "../../../../../server/architect/planners/wishes/plain/from-stated.ts";
import { isHeadedOtherwise, isUnmeant, takesBack } from "../../../../../server/architect/planners/wishes/unmeant.ts";

describe("a sentence only seems to ask for a change", () => {
  test.each([
    ["that thanks for it", "Thank you for raising max_retries to 4!"],
    ["that praises it", "Glad to see max_retries at 4."],
    ["that judges it", "Raising max_retries to 4 is off the table."],
    ["that wants it looked at", "Check whether max_retries can be 4."],
    ["that wants somebody asked", "Ask Ida about setting max_retries to 4."],
    ["that doubts it", "I doubt that max_retries should be 4."],
    ["of a list of what was decided", "Minutes of Tuesday: set max_retries to 4"],
    ["that was turned down", "Rejected idea: set max_retries to 4"],
    ["that is marked as done", "[DONE] Set max_retries to 4"],
    ["that somebody wrote", "Somebody wrote: set max_retries to 4"],
    ["that is crossed out", "~~Set max_retries to 4~~"],
    ["that somebody else said", "Set max_retries to 4 is what Ida said"],
    ["that somebody else intends", "Ida is going to set max_retries to 4"],
    ["that passes on an opinion", "Der Chef meint immer, max_retries soll 4 sein"],
    ["that some want no more", "We no longer want to set max_retries to 4"],
    ["that nobody needs", "There is no need to set max_retries to 4"],
    ["that is not to be", "I'd rather you didn't set max_retries to 4"],
    ["that is never to be", "Never set max_retries to 4"],
    ["that several people proposed", "Set max_retries to 4 is what the intern proposed"],
  ])("%s", (_, sentence) => {
    expect(isUnmeant(sentence)).toBe(true);
  });

  test.each([
    "Set max_retries to 4",
    "Thanks for the tool, please raise max_retries to 4",
    "Raising max_retries to 4 would help",
    "Adding fr as a language makes sense",
    "Ask for a reason in cancel_build",
    "Great, now set max_retries to 4",
    "Like the search, the list should have a limit of 50",
  ])("but not this one: %s", (sentence) => {
    expect(isUnmeant(sentence)).toBe(false);
  });

  test("that heads a list of what is done", () => {
    expect(isHeadedOtherwise("Done already:\n- set max_retries to 4")).toBe(true);
    expect(isHeadedOtherwise("Please do:\n- set max_retries to 4")).toBe(false);
    expect(isHeadedOtherwise("As agreed last week:\n- set max_retries to 4")).toBe(false);
  });

  test.each([
    "Done already: set max_retries to 4",
    "Do not do this yet: set max_retries to 4",
    "Done yesterday: four tries are enough. Set max_retries to 4",
    "We tried this in spring and it was a mistake: set max_retries to 4",
    "Not agreed yet: set max_retries to 4",
    "Explain this to me: set max_retries to 4",
    "Write a ticket: set max_retries to 4",
    "I dreamt of this: set max_retries to 4",
    "Ticket 4711 (closed, rejected): set max_retries to 4",
    "What would happen if I wrote: set max_retries to 4",
    "Noch nicht machen: max_retries auf 4 setzen",
  ])("that what follows is not for now: %s", (message) => {
    expect(isHeadedOtherwise(message)).toBe(true);
  });

  test.each([
    "get_weather has no description. Put: The weather of a place",
    "As decided yesterday: set max_retries to 4",
    "The council met yesterday. Please put this in: max_retries 4",
    "No more than this, please: max_retries 4",
  ])("but not of a lead that puts nothing off: %s", (message) => {
    expect(isHeadedOtherwise(message)).toBe(false);
  });
});

describe("a message takes back what it says", () => {
  test.each([
    "Set max_retries to 4. That was the plan until yesterday.",
    "Set max_retries to 4. We decided against it.",
    "Set max_retries to 4. No idea whether that is any good.",
    "Set max_retries to 4. Actually, delete that wish again.",
    "Set max_retries to 4, or rather not.",
    "Set max_retries to 4... no wait, leave it as it is.",
    "title of chat: Talk to us. Never mind",
    "Raise the limit to 4, or forget it",
    "Set max_retries to 4 unless somebody objects",
  ])("%s", (message) => {
    expect(takesBack(message)).toBe(true);
  });

  test.each([
    "Low priority should be the default unless somebody says otherwise",
    'Title of chat: "Never mind, talk to us"',
    "Keep max_retries at 4 and leave the rest",
  ])("but not this one: %s", (message) => {
    expect(takesBack(message)).toBe(false);
  });
});

describe("what is stated before an order is what it changes from", () => {
  test.each([
    ["max_retries is 2 by default, make it 3", "change max_retries from 2 by default to 3 by default"],
    ["The cost of find_cover is 4, so make it 5.", "change The cost of find_cover from 4 to 5."],
    ["tone defaults to formal, please make it friendly", "change tone default from formal to friendly"],
  ])("%s", (message, changed) => {
    expect(fromStated(message)).toBe(changed);
  });

  test("and a text stays as it is where it states no value", () => {
    expect(fromStated("The title is confusing, make it clearer")).toBe("The title is confusing, make it clearer");
    expect(fromStated("Builds are slow. Make it 4.")).toBe("Builds are slow. Make it 4.");
  });
});
