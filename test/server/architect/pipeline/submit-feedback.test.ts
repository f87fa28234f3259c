import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Submission, submitFeedback } from "../../../../server/architect/pipeline/submit-feedback.ts";
import { createIdentifiers } from "../../../../server/identifiers.ts";
import { canonicalJson } from "../../../../server/json/canonical-json.ts";
import { feedbackKey, feedbackOnceKey, OPEN_FEEDBACK } from "../../../../server/store/keys.ts";
import type { Json } from "../../../../server/store/store.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

const NOW = Date.UTC(2026, 0, 1);

async function open() {
  const store = await openTestStore();
  const version = createTestVersion();
  const options = { store, createId: createIdentifiers(() => NOW), storeTime: () => NOW, now: () => NOW };
  const send = (given: Partial<Submission> = {}, tenant = "acme", capabilities: readonly string[] = ["*"]) =>
    submitFeedback(
      {
        version,
        address: "latest",
        principal: { tenant, actor: "ada", capabilities: new Set(capabilities) },
        roles: ["sender"],
        servers: ["runner"],
        message: "Greet in French.",
        attachments: [],
        dryRun: false,
        ...given,
      },
      options,
    );
  const countOpen = async () => (await Array.fromAsync(store.scan({ prefix: OPEN_FEEDBACK }))).length;
  return { store, send, countOpen };
}

describe("feedback that is sent", () => {
  test("is kept with a task, and is open until there is an answer", async () => {
    const { store, send, countOpen } = await open();
    const record = await send({ dryRun: true });
    expect(record).toMatchObject({ message: "Greet in French.", dry_run: true, stage: "received", outcome: null });
    expect((await store.get(feedbackKey("acme", record.id)))?.value).toEqual(record);
    expect(await countOpen()).toBe(1);
  });

  test("under the same key is the same, and something else under it is refused", async () => {
    const { send, countOpen } = await open();
    const [first, second] = await Promise.all([send({ idempotencyKey: "k" }), send({ idempotencyKey: "k" })]);
    expect(second.id).toBe(first.id);
    expect((await send({ idempotencyKey: "k" }, "globex")).id).not.toBe(first.id);
    for (const other of [{ message: "Else." }, { dryRun: true }, { attachments: ["logs://recent"] }]) {
      await expect(send({ idempotencyKey: "k", ...other })).rejects.toMatchObject({ name: "UNPROCESSABLE" });
    }
    expect(await countOpen()).toBe(2);
  });

  test("under the same key is the same where its address means another version by now, not under another address", async () => {
    const { send } = await open();
    const first = await send({ idempotencyKey: "k" });
    const version = createTestVersion({ commit: "d".repeat(40), semver: "1.9.0" });
    expect((await send({ idempotencyKey: "k", version })).id).toBe(first.id);
    await expect(send({ idempotencyKey: "k", address: "stable" })).rejects.toMatchObject({ name: "UNPROCESSABLE" });
    await expect(send({ idempotencyKey: "k", version, message: "Else." })).rejects.toMatchObject({
      name: "UNPROCESSABLE",
    });
  });

  test("under a key that an older Cairn has kept is the same as long as its address means the same commit", async () => {
    const { store, send } = await open();
    const { id, commit, message, attachments, dry_run: dryRun } = await send();
    const digest = hash("sha256", canonicalJson({ commit, message, attachments: [...attachments], dryRun }));
    await store.commit({ set: [{ key: feedbackOnceKey("acme", "ada", "k"), value: { id, digest } }] });
    expect((await send({ idempotencyKey: "k" })).id).toBe(id);
    const version = createTestVersion({ commit: "d".repeat(40) });
    await expect(send({ idempotencyKey: "k", version })).rejects.toMatchObject({ name: "UNPROCESSABLE" });
  });

  test.each([
    [{ message: "  \n" }, "`message` is empty"],
    [{ message: "a\0b" }, "characters that no text has"],
    [{ message: "\ud800" }, "characters that no text has"],
    [{ message: "x".repeat(20_001) }, "20001 characters, of which 20000 are allowed"],
    [{ attachments: Array<string>(17).fill("logs://recent") }, "17 attachments; at most 16"],
    [{ attachments: ["logs://recent", "ftp://x.example/a"] }, "`attachments[1]`, `ftp://x.example/a`"],
    [{ attachments: [`https://x.example/${"a".repeat(2_000)}`] }, "more than 2000 characters"],
  ])("like %j is refused", async (given, said) => {
    const { send, countOpen } = await open();
    await expect(send(given)).rejects.toMatchObject({ name: "BAD_REQUEST", message: expect.stringContaining(said) });
    expect(await countOpen()).toBe(0);
  });

  test("that answers a question is what was sent first, with the reading that its sender has chosen", async () => {
    const { store, send } = await open();
    const asked = await send({ message: "Greet people warmly.", attachments: ["logs://recent"] });
    const offered = [
      { id: "a", title: "The greeting is warm." },
      { id: "b", title: "The greeting is friendly." },
    ];
    await store.commit({
      set: [{ key: feedbackKey("acme", asked.id), value: { ...asked, offered } as unknown as Json }],
    });
    for (const message of [`yes ${asked.id} b`, ` Ja, ${asked.id}: (B). `]) {
      const chosen = await send({ message });
      expect(chosen).toMatchObject({
        message: "Greet people warmly.",
        attachments: ["logs://recent"],
        choice: { of: asked.id, id: "b", title: "The greeting is friendly." },
      });
      expect(chosen.id).not.toBe(asked.id);
    }
    await expect(send({ message: `yes ${asked.id} c` })).rejects.toThrow("no choice but `a`, `b`");
    const principal = { tenant: "acme", actor: "bob", capabilities: new Set(["*"]) };
    await expect(send({ message: `yes ${asked.id} b`, principal })).rejects.toThrow("You have sent no feedback");
    await expect(send({ message: `yes ${asked.id} b` }, "globex")).rejects.toThrow("You have sent no feedback");
    expect((await send({ message: `yes ${asked.id} b, and more` })).choice).toBeUndefined();
  });

  test("needs the right to send it", async () => {
    const { send } = await open();
    await expect(send({}, "acme", ["architect:tune"])).rejects.toMatchObject({ name: "FORBIDDEN" });
    await expect(send({}, "acme", ["architect:chat"])).resolves.toMatchObject({ tenant: "acme" });
  });

  test("is too much when a tenant has many open, whatever others have", async () => {
    const { send } = await open();
    for (let count = 0; count < 64; count++) await send();
    await expect(send()).rejects.toMatchObject({ name: "RATE_LIMITED", details: { retryAfter: 60 } });
    await expect(send({}, "globex")).resolves.toMatchObject({ tenant: "globex" });
  });
});
