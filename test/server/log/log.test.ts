import { expect, test } from "vitest";
import { CairnError } from "../../../server/errors.ts";
import { createLog } from "../../../server/log/log.ts";

function write(say: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  say(createLog("info", { write: (line) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("a log line is one JSON object with level, time and message; what is below the level is not written", () => {
  const lines = write((log) => {
    log.debug("hidden");
    log.info({ version: "1.0.0" }, "shown");
  });
  expect(lines).toEqual([
    { level: "info", time: expect.stringMatching(/^\d{4}-.*Z$/), version: "1.0.0", msg: "shown" },
  ]);
});

test("credentials are masked", () => {
  const [line] = write((log) => log.info({ request: { authorization: "Bearer x" }, model: { key: "x" } }, "m"));
  expect(line).toMatchObject({ request: { authorization: "[redacted]" }, model: { key: "[redacted]" } });
});

test("an error is written with its causes, also where the cause is the text of what a handler threw", () => {
  const [first, second] = write((log) => {
    log.error({ err: new CairnError("INTERNAL_ERROR", "outer", { cause: "handler text" }) }, "m");
    log.error({ err: new Error("outer", { cause: new Error("inner") }) }, "m");
  });
  expect(first).toMatchObject({ err: { message: "outer", name: "INTERNAL_ERROR", cause: "handler text" } });
  expect(second).toMatchObject({ err: { message: "outer", cause: { message: "inner" } } });
});
