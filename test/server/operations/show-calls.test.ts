import { describe, expect, test } from "vitest";
import type { Call, Result } from "../../../server/kernel/call.ts";
import { createShowCalls } from "../../../server/operations/show-calls.ts";

const NOON = new Date(2026, 0, 31, 12, 0, 5).getTime();
const call = { tool: { name: "shop.buy" } } as Call;
const HANDLE = { conversationId: "c", logsUri: "logs://c", durationMs: 11.6 };

function setUp(colours = false) {
  const lines: string[] = [];
  return { lines, show: createShowCalls({ print: (line) => void lines.push(line), colours, now: () => NOON }) };
}

describe("a call", () => {
  test("is shown with its logs as they come, its outcome and its time", async () => {
    const { lines, show } = setUp();
    const heard: unknown[] = [];
    const invoke = show.around(async ({ onLog }) => {
      onLog?.({ level: "warning", message: "few\u001b[2J left", data: { n: 1 } });
      expect(lines).toHaveLength(1);
      return { ...HANDLE, ok: true, output: {} };
    });
    await invoke({ ...call, onLog: (line) => void heard.push(line) });
    expect(lines).toEqual(['12:00:05 shop.buy warning few\\u001b[2J left {"n":1}', "12:00:05 shop.buy ok 12 ms"]);
    expect(heard).toHaveLength(1);
  });

  test("that a handler ended by throwing is shown with the stack, in colours where there are some", async () => {
    const { lines, show } = setUp(true);
    const stack = ["tools/_lib/total.ts:5:23 total", "tools/shop/buy.ts:18:9 buy"];
    const error = {
      code: 1012,
      name: "HANDLER_ERROR",
      message: "It threw. (tools/_lib/total.ts:5:23)",
      details: { stack },
    };
    await show.around(async () => ({ ...HANDLE, ok: false, error, row: {} }) as Result)(call);
    expect(lines).toEqual([
      "\u001b[90m12:00:05\u001b[0m shop.buy \u001b[31mHANDLER_ERROR\u001b[0m It threw. (tools/_lib/total.ts:5:23) \u001b[90m12 ms\u001b[0m",
      "\u001b[90m    tools/_lib/total.ts:5:23 total\u001b[0m",
      "\u001b[90m    tools/shop/buy.ts:18:9 buy\u001b[0m",
    ]);
  });
});

test("the work tree is shown as loaded, or with its problems", () => {
  const { lines, show } = setUp();
  show.reloaded([]);
  show.reloaded([{ file: "tools/a/b.ts", line: 2, column: 3, rule: "handler-syntax", message: "No.", fix: "Yes." }]);
  expect(lines).toEqual([
    "12:00:05 dev ok the files as they are now are served",
    "12:00:05 dev error the last good files stay served:",
    "tools/a/b.ts:2:3: No. (handler-syntax)\n    Yes.",
  ]);
});
