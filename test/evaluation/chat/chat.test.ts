import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ChatMessage } from "../checks.ts";
import { findUnasked, sayMessages } from "./say-messages.ts";

/** Share of a set's messages that are to be answered rightly, or asked back where that is as good. */
const GOAL = 0.8;

/** Only sums are compared, so that no failure shows a message of the sets that nobody reads. */
describe("the chat", () => {
  test.each([
    ["development", 50],
    ["report", 50],
    ["later", 60],
  ] as const)("understands messages of other people: %s", async (set, count) => {
    const file = join(import.meta.dirname, `${set}.json`);
    const { messages }: { messages: ChatMessage[] } = JSON.parse(readFileSync(file, "utf8"));
    const rows = await sayMessages(messages);
    const right = rows.filter((row) => row.right).length;
    expect(rows).toHaveLength(count);
    expect(right / rows.length).toBeGreaterThanOrEqual(GOAL);
    expect(findUnasked(rows).length).toBe(0);
    expect(rows.filter(({ offered }) => offered.length > 0).length).toBe(0);
  });
});
