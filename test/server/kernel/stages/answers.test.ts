import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { array, assert, asyncProperty, constantFrom, nat, oneof, record } from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { canonicalJson } from "../../../../server/json/canonical-json.ts";
import { ANSWERS_KEPT_MS, readAnswerRecord } from "../../../../server/kernel/stages/answers.ts";
import { LOCAL_PRINCIPAL } from "../../../../server/principal.ts";
import { answerKey, auditLog, plainAnswerKey } from "../../../../server/store/keys.ts";
import { openLmdbStore } from "../../../../server/store/lmdb/lmdb.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { COUNT, type TestTool } from "../count-tool.ts";
import { toAnswer, useInvoke } from "../use-invoke.ts";

const setUp = useInvoke();
const key = (idempotencyKey: string) => ({ idempotencyKey });

/** Counts, and fails after that where the input says so. */
const FAIL_ONCE: TestTool = {
  ...COUNT,
  body: "const n = ((await ctx.state.get(['n'])) ?? 0) + 1; await ctx.state.set(['n'], n); if (input.fail) throw ctx.fail('UPSTREAM_ERROR', 'not now'); return { n };",
};

/** A service outside that counts what is posted to it. */
async function openOutside() {
  let posts = 0;
  const server = createServer((request, response) => {
    if (request.method === "POST") posts += 1;
    response.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const egressMap = new Map([["out.example", `http://127.0.0.1:${(server.address() as AddressInfo).port}`]]);
  return { egressMap, posts: () => posts };
}

describe("[D7] a call with an idempotency key", () => {
  test("has one effect and one answer, whoever repeats it, one after the other or at once", async () => {
    const { call, store } = await setUp({ count: COUNT });
    const results = await Promise.all(Array.from({ length: 16 }, () => call("count", {}, key("k"))));
    const [first] = results.map(toAnswer);
    expect(first).toMatchObject({ output: { n: 1 } });
    expect(results.map(toAnswer)).toEqual(results.map(() => first));
    expect(toAnswer(await call("count", {}, key("k")))).toEqual(first);
    expect(toAnswer(await call("count", {}, key("other")))).toMatchObject({ output: { n: 2 } });
    expect(toAnswer(await call("count"))).toMatchObject({ output: { n: 3 } });
    // What is answered again is no second call.
    expect((await store.head(auditLog("local")))?.seq).toBe(2);
  });

  test("is UNPROCESSABLE with another input, and the same with the same input written otherwise", async () => {
    const { call } = await setUp({
      count: { ...COUNT, withDefaults: (input) => ({ by: 1, ...(input as object) }) },
    });
    const first = toAnswer(await call("count", { key: "a", by: 1 }, key("k")));
    expect(toAnswer(await call("count", { by: 1, key: "a" }, key("k")))).toEqual(first);
    expect(toAnswer(await call("count", { key: "a" }, key("k")))).toEqual(first);
    expect(await call("count", { key: "b" }, key("k"))).toMatchObject({
      ok: false,
      error: {
        code: 2009,
        name: "UNPROCESSABLE",
        message: "This idempotency key was used for a call of `count` with another input; a new call needs a new key.",
      },
    });
    expect(toAnswer(await call("count", { key: "a" }, key("k")))).toEqual(first);
  });

  test("is another call for another tenant, actor, tool or version", async () => {
    const store = await openTestStore();
    const here = await setUp({ count: COUNT, other: COUNT }, { store });
    const there = await setUp({ count: COUNT }, { store, commit: "b".repeat(40) });
    const as = (tenant: string, actor: string) => ({ ...key("k"), principal: { ...LOCAL_PRINCIPAL, tenant, actor } });
    const answers = [
      await here.call("count", {}, as("a", "ada")),
      await here.call("count", {}, as("b", "ada")),
      await here.call("count", {}, as("a", "bob")),
      await here.call("other", {}, as("a", "ada")),
      await there.call("count", {}, as("a", "ada")),
    ];
    expect(new Set(answers.map(({ conversationId }) => conversationId)).size).toBe(5);
    expect(answers.map((result) => result.ok && result.output)).toEqual([
      { n: 1 },
      { n: 1 },
      { n: 2 },
      { n: 3 },
      { n: 1 },
    ]);
    // With another input, a foreign key would be UNPROCESSABLE if anybody saw it.
    expect(await here.call("count", { key: "x" }, as("c", "ada"))).toMatchObject({ ok: true });
  });

  test("may succeed after a failure without effect, and is done again when its answer is too old", async () => {
    const clock = { at: Date.now() };
    const { call, store, version } = await setUp({ t: FAIL_ONCE }, { now: () => clock.at });
    expect(await call("t", { fail: true }, key("k"))).toMatchObject({ ok: false, error: { name: "UPSTREAM_ERROR" } });
    expect(toAnswer(await call("t", {}, key("k")))).toMatchObject({ output: { n: 1 } });
    const stored = await store.get(answerKey("local", version.commit, "t", "anonymous", "k"));
    expect(readAnswerRecord(stored?.value)).toMatchObject({ schemaVersion: 1, sealed: expect.any(String) });
    clock.at += ANSWERS_KEPT_MS - 1000;
    expect(toAnswer(await call("t", {}, key("k")))).toMatchObject({ output: { n: 1 } });
    clock.at += 1000;
    expect(toAnswer(await call("t", {}, key("k")))).toMatchObject({ output: { n: 2 } });
  });

  test("leaves nothing in the store that its input, its output and its key could be read from, or found by trying", async () => {
    const body = "return { echo: input.card, code: 918273645546 };";
    const tool: TestTool = { body, sideEffect: true, redact: ["/card", "/echo", "/code"] };
    const { call, store } = await setUp({ pay: tool });
    const input = { card: "4111-1111-1111-1111" };
    const first = toAnswer(await call("pay", input, key("8e03978e-40d5-43dd-bc93-6894a57f9324")));
    expect(first).toMatchObject({ output: { echo: input.card, code: 918273645546 } });
    expect(await call("pay", { card: "other" }, key("8e03978e-40d5-43dd-bc93-6894a57f9324"))).toMatchObject({
      error: { name: "UNPROCESSABLE" },
    });
    const kept: string[] = [];
    for await (const entry of store.scan({ prefix: [] })) kept.push(JSON.stringify(entry));
    expect(kept.filter((entry) => entry.includes("sealed-answer"))).toHaveLength(1);
    const guessed = ["8e03978e-40d5", "4111-1111", "918273645546", hash("sha256", canonicalJson(input))];
    for (const text of guessed) expect(kept.filter((entry) => entry.includes(text))).toEqual([]);
    expect(toAnswer(await call("pay", input, key("8e03978e-40d5-43dd-bc93-6894a57f9324")))).toEqual(first);
  });

  test("finds an answer that was kept before answers were sealed", async () => {
    const { call, store, version } = await setUp({ count: COUNT });
    const conversationId = "01890000-0000-7000-8000-000000000000";
    const inputDigest = hash("sha256", "k\n{}");
    const value = { schemaVersion: 1, conversationId, inputDigest, output: { n: 7 } };
    await store.commit({ set: [{ key: plainAnswerKey("local", version.commit, "count", "anonymous", "k"), value }] });
    expect(toAnswer(await call("count", {}, key("k")))).toMatchObject({ output: { n: 7 }, id: conversationId });
    expect(await call("count", { key: "b" }, key("k"))).toMatchObject({ error: { name: "UNPROCESSABLE" } });
  });

  test("keeps its failure when something was done outside before", async () => {
    const { egressMap, posts } = await openOutside();
    const poster: TestTool = {
      body: "await ctx.fetch('https://out.example/', { method: 'POST' }); if (input.fail) throw ctx.fail('CONFLICT', 'after all', { why: 1 }); return {};",
      uses: new Set(["fetch"]),
      egress: ["out.example"],
      sideEffect: true,
    };
    const { call } = await setUp({ poster }, { egressMap });
    const first = await call("poster", { fail: true }, key("k"));
    expect(first).toMatchObject({ ok: false, error: { name: "CONFLICT", message: "after all", details: { why: 1 } } });
    const again = await call("poster", { fail: true }, key("k"));
    expect({ ...again, durationMs: 0 }).toEqual({ ...first, durationMs: 0 });
    expect(posts()).toBe(1);
  });

  test("keeps the content that its handler showed", async () => {
    const body = "return ctx.reply({ n: 1 }, [{ type: 'text', text: 'one' }]);";
    const { call } = await setUp({ t: { body } });
    const first = await call("t", {}, key("k"));
    expect(first).toMatchObject({ ok: true, content: [{ type: "text", text: "one" }] });
    expect({ ...(await call("t", {}, key("k"))), durationMs: 0 }).toEqual({ ...first, durationMs: 0 });
  });

  test("does what its handler has other tools do once, too, though it begins anew", async () => {
    const outer: TestTool = {
      body: `const got = []; for (const key of ["a", "a", "b"]) got.push(await ctx.tools.call("count", { key }));
        const turn = await ctx.state.get(["turn"]); if (turn === undefined) throw new Error("killed here"); return { got };`,
      uses: new Set(["tools.call", "state.read"]),
      sideEffect: true,
    };
    const { call, store } = await setUp({ outer, count: { ...COUNT, idempotent: false } });
    expect(await call("outer", {}, key("k"))).toMatchObject({ ok: false });
    // As after a crash: nothing is known of the outer call, but what the inner ones did is there.
    await store.commit({ del: [answerKey("local", "c".repeat(40), "outer", "anonymous", "k")] });
    await store.commit({ set: [{ key: ["state", "local", "s", "c".repeat(40), "turn"], value: 1 }] });
    expect(await call("outer", {}, key("k"))).toMatchObject({ output: { got: [{ n: 1 }, { n: 2 }, { n: 1 }] } });
  });

  test("is UNAVAILABLE when nobody knows whether it was done, and then does nothing", async () => {
    const store = await openTestStore();
    const { call } = await setUp(
      { count: COUNT },
      { store: { ...store, get: () => Promise.reject(new Error("disk")) } },
    );
    expect(await call("count", {}, key("k"))).toMatchObject({ ok: false, error: { name: "UNAVAILABLE" } });
    const after = await setUp({ count: COUNT }, { store });
    expect(toAnswer(await after.call("count", {}, key("k")))).toMatchObject({ output: { n: 1 } });
  });

  test("that was killed between commit and answer has one effect, and its retry gets that answer", async () => {
    const directory = join(await temporaryFolder(), "store");
    const program = join(import.meta.dirname, "killed-before-answer.ts");
    const child = spawn(process.execPath, ["--no-warnings", program, directory], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (chunk) => (said += chunk));
    const [, signal] = await once(child, "close");
    expect([signal, said]).toEqual(["SIGKILL", ""]);
    const store = await openLmdbStore({ directory, now: Date.now });
    onTestFinished(() => store.admin.close());
    const { call } = await setUp({ count: COUNT }, { store });
    const retried = toAnswer(await call("count", {}, key("k")));
    expect(retried).toMatchObject({ output: { n: 1 } });
    const { value } = (await store.get(answerKey("local", "c".repeat(40), "count", "anonymous", "k"))) ?? {};
    expect(retried).toMatchObject({ id: readAnswerRecord(value).conversationId });
    expect(toAnswer(await call("count"))).toMatchObject({ output: { n: 2 } });
  });

  test(
    "has one effect for each key, however calls, repetitions, other inputs and restarts mingle",
    { timeout: 120_000 },
    async () => {
      const step = oneof(
        record({ key: nat(3), input: constantFrom("a", "b"), fail: constantFrom(false, false, true), copies: nat(3) }),
        constantFrom("restart" as const),
      );
      const law = asyncProperty(array(step, { maxLength: 12 }), async (steps) => {
        const store = await openTestStore();
        let service = await setUp({ t: FAIL_ONCE }, { store });
        const answers = new Map<string, { input: string; answer: unknown }>();
        let effects = 0;
        for (const next of steps) {
          if (next === "restart") {
            service = await setUp({ t: FAIL_ONCE }, { store });
            continue;
          }
          const input = { as: next.input, ...(next.fail ? { fail: true } : {}) };
          const calls = Array.from({ length: next.copies + 1 }, () => service.call("t", input, key(`k${next.key}`)));
          const got = (await Promise.all(calls)).map(toAnswer);
          const known = answers.get(`k${next.key}`);
          const isSame = known?.input === JSON.stringify(input);
          if (known === undefined && !next.fail) {
            effects += 1;
            answers.set(`k${next.key}`, { input: JSON.stringify(input), answer: got[0] });
            expect(got).toEqual(got.map(() => expect.objectContaining({ output: { n: effects } })));
            expect(got).toEqual(got.map(() => got[0]));
          } else if (known === undefined) expect(got).toEqual(got.map(() => "UPSTREAM_ERROR"));
          else expect(got).toEqual(got.map(() => (isSame ? known.answer : "UNPROCESSABLE")));
        }
        expect(toAnswer(await service.call("t"))).toMatchObject({ output: { n: effects + 1 } });
      });
      await assert(law, { numRuns: process.env["CAIRN_LONG"] ? 200 : 15 });
    },
  );
});
