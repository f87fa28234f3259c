import { expect, test } from "vitest";
import { createPrettyStream, isColoured } from "../../../server/log/pretty.ts";
import { createLog, type Log } from "../../../server/log/log.ts";

function write(say: (log: Log) => void, colours = false): string {
  let text = "";
  say(createLog("trace", createPrettyStream({ write: (part) => void (text += part) }, { colours })));
  return text.replaceAll(/\d\d:\d\d:\d\d/g, "12:00:00");
}

test("a line has time, level, message and fields, without colours where none are wanted", () => {
  expect(write((log) => log.warn({ tool: "runner.a", ms: 3, who: "a b", list: [1] }, "slow"))).toBe(
    '12:00:00 WARN  slow tool=runner.a ms=3 who="a b" list=[1]\n',
  );
  expect(write((log) => log.info("ready"), true)).toBe("\u001b[90m12:00:00\u001b[0m \u001b[32mINFO \u001b[0m ready\n");
});

test("an error has its stack and its causes below", () => {
  const lines = write((log) => log.error({ err: new Error("outer", { cause: new Error("inner") }) }, "failed")).split(
    "\n",
  );
  expect(lines[0]).toBe("12:00:00 ERROR failed");
  expect(lines[1]).toContain("  Error: outer");
  expect(lines.some((line) => line.includes("inner"))).toBe(true);
  expect(write((log) => log.error({ err: "text alone" }, "failed"))).toBe('12:00:00 ERROR failed\n  "text alone"\n');
});

test("nothing that others sent is an order to the terminal, nor a line of its own", () => {
  const evil = "a\u001b[2J\n13:00:00 INFO  forged\u202e";
  const error = Object.assign(new Error(evil), { stack: evil });
  const text = write((log) => log.error({ [evil]: evil, nested: { evil }, err: error }, evil));
  expect(["\u001b", "\u202e"].filter((one) => text.includes(one))).toEqual([]);
  expect(text.split("\n").filter((line) => line.startsWith("12:00:00 INFO  forged"))).toEqual([]);
});

test("a line that is no JSON stays", () => {
  let text = "";
  createPrettyStream({ write: (part) => void (text += part) }, { colours: false }).write("not\u001b JSON\n");
  expect(text).toBe("not\\u001b JSON\n");
});

test.each([
  { environment: {}, isTerminal: true, expected: true },
  { environment: {}, isTerminal: false, expected: false },
  { environment: { NO_COLOR: "1" }, isTerminal: true, expected: false },
  { environment: { NO_COLOR: "" }, isTerminal: true, expected: true },
  { environment: { FORCE_COLOR: "1", NO_COLOR: "1" }, isTerminal: false, expected: true },
  { environment: { FORCE_COLOR: "0" }, isTerminal: true, expected: false },
])(
  "with $environment on a terminal ($isTerminal) there are colours: $expected",
  ({ environment, isTerminal, expected }) => {
    expect(isColoured(environment, isTerminal)).toBe(expected);
  },
);
