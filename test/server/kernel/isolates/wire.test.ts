import { array, assert, integer, jsonValue, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { CairnError } from "../../../../server/errors.ts";
import { createLineReader, readEvents, readFatal, readFrame, toLine } from "../../../../server/kernel/isolates/wire.ts";

describe("frames", () => {
  test("arrive as they were sent, however the stream is cut", () => {
    const body = jsonValue().map((value) => JSON.stringify(value));
    const frames = array(body.map((text) => ({ verb: "left" as const, isolate: 7, number: 1.5, body: text })));
    assert(
      property(frames, array(integer({ min: 1, max: 40 }), { minLength: 1 }), (sent, cuts) => {
        const received: unknown[] = [];
        const read = createLineReader(10_000, (line) => received.push(readFrame(line)));
        const stream = sent.map((frame) => toLine(frame.verb, frame.isolate, frame.number, frame.body)).join("");
        for (let at = 0, cut = 0; at < stream.length; cut += 1) {
          const length = cuts[cut % cuts.length] ?? 1;
          read(stream.slice(at, at + length));
          at += length;
        }
        expect(received).toEqual(sent);
      }),
    );
  });

  test("without an end are refused", () => {
    const read = createLineReader(100, () => undefined);
    read("x".repeat(100));
    expect(() => read("x")).toThrow(CairnError);
  });

  test.for(["", "left", "left 1", "left 1 2", " 1 2 ", "left x 2 ", "left 1 x ", "left 1.5 2 ", "left Infinity 2 "])(
    "that are malformed are refused: %j",
    (line) => {
      expect(() => readFrame(line)).toThrow(CairnError);
    },
  );
});

describe("events", () => {
  test("are read as what they are", () => {
    const body = [
      ["done", 1],
      ["done", 2, { a: 1 }],
      ["done", 2, null, [{ type: "text" }]],
      ["fail", 3, "raised", "CONFLICT", "text", [1]],
      ["fail", 4, "thrown", "text", "cause"],
      ["fail", 5, "syscall", 9],
      ["fail", 6, "large"],
      ["ask", 7, 1, "state.get", { key: ["a"] }],
      ["tell", 8, "log", {}],
    ];
    expect(readEvents(body.map((event) => `,${JSON.stringify(event)}`).join(""))).toEqual([
      { kind: "done", call: 1, value: { output: undefined } },
      { kind: "done", call: 2, value: { output: { a: 1 } } },
      { kind: "done", call: 2, value: { output: null, content: [{ type: "text" }] } },
      { kind: "fail", call: 3, failure: { kind: "raised", name: "CONFLICT", message: "text", details: [1] } },
      { kind: "fail", call: 4, failure: { kind: "thrown", text: "text", causes: ["cause"] } },
      { kind: "fail", call: 5, failure: { kind: "syscall", syscall: 9, stack: "" } },
      { kind: "fail", call: 6, failure: { kind: "large" } },
      { kind: "ask", call: 7, syscall: 1, name: "state.get", args: { key: ["a"] } },
      { kind: "tell", call: 8, name: "log", args: {} },
    ]);
    expect(readEvents("")).toEqual([]);
  });

  test.for([
    ["an unknown kind", ["gone", 1]],
    ["no call", ["done", "1"]],
    ["an unknown syscall", ["ask", 1, 1, "exec", {}]],
    ["a syscall from the prototype", ["ask", 1, 1, "constructor", {}]],
    ["a note that wants an answer", ["ask", 1, 1, "log", {}]],
    ["a request that wants none", ["tell", 1, "state.set", {}]],
    ["no arguments", ["ask", 1, 1, "state.get"]],
    ["an unknown failure", ["fail", 1, "other", "text"]],
    ["a failure without text", ["fail", 1, "thrown"]],
    ["nothing", null],
  ])("with %s are refused", ([, event]) => {
    expect(() => readEvents(`,${JSON.stringify(event)}`)).toThrow(CairnError);
  });

  test("of any text are read or refused, and nothing else", () => {
    assert(
      property(string(), array(jsonValue()), (text, values) => {
        for (const body of [text, ...values.map((value) => `,${JSON.stringify(value)}`)]) {
          try {
            expect(Array.isArray(readEvents(body))).toBe(true);
          } catch (error) {
            expect(error instanceof CairnError || error instanceof SyntaxError).toBe(true);
          }
        }
      }),
    );
  });
});

describe("last words", () => {
  test("name a reason and isolates", () => {
    expect(readFatal("memory 1 22")).toEqual({ reason: "memory", isolates: new Set([1, 22]) });
    expect(readFatal("odd")).toEqual({ reason: "crash", isolates: new Set() });
  });
});
