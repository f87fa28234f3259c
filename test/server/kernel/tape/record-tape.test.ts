import { expect, test } from "vitest";
import { CairnError } from "../../../../server/errors.ts";
import { createTapeRecorder } from "../../../../server/kernel/tape/record-tape.ts";

const CLIENT = { elicit: false, sample: false, roots: false };
const BEGUN = { seed: "5", conversationId: "c", model: false, client: CLIENT, parameters: {}, secrets: ["KEY"] };

function record() {
  let time = 100;
  return createTapeRecorder(BEGUN, () => (time += 10));
}

test("a tape has requests in their order with the answers, whenever these come, and no notes", async () => {
  const recorder = record();
  const late = Promise.withResolvers<string>();
  const first = recorder.ask("fetch", { url: "https://a.example" }, () => late.promise);
  await recorder.ask("state.get", { key: ["a"] }, async () => undefined);
  await recorder.ask("log", { level: "info", message: "m" }, async () => undefined);
  late.resolve("there");
  await first;
  expect(recorder.toTape()).toEqual({
    ...BEGUN,
    startedAt: 110,
    steps: [
      { name: "fetch", args: { url: "https://a.example" }, at: 120, answer: "there" },
      { name: "state.get", args: { key: ["a"] }, at: 110 },
    ],
  });
});

test("the clock of a taped call moves on with answers from outside alone", async () => {
  const recorder = record();
  await recorder.ask("state.get", { key: ["a"] }, async () => 1);
  expect(recorder.time()).toBe(110);
  await recorder.ask("sleep", { milliseconds: 1 }, async () => undefined);
  expect(recorder.time()).toBe(120);
});

test("a tape has errors as the handler gets them, and no cookies", async () => {
  const recorder = record();
  const fail = (name: "NOT_FOUND" | "HANDLER_ERROR") => async () => Promise.reject(new CairnError(name, "private"));
  await expect(recorder.ask("tools.call", {}, fail("NOT_FOUND"))).rejects.toThrow("private");
  await expect(recorder.ask("tools.call", {}, fail("HANDLER_ERROR"))).rejects.toThrow("private");
  const answer = { status: 200, headers: { "set-cookie": "sid=1", etag: "e" }, body: "" };
  expect(await recorder.ask("fetch", {}, async () => answer)).toBe(answer);
  const [found, thrown, fetched] = recorder.toTape().steps;
  expect(found?.error).toEqual({ name: "NOT_FOUND", message: "private" });
  expect(thrown?.error?.message).not.toContain("private");
  expect(fetched?.answer).toEqual({ status: 200, headers: { etag: "e" }, body: "" });
});

test("a tape that is too large is marked incomplete and holds nothing of the call; a new start begins a new one", async () => {
  const large = record();
  await large.ask("state.get", { key: ["a"] }, async () => "x".repeat(256 * 1024));
  await large.ask("state.get", { key: ["b"] }, async () => "y");
  expect(large.toTape()).toMatchObject({ steps: [], incomplete: "it would have more than 262144 bytes" });
  const long = record();
  for (let count = 0; count <= 1_000; count++) await long.ask("principal", {}, async () => "p");
  expect(long.toTape()).toMatchObject({ steps: [], incomplete: "it would have more than 1000 requests" });
  large.restart();
  await large.ask("state.get", { key: ["b"] }, async () => "y");
  expect(large.toTape().steps).toEqual([{ name: "state.get", args: { key: ["b"] }, at: large.time(), answer: "y" }]);
  expect(large.toTape()).not.toHaveProperty("incomplete");
});
