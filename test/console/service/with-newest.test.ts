import { expect, test } from "vitest";
import { type Call, withNewest } from "../../../console/service/calls.ts";

const calls = (...ids: string[]) => ids.map((id) => ({ id }) as Call);
const LOADED = {
  pages: [{ calls: calls("5", "3"), next: "more" }, { calls: calls("2", "1") }],
  pageParams: ["", "more"],
};

test("new calls come before those that are loaded, and one that took long at its own time", () => {
  const after = withNewest(LOADED, { calls: calls("6", "5", "4", "3"), next: "other" });
  expect(after?.pages.map((page) => page.calls.map(({ id }) => id))).toEqual([
    ["6", "5", "4", "3"],
    ["2", "1"],
  ]);
  expect(after?.pages[0]?.next).toBe("more");
});

test("an answer without news changes nothing, so that nothing is drawn anew", () => {
  expect(withNewest(LOADED, { calls: calls("5", "3"), next: "other" })).toBe(LOADED);
  expect(withNewest(undefined, { calls: calls("1") })).toBeUndefined();
});

test("the list begins anew where others may lie between the new calls and those that are loaded", () => {
  const newest = { calls: calls("9", "8"), next: "other" };
  expect(withNewest(LOADED, newest)).toEqual({ pages: [newest], pageParams: [""] });
});
