import { describe, expect, test } from "vitest";
import {
  MAX_COMMIT_BYTES,
  MAX_COMMIT_ID_BYTES,
  MAX_COMMIT_OPERATIONS,
  MAX_VALUE_BYTES,
  toCommitPlan,
} from "../../../server/store/commit-plan.ts";
import { range } from "./open-store.ts";

describe("toCommitPlan", () => {
  test("takes values up to their bound", () => {
    const value = "x".repeat(MAX_VALUE_BYTES - 2);
    expect(toCommitPlan({ set: [{ key: ["k"], value }] }).sets[0]?.body).toHaveLength(MAX_VALUE_BYTES);
    expect(() => toCommitPlan({ set: [{ key: ["k"], value: `${value}x` }] })).toThrow(`${MAX_VALUE_BYTES + 1} bytes`);
    expect(() => toCommitPlan({ append: [{ log: "l", entry: `${value}x` }] })).toThrow(`${MAX_VALUE_BYTES + 1} bytes`);
  });

  test("takes no more bytes and operations in all than one commit may have", () => {
    const value = "x".repeat(MAX_VALUE_BYTES - 2);
    const count = MAX_COMMIT_BYTES / MAX_VALUE_BYTES;
    const set = range(count).map((n) => ({ key: ["k", n], value }));
    expect(toCommitPlan({ set }).sets).toHaveLength(count);
    expect(() => toCommitPlan({ set, append: [{ log: "l", entry: 1 }] })).toThrow("The commit's values take");
    const del = range(MAX_COMMIT_OPERATIONS).map((n) => [n]);
    expect(toCommitPlan({ del }).dels).toHaveLength(MAX_COMMIT_OPERATIONS);
    expect(() => toCommitPlan({ del, append: [{ log: "l", entry: 1 }] })).toThrow("operations, more than");
  });

  test("refuses to write a key twice, naming it", () => {
    const key = ["k", -0];
    expect(() => toCommitPlan({ set: [{ key, value: 1 }], del: [["k", 0]] })).toThrow('writes the key `["k",0]` twice');
    expect(() => toCommitPlan({ check: [{ key, rev: 1 }], set: [{ key, value: 1 }] })).not.toThrow();
  });

  test.each([[""], ["\ud800"], ["x".repeat(MAX_COMMIT_ID_BYTES + 1)]])("refuses the id %o", (id) => {
    expect(() => toCommitPlan({ id })).toThrow("`id` is not a string");
  });
});
