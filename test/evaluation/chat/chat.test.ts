import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ChatMessage } from "../checks.ts";
import { findUnasked, sayMessages } from "./say-messages.ts";

/** Share of a half's messages that are to be answered rightly, or asked back where that is as good. */
const GOAL = 0.8;

/** Only sums are compared, so that no failure shows a message of the half that nobody reads. */
describe("the chat", () => {
  test.each(["development", "report"])("understands messages of other people: %s", async (half) => {
    const file = join(import.meta.dirname, `${half}.json`);
    const { messages }: { messages: ChatMessage[] } = JSON.parse(readFileSync(file, "utf8"));
    const rows = await sayMessages(messages);
    const right = rows.filter((row) => row.right).length;
    expect(rows).toHaveLength(50);
    expect(right / rows.length).toBeGreaterThanOrEqual(GOAL);
    expect(findUnasked(rows).length).toBe(0);
    expect(rows.filter(({ offered }) => offered.length > 0).length).toBe(0);
  });
});
