import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EMPTY, type Memory, readMemory, remember } from "../../../../tools/_lib/chat/memory.ts";

const reply = { text: "Fine.", kind: "answer", via: "pipeline" } as const;
const NOW = Date.UTC(2026, 6, 1, 12);

function after(turns: number, event: (turn: number) => Partial<Parameters<typeof remember>[1]> = () => ({})): Memory {
  let memory = EMPTY;
  for (let turn = 0; turn < turns; turn++) {
    memory = remember(memory, { now: NOW + turn * 1000, message: `message ${turn}`, reply, ...event(turn) });
  }
  return memory;
}

describe("the memory", () => {
  test("[R4] keeps turns, open questions and the last call", () => {
    const awaiting = { for: "tool", tools: ["a.b"], message: "x" } as const;
    const memory = after(1, () => ({
      reply: { ...reply, tool: "a.b", arguments: { x: 1 } },
      awaiting,
      last: { tool: "a.b", arguments: { x: 1 } },
    }));
    expect(memory).toEqual({
      title: "message 0",
      turns: [{ at: "2026-07-01T12:00:00Z", message: "message 0", reply: "Fine.", tool: "a.b", arguments: { x: 1 } }],
      flags: { awaiting },
      last: { tool: "a.b", arguments: { x: 1 } },
    });
    expect(remember(memory, { now: NOW, message: "y", reply })).toMatchObject({ flags: {}, last: { tool: "a.b" } });
  });

  test("[R4] sums up the turns before the last fifty, and says what was said in them", () => {
    const memory = after(60, (turn) => ({ reply: turn % 2 ? { ...reply, tool: "a.b" } : reply }));
    expect(memory.title).toBe("message 0");
    expect(memory.turns).toHaveLength(50);
    expect(memory.turns[0]?.message).toBe("message 10");
    expect(memory.summary).toEqual({
      turns: 10,
      since: "2026-07-01T12:00:00Z",
      tools: { "a.b": 5 },
      said: Array.from({ length: 10 }, (_, turn) => `message ${turn} -> Fine.`),
    });
  });

  test("[R4] keeps of what was said long ago the newest, each in a line", () => {
    const memory = after(400, (turn) => ({ message: `${turn}\n${"long ".repeat(60)}` }));
    const { turns, said = [] } = memory.summary ?? { turns: 0 };
    expect(turns).toBe(350);
    expect(said.at(-1)).toBe(`349 ${"long ".repeat(19)}l… -> Fine.`);
    expect(said.length).toBeGreaterThan(100);
    expect(Buffer.byteLength(JSON.stringify(said))).toBeLessThanOrEqual(16 * 1024 + 2);
  });

  test("goes on with a summary of before lines were kept", () => {
    const { title: _title, ...memory } = after(50);
    const old = { ...memory, summary: { turns: 3, since: "2026-06-01T00:00:00Z", tools: {} } };
    expect(remember(old, { now: NOW, message: "more", reply })).toMatchObject({
      title: "message 0",
      summary: { turns: 4, said: ["message 0 -> Fine."] },
    });
  });

  test("fits into a session whatever is said", () => {
    const text = fc.oneof(
      fc.constantFrom("a", "é", "大", "🌧", "\u0001", '"', "\ud800").map((character) => character.repeat(40_000)),
      fc.string({ unit: "binary", maxLength: 3_000 }),
    );
    fc.assert(
      fc.property(text, (long) => {
        const values = { long: long.slice(0, 4_000) };
        const memory = after(55, () => ({
          message: long,
          reply: { ...reply, text: long, tool: "a.b", arguments: values },
          awaiting: { for: "argument", tool: "a.b", arguments: values, field: "x", asked: 0 },
          last: { tool: "a.b", arguments: values },
        }));
        expect(Buffer.byteLength(JSON.stringify(memory))).toBeLessThan(256 * 1024);
        expect(memory.turns.length + (memory.summary?.turns ?? 0)).toBe(55);
      }),
      { numRuns: 15 },
    );
  });

  test("forgets a call whose arguments are too long to keep", () => {
    expect(after(1, () => ({ last: { tool: "a.b", arguments: { x: "y".repeat(5_000) } } }))).not.toHaveProperty("last");
  });

  test.each([undefined, null, 1, {}, { turns: 1, flags: {} }])("begins anew with %j", (value) => {
    expect(readMemory(value)).toEqual({ turns: [], flags: {} });
  });

  test("reads what it wrote", () => {
    const memory = after(3);
    expect(readMemory(JSON.parse(JSON.stringify(memory)))).toEqual(memory);
  });
});
