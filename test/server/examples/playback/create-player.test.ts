import { describe, expect, test } from "vitest";
import { createPlayer } from "../../../../server/examples/playback/create-player.ts";
import type { TapeStep } from "../../../../server/kernel/tape/tape.ts";
import type { Json } from "../../../../server/store/store.ts";
import type { Tool } from "../../../../server/versions/version.ts";
import { createTestTool, createTestVersion } from "../../../helpers/test-version.ts";

const INNER = { name: "s.inner", server: "s" } as const;
const WRITER = { name: "s.writer", server: "s", sideEffect: true } as const;
const FIXED = { name: "s.fixed", server: "s", deterministic: true } as const;
const nothing = async () => undefined;

function play(steps: readonly TapeStep[], changed: readonly string[] = [], inner: Partial<Tool> = {}) {
  const from = createTestVersion({ tools: [{ ...INNER, ...inner }, WRITER, FIXED] });
  const tool = createTestTool({ name: "s.outer", server: "s", sideEffect: true });
  const client = { elicit: false, sample: false, roots: false };
  const tape = { seed: "0", conversationId: "c", startedAt: 1_000, model: false, client, parameters: {}, secrets: [] };
  const player = createPlayer({
    tape: { ...tape, steps },
    tool,
    from,
    candidate: from,
    changed: new Set(changed),
  });
  return {
    ...player,
    ask: (name: string, args: Json = {}) => player.ask(name, args, nothing),
    callTool: (name: string, input: Json) => {
      const called = from.tools.get(name);
      return called && player.answerTool(called, input);
    },
  };
}

const get = (key: string, answer?: Json): TapeStep => {
  return { name: "state.get", args: { key: [key] }, at: 1_000, ...(answer === undefined ? {} : { answer }) };
};
const set = (key: string, value: Json): TapeStep => ({ name: "state.set", args: { key: [key], value }, at: 1_000 });
const post = (body: string, at = 1_000): TapeStep => {
  return { name: "fetch", args: { url: "https://a.example", method: "POST", body }, at, answer: { status: 202 } };
};
const page = (url: string, answer: string, at = 1_000): TapeStep => ({ name: "fetch", args: { url }, at, answer });

describe("the state on a tape", () => {
  test("is read in any order and any number of times, as it was before the recording wrote it", async () => {
    const player = play([get("a", 1), get("b"), set("a", 2), get("a", 2)]);
    expect(await player.ask("state.get", { key: ["b"] })).toBeUndefined();
    expect(await player.ask("state.get", { key: ["a"] })).toBe(1);
    await player.ask("state.set", { key: ["a"], value: 3 });
    expect(await player.ask("state.get", { key: ["a"] })).toBe(3);
    await player.ask("state.delete", { key: ["a"] });
    expect(await player.ask("state.get", { key: ["a"] })).toBeUndefined();
    expect(player.missed()).toBeUndefined();
    expect([...player.writes()]).toEqual([['["a"]', undefined]]);
  });

  test("has no answer for a key that the recording did not read, and none from then on", async () => {
    const player = play([get("a", 1), set("c", 1)]);
    await expect(player.ask("state.get", { key: ["c"] })).rejects.toMatchObject({ name: "UNAVAILABLE" });
    await expect(player.ask("state.get", { key: ["a"] })).rejects.toMatchObject({ name: "UNAVAILABLE" });
    expect(player.missed()).toBe("it asked `state.get` for what the recording did not read");
  });

  test("answers keys out of a scan that showed everything, those that are not there included", async () => {
    const scan = (limit: number): TapeStep => {
      return { name: "state.scan", args: { prefix: ["t"], limit }, at: 1_000, answer: [{ key: ["t", 1], value: "x" }] };
    };
    const whole = play([scan(5)]);
    expect(await whole.ask("state.get", { key: ["t", 1] })).toBe("x");
    expect(await whole.ask("state.get", { key: ["t", 2] })).toBeUndefined();
    await expect(whole.ask("state.get", { key: ["u"] })).rejects.toThrow();
    const cut = play([scan(1)]);
    await expect(cut.ask("state.get", { key: ["t", 2] })).rejects.toThrow();
  });

  test("answers a scan only if the call has written the same below its prefix as the recording had", async () => {
    const scan: TapeStep = { name: "state.scan", args: { prefix: ["t"] }, at: 1_000, answer: [] };
    const after = play([set("t", 1), scan]);
    await expect(after.ask("state.scan", { prefix: ["t"] })).rejects.toThrow();
    const again = play([set("t", 1), scan]);
    await again.ask("state.set", { key: ["u"], value: 9 });
    await again.ask("state.set", { key: ["t"], value: 1 });
    expect(await again.ask("state.scan", { prefix: ["t"], limit: 1_000 })).toEqual([]);
  });

  test("is another one after a tool that changes something", async () => {
    const steps = [get("a", 1), { name: "tools.call", args: { name: WRITER.name, input: {} }, at: 1_000, answer: {} }];
    const player = play([...steps, get("b", 2)]);
    expect(player.callTool(WRITER.name, {})).toEqual({});
    expect(await player.ask("state.get", { key: ["b"] })).toBe(2);
    await expect(player.ask("state.get", { key: ["a"] })).rejects.toThrow();
  });

  test("has the session as it was before the recording set it", async () => {
    const session = { name: "session.get", args: {}, at: 1_000, answer: 7 };
    const stored = { name: "session.set", args: { value: 8 }, at: 1_000 };
    expect(await play([session, stored]).ask("session.get")).toBe(7);
    await expect(play([stored, session]).ask("session.get")).rejects.toThrow();
  });
});

describe("what is outside", () => {
  test("answers each request once, between the same effects, and moves the clock on", async () => {
    const player = play([
      page("https://a/1", "one", 1_200),
      page("https://a/2", "two", 1_100),
      post("x"),
      page("https://a/1", "three", 1_300),
    ]);
    expect(await player.ask("fetch", { url: "https://a/2" })).toBe("two");
    expect(player.time()).toBe(1_100);
    expect(await player.ask("fetch", { url: "https://a/1" })).toBe("one");
    await player.ask("fetch", post("x").args);
    expect(await player.ask("fetch", { url: "https://a/1" })).toBe("three");
    expect([player.time(), player.deviations(), player.missed()]).toEqual([1_300, [], undefined]);
    await expect(player.ask("fetch", { url: "https://a/1" })).rejects.toThrow();
    expect(player.missed()).toContain("or not then");
  });

  test("keeps an effect with other arguments, one too many and one that is missing", async () => {
    const other = play([post("x")]);
    await expect(other.ask("fetch", post("y").args)).rejects.toThrow();
    expect(other.deviations()).toEqual([{ name: "fetch", expected: post("x").args, actual: post("y").args }]);
    const more = play([]);
    await expect(more.ask("fetch", post("y").args)).rejects.toThrow();
    expect(more.deviations()).toEqual([{ name: "fetch", actual: post("y").args }]);
    expect(play([post("x")]).deviations()).toEqual([{ name: "fetch", expected: post("x").args }]);
    expect([other.missed(), more.missed()]).toEqual([undefined, undefined]);
  });

  test("fails as it failed", async () => {
    const error = { name: "NOT_FOUND", message: "Nowhere.", details: { a: 1 } };
    const player = play([{ name: "fetch", args: { url: "https://a" }, at: 1_000, error }]);
    await expect(player.ask("fetch", { url: "https://a" })).rejects.toMatchObject(error);
  });

  test("has no answer that is masked, nor one that never came, nor what the version itself says", async () => {
    const masked = play([get("a", { token: "[redacted]" })]);
    await expect(masked.ask("state.get", { key: ["a"] })).rejects.toThrow();
    expect(masked.missed()).toBe("it was answered by `state.get` with something that is masked on the tape");
    const open = play([{ name: "fetch", args: { url: "https://a" } }]);
    await expect(open.ask("fetch", { url: "https://a" })).rejects.toThrow();
    expect(open.missed()).toBe("it asked `fetch`, to which the recording has no answer");
    const own = play([{ name: "repository.search", args: {}, at: 1_000, answer: [] }]);
    await expect(own.ask("repository.search")).rejects.toThrow();
    const list = play([{ name: "tools.list", args: {}, at: 1_000, answer: [] }], [INNER.name]);
    await expect(list.ask("tools.list")).rejects.toThrow();
    expect(list.missed()).toBe("it asked which tools there are, and some have changed");
  });
});

describe("a tool that is called", () => {
  const called: TapeStep = {
    name: "tools.call",
    args: { name: INNER.name, input: { a: 1 } },
    at: 1_000,
    answer: { b: 2 },
  };

  test("answers as it did; where it has changed, only if its own calls are taped", () => {
    expect(play([called]).callTool(INNER.name, { a: 1 })).toEqual({ b: 2 });
    expect(play([called], [INNER.name], { tape: true }).callTool(INNER.name, { a: 1 })).toEqual({ b: 2 });
    const player = play([called], [INNER.name]);
    expect(() => player.callTool(INNER.name, { a: 1 })).toThrow();
    expect(player.missed()).toBe("it called `s.inner`, which has changed and has no tapes of its own");
  });

  test("runs again if it is deterministic", () => {
    expect(play([]).callTool(FIXED.name, {})).toBeUndefined();
  });
});
