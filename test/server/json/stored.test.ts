import { describe, expect, test } from "vitest";
import { createRecordReader } from "../../../server/json/stored.ts";

const SESSION = {
  schemaVersion: 1,
  conversationId: "01a2007d-c9b8-7000-9feb-10d0af55476d",
  server: "runner",
  tool: "runner.chat",
  createdAt: 1,
  updatedAt: 2,
  calls: 1,
  value: null,
};

describe("createRecordReader", () => {
  const read = createRecordReader<typeof SESSION>("session-record");

  test("gives back a record of its kind", () => {
    expect(read(SESSION)).toBe(SESSION);
  });

  test.each([
    ["of a later Cairn", { ...SESSION, schemaVersion: 2 }, "`/schemaVersion` must be equal to constant"],
    ["with something missing", { ...SESSION, tool: undefined }, "must have required property 'tool'"],
    ["with something more", { ...SESSION, extra: 1 }, "must NOT have additional properties"],
    ["that is none", 7, "must be object"],
  ])("refuses one %s, and keeps that from callers", (_, value, message) => {
    expect(() => read(value)).toThrow(
      expect.objectContaining({ name: "INTERNAL_ERROR", message: expect.stringContaining(message) }),
    );
  });
});
