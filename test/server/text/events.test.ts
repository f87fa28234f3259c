import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readEvents } from "../../../server/text/events.ts";

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const read = (...texts: readonly string[]) => Array.fromAsync(readEvents(chunks(...texts)));
const message = (data: string, more: object = {}) => ({ type: "message", data, ...more });

describe("readEvents", () => {
  test.each([
    ["one line of data", "data: a\n\n", [message("a")]],
    ["several, joined", "data: a\ndata:b\ndata\n\n", [message("a\nb\n")]],
    ["only the first space is no data", "data:  a \n\n", [message(" a ")]],
    [
      "type, id and retry",
      "event: ping\nid: 7\nretry: 250\ndata: x\n\n",
      [{ type: "ping", data: "x", id: "7", retryMs: 250 }],
    ],
    ["an event without data", "id: 7\ndata:\n\n", [message("", { id: "7" })]],
    ["a retry alone", "retry: 10\n\n", [message("", { retryMs: 10 })]],
    ["what is no number of milliseconds", "retry: soon\ndata: a\n\n", [message("a")]],
    ["an id that no header can carry", "id: a\0b\ndata: a\n\n", [message("a")]],
    ["comments", ": alive\n\n:\n\ndata: a\n: b\n\n", [message("a")]],
    ["a byte order mark", "\u{feff}data: a\n\n", [message("a")]],
    ["fields nobody knows", "colour: red\ndata: a\n\n", [message("a")]],
    ["a torn last event", "data: a\n\ndata: b\n", [message("a")]],
    ["nothing", "", []],
  ])("reads %s", async (_, text, events) => {
    expect(await read(text)).toEqual(events);
  });

  test("takes any of the three ends of lines, torn between chunks too", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("\n", "\r\n", "\r"), fc.array(fc.nat(30)), async (end, cuts) => {
        const text = ["id: 1", "data: a", "", "data: b", "data: c", "", ": ", ""].join(end);
        const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const parts = places.slice(1).map((place, index) => text.slice(places[index], place));
        expect(await read(...parts)).toEqual([message("a", { id: "1" }), message("b\nc")]);
      }),
    );
  });
});
