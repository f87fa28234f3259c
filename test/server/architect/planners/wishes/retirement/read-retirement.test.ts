import { expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf } = await openAgents(["example"]);

test.each([
  [
    'Deprecate runner.chat, reason: "Callers have an assistant now."',
    "`runner.chat` is deprecated: Callers have an assistant now.",
  ],
  ["Deprecate runner.chat; reason: callers have one now", "`runner.chat` is deprecated: Callers have one now."],
  [
    "Deprecate node.mutate as of 2026-12-15, reason: use edge.propagate",
    "`node.mutate` is deprecated from 2026-12-15 on: Use edge.propagate.",
  ],
  [
    "End of life for ledger_issue is 2027-12-31, reason: the treasury closes. Announce it as deprecated.",
    "`ledger_issue` is deprecated, and ends on 2027-12-31: The treasury closes.",
  ],
  [
    "node.mutate is to be marked deprecated with 2027-08-31 as its last day. Reason: it moves to edges",
    "`node.mutate` is deprecated, and ends on 2027-08-31: It moves to edges.",
  ],
  ["Deprecate node.mutate, use edge.propagate instead", "`node.mutate` is deprecated: use `edge.propagate` instead."],
])("what a message calls the reason is the reason, and all of it: %s", async (message, change) => {
  expect(await changesOf("example", message)).toBe(change);
});
