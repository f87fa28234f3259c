import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type ArchitectService, openArchitectService } from "../helpers/architect-service.ts";
import { openRepository } from "../helpers/repository.ts";
import { toDataFolders } from "../helpers/through-nodes.ts";

const SAY = 'Set the description of runner.greet to "Greets somebody by name."';
const WAIT = 60_000;

test("feedback that is sent ten times at once under one key is one change, and something else under it is refused", async () => {
  const { chat, origin } = await openArchitectService();
  const headers = { "idempotency-key": "once" };
  const send = (body: object, options: Parameters<ArchitectService["chat"]>[2] = {}) =>
    chat("mia", body, { version: "1.0.0", headers, ...options });
  const answers = await Promise.all(Array.from({ length: 10 }, () => send({ message: SAY })));
  const [first] = answers;
  expect(first?.body).toMatchObject({ result: "committed", new_version: "1.0.1" });
  for (const answer of [...answers, await send({ message: SAY })]) {
    expect([answer.status, answer.body]).toEqual([200, first?.body]);
    expect(answer.headers.get("cairn-feedback")).toBe(first?.headers.get("cairn-feedback"));
  }
  expect(await origin.git("rev-list", "v1.0.0..main")).toBe(first?.body.commit_hash);
  for (const other of [
    await send({ message: "Set most of limits to 4." }),
    await send({ message: SAY, dry_run: true }),
    await send({ message: SAY, attachments: ["logs://recent"] }),
    await send({ message: SAY }, { version: "1.0.1" }),
  ]) {
    expect([other.status, other.body.code]).toEqual([422, 2009]);
  }
  // Somebody else's keys are others.
  const theirs = await chat("ada", { message: "Set most of limits to 4." }, { version: "1.0.0", headers });
  expect(theirs.body).toMatchObject({ result: "committed", new_version: "1.0.2" });
});

test("feedback that is sent again to an address that has moved answers what it answered first", async () => {
  const { chat, origin } = await openArchitectService();
  const headers = { "idempotency-key": "moving" };
  const first = await chat("mia", { message: SAY }, { headers });
  expect(first.body).toMatchObject({ result: "committed", new_version: "1.0.1" });
  const again = await chat("mia", { message: SAY }, { headers });
  expect([again.status, again.body]).toEqual([200, first.body]);
  for (const name of ["cairn-feedback", "cairn-run", "cairn-commit", "cairn-version", "link"]) {
    expect(again.headers.get(name)).toBe(first.headers.get(name));
  }
  expect(again.headers.get("cairn-version")).toBe("1.0.0");
  for (const [message, version] of [
    ["Set most of limits to 4.", "latest"],
    [SAY, "1.0.0"],
    [SAY, "1.0.1"],
  ] as const) {
    const other = await chat("mia", { message }, { version, headers });
    expect([other.status, other.body.code]).toEqual([422, 2009]);
  }
  expect(await origin.git("tag", "--list")).toBe("v1.0.0\nv1.0.1");
});

test("feedback that may mean several things shows what it offers, and its sender alone can choose", async () => {
  const { chat, get } = await openArchitectService();
  const asked = await chat("mia", {
    message: "Nobody needs more than 3 there by default, 4 would be enough for most.",
  });
  expect(asked.body.result).toBe("rejected");
  const id = asked.headers.get("cairn-feedback") ?? "";
  const { body } = await get("mia", `/agent/1.0.0/architect/feedback/${id}`);
  expect(body.offered?.[0]).toEqual({ id: "a", title: "The parameter `limits.most` is `4` by default; it was `3`." });
  const theirs = await chat("ada", { message: `yes ${id} a` });
  expect([theirs.status, theirs.body.detail]).toEqual([400, expect.stringContaining("You have sent no feedback")]);
  const chosen = await chat("mia", { message: `yes ${id} a` });
  expect(chosen.body).toMatchObject({ result: "committed", new_version: "1.0.1" });
});

test("whoever does not want to wait is told where to ask", async () => {
  const { chat, get } = await openArchitectService();
  const asked = await chat("mia", { message: SAY }, { headers: { prefer: "respond-async" } });
  expect(asked.status).toBe(202);
  expect(asked.headers.get("preference-applied")).toBe("respond-async");
  expect(asked.body).toMatchObject({ status: "running", task_id: asked.body.id, version: "1.0.0", dry_run: false });
  const location = asked.headers.get("location") ?? "";
  expect(location).toMatch(new RegExp(`^/agent/[0-9a-f]{40}/architect/feedback/${asked.body.id}$`));
  const answer = await vi.waitFor(async () => {
    const { body } = await get("mia", location);
    expect(body.status).toBe("ended");
    return body.answer;
  }, WAIT);
  expect(answer).toMatchObject({ result: "committed", new_version: "1.0.1" });
});

test("whoever waits gets the answer, or after their time where to ask", async () => {
  const { chat } = await openArchitectService();
  const short = await chat("mia", { message: SAY }, { headers: { prefer: "wait=0", "idempotency-key": "k" } });
  expect([short.status, short.headers.get("preference-applied")]).toEqual([202, "wait=0"]);
  const long = await chat("mia", { message: SAY }, { headers: { prefer: "wait=60", "idempotency-key": "k" } });
  expect([long.status, long.headers.get("preference-applied")]).toEqual([200, "wait=60"]);
  expect(long.headers.get("cairn-feedback")).toBe(short.headers.get("cairn-feedback"));
  expect(long.body).toMatchObject({ result: "committed", new_version: "1.0.1" });
});

test("whoever asks for events is told how it goes, and their going away changes nothing", async () => {
  const { service, get, origin } = await openArchitectService();
  const stream = (message: string, signal?: AbortSignal) =>
    fetch(`${service.url}/agent/1.0.0/architect/chat`, {
      method: "POST",
      headers: { authorization: "mia", "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify({ message }),
      ...(signal === undefined ? {} : { signal }),
    });
  const whole = await stream(SAY);
  expect(whole.headers.get("content-type")).toContain("text/event-stream");
  const events = readEvents(await whole.text());
  expect(events[0]).toMatchObject({ event: "feedback", data: { id: whole.headers.get("cairn-feedback") } });
  const stages = events.filter(({ event }) => event === "progress").map(({ data }) => data["stage"]);
  expect([...new Set(stages)]).toEqual(["intake", "plan", "execute", "verify", "propose", "land", "tag", "end"]);
  expect(events.at(-1)).toMatchObject({ event: "answer", data: { result: "committed", new_version: "1.0.1" } });

  const leaving = new AbortController();
  const cut = await stream("Set most of limits to 4.", leaving.signal);
  const reader = cut.body?.getReader();
  await reader?.read();
  leaving.abort();
  const location = `/agent/1.0.0/architect/feedback/${cut.headers.get("cairn-feedback")}`;
  await vi.waitFor(async () => {
    const { body } = await get("mia", location);
    expect(body.answer).toMatchObject({ result: "committed", new_version: "1.0.2" });
  }, WAIT);
  expect(await origin.git("tag", "--list")).toBe("v1.0.0\nv1.0.1\nv1.0.2");
});

test("a dry run leaves no trace in either repository, nor in workspaces", async () => {
  const { chat, origin, data } = await openArchitectService();
  const folders = toDataFolders(data);
  const mirrors = folders.map((one) => openRepository(join(one, "mirror.git")));
  const look = async () => ({
    refs: await Promise.all([origin, ...mirrors].map((one) => one.git("for-each-ref"))),
    objects: await Promise.all([origin, ...mirrors].map(listObjects)),
    workspaces: await Promise.all(folders.map((one) => readdir(join(one, "workspaces")))),
  });
  const before = await look();
  for (const message of [SAY, "Set most of limits to 99.", "Promote long for style."]) {
    const { body } = await chat("mia", { message, dry_run: true });
    expect(body.commit_hash).toBeUndefined();
    expect(await look()).toEqual(before);
  }
});

async function listObjects({ git }: ArchitectService["origin"]): Promise<readonly string[]> {
  const check = "--batch-check=%(objectname) %(objecttype)";
  return (await git("cat-file", "--batch-all-objects", check)).split("\n");
}

interface ServerEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function readEvents(text: string): readonly ServerEvent[] {
  return text.split("\n\n").flatMap((block) => {
    const event = /^event: (.*)$/m.exec(block)?.[1];
    const data = /^data: (.*)$/m.exec(block)?.[1];
    return event === undefined || data === undefined ? [] : [{ event, data: JSON.parse(data) }];
  });
}
