import { describe, expect, test } from "vitest";
import { findList } from "../../../../../../server/architect/planners/wishes/lists/find-list.ts";

describe("[A9] lists of a message", () => {
  test("are lines with marks below a heading", () => {
    expect(findList("Hi all.\nhouse rules:\n1. graceDays 3\n2. rounding\n   none\n\nThanks!")).toEqual({
      before: "Hi all.",
      groups: [{ heading: "house rules:", items: ["graceDays 3", "rounding none"] }],
      behind: "Thanks!",
      isMarked: true,
    });
  });

  test.each([
    ["(a) raise it (b) drop that", "", ["raise it", "drop that"]],
    ["find_cover: 1) cost 3, 2) time 8 s", "find_cover:", ["cost 3", "time 8 s"]],
    ['rules: graceDays 3; wording "a; b"; feeCap 20', "rules:", ["graceDays 3", 'wording "a; b"', "feeCap 20"]],
  ])("stand in a line: %s", (text, heading, items) => {
    expect(findList(text)).toEqual({ before: "", groups: [{ heading, items }], behind: "", isMarked: false });
  });

  test("have a heading each", () => {
    const { groups } = findList("a:\n- one\n- two\n\nb:\n- three") ?? {};
    expect(groups).toEqual([
      { heading: "a:", items: ["one", "two"] },
      { heading: "b:", items: ["three"] },
    ]);
  });

  test.each([
    "- only one",
    "Raise it to 5",
    "> - quoted\n> - lines",
    "2) second 3) third",
    "-5\n-6",
    "refills: 4 at most; invoices: 30 at most",
  ])("are told from other texts: %s", (text) => {
    expect(findList(text)).toBeUndefined();
  });
});
