import { describe, expect, test } from "vitest";
import { receive } from "../../../../server/architect/pipeline/receive.ts";
import { createRun, createWorld } from "../../../helpers/pipeline-world.ts";

const RECEIVE = { step: "receive" } as const;
const URI = "logs://runner/greet";

describe("receiving feedback", () => {
  test("reads what it names, keeps it, and plans next", async () => {
    const readView = async () => ({ mediaType: "text/plain", text: "a line" });
    const world = await createWorld({
      attachments: { readView, fetcher: { fetch: () => Promise.reject(new Error()) } },
    });
    const run = await createRun(world, { attachments: [URI] });
    const attachments = [{ uri: URI, mediaType: "text/plain", text: "a line" }];
    const feedback = { message: "Greet by name.", attachments };
    expect(await receive(world.context, run, RECEIVE)).toEqual({
      record: run.record,
      next: { step: "plan", feedback, anew: false },
    });
    expect(JSON.parse(run.book.texts.get("intake.json") ?? "")).toMatchObject({ attachments, asked_by: "ada" });
    expect(world.said).toEqual(["intake: Reads 1 attachments."]);
  });

  test("reads nothing twice: after a crash it goes by what was kept, whatever the service shows by then", async () => {
    const world = await createWorld();
    const run = await createRun(world, { attachments: [URI] });
    const attachments = [{ uri: URI, mediaType: "text/plain", text: "as it was" }];
    run.book.texts.set("intake.json", JSON.stringify({ attachments }));
    const { next } = await receive(world.context, run, { ...RECEIVE, anew: true });
    expect(next).toMatchObject({ step: "plan", feedback: { attachments }, anew: true });
    expect(world.said).toEqual([]);
  });

  test("passes on the reading that the sender has chosen", async () => {
    const world = await createWorld();
    const choice = { of: "0", id: "a", title: "The greeting is warm." } as const;
    const run = await createRun(world, { choice });
    const { next } = await receive(world.context, run, RECEIVE);
    expect(next).toMatchObject({ feedback: { message: "Greet by name.", choice: "The greeting is warm." } });
  });

  test("rejects with the attachment's name, and keeps nothing, where one cannot be read", async () => {
    const world = await createWorld();
    const run = await createRun(world, { attachments: [URI] });
    await expect(receive(world.context, run, RECEIVE)).rejects.toMatchObject({
      name: "NOT_FOUND",
      message: expect.stringContaining(`The attachment \`${URI}\``),
    });
    expect(run.book.texts.size).toBe(0);
  });
});
