import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { describe, expect, test } from "vitest";
import { agentFiles, type AgentTool } from "../helpers/agent.ts";
import { startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { connectMcp, readJsonResource } from "../helpers/mcp-client.ts";
import { createRepository, openRepository, type TestRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

const text = (value: string): AgentTool => ({
  handler: `export default () => ({ text: ${JSON.stringify(value)} });\n`,
  manifest: "deterministic: true\noutput: { type: object, required: [text], properties: { text: { type: string } } }",
});

const counter: AgentTool = {
  handler: `export default async (input, ctx) => {
    const before = (await ctx.session.get()) ?? { turns: [] };
    const turns = [...before.turns, input.message];
    await ctx.session.set({ turns });
    return { reply: { turns } };
  };\n`,
  manifest: `session: stateful
sideEffect: true
uses: [session]
input:
  type: object
  required: [message]
  properties: { conversation_id: { type: string }, message: { type: string } }
output:
  type: object
  required: [reply, conversation_id]
  properties: { reply: { type: object }, conversation_id: { type: string }, logs_uri: { type: string, format: uri } }`,
};

async function release(repository: TestRepository, options: Parameters<typeof agentFiles>[0]): Promise<string> {
  const commit = await repository.commit(agentFiles(options));
  await repository.tag(`v${options.version}`, commit);
  return commit;
}

async function getJson(url: string): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const response = await fetch(url);
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

describe("a repository with three tags", () => {
  test(
    "[V1] [V3] [D1] [D4] [C4] answers at all of them at once, follows pushes and refuses what is broken",
    { timeout: 60_000 },
    async () => {
      const repository = await createRepository();
      const first = await release(repository, { version: "1.0.0", tools: { hello: text("one") } });
      const second = await release(repository, {
        version: "1.1.0",
        parent: "1.0.0",
        tools: { hello: text("one"), extra: text("extra") },
      });
      const third = await release(repository, {
        version: "1.1.1",
        parent: "1.1.0",
        tools: { hello: { ...text("three"), version: "1.0.1" }, extra: text("extra") },
      });
      const bare = await temporaryFolder();
      await repository.git("clone", "--quiet", "--bare", ".", bare);
      await repository.git("remote", "add", "origin", bare);
      const { url } = await startCairn(["serve", bare, "--data", await temporaryFolder()]);

      const clients = await Promise.all(
        ["1.0.0", "1.1.0", "1.1.1"].map((version) => connectMcp(`${url}/agent/${version}/runner`)),
      );
      const lists = await Promise.all(clients.map((client) => client.listTools()));
      expect(lists.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
        ["runner.hello"],
        ["runner.extra", "runner.hello"],
        ["runner.extra", "runner.hello"],
      ]);
      const answers = await Promise.all(
        clients.map((client) => client.callTool({ name: "runner.hello", arguments: {} })),
      );
      expect(answers.map(({ structuredContent }) => structuredContent)).toEqual([
        { text: "one" },
        { text: "one" },
        { text: "three" },
      ]);
      expect(clients.map((client) => client.getServerVersion())).toEqual(
        ["1.0.0", "1.1.0", "1.1.1"].map((version) => ({ name: "test-agent/runner", title: "test-agent", version })),
      );

      const compat = await readJsonResource(clients[2] as Client, "compat://manifest");
      expect(compat).toMatchObject({
        version: "1.1.1",
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        parent: { version: "1.1.0", commit: second },
        declared_changes: ["Changes of 1.1.1."],
        changes: [{ change: "changed", what: "tool runner.hello", properties: ["version"] }],
      });
      const grown = await readJsonResource(clients[1] as Client, "compat://manifest");
      expect(grown["changes"]).toEqual([{ change: "added", what: "tool runner.extra" }]);

      // A fourth tag, pushed: live without a restart, and nobody else notices.
      await release(repository, {
        version: "1.2.0",
        parent: "1.1.1",
        tools: { hello: { ...text("four"), version: "1.0.2" }, extra: text("extra") },
        labels: { stable: "1.2.0" },
      });
      await repository.git("push", "--quiet", "origin", "main", "--tags");
      await eventually(async () => expect((await fetch(`${url}/agent/1.2.0`)).status).toBe(200));
      const fourth = await connectMcp(`${url}/agent/1.2.0/runner`);
      expect((await fourth.callTool({ name: "runner.hello", arguments: {} })).structuredContent).toEqual({
        text: "four",
      });

      // A broken fifth: listed with its reason among the unstable, served to nobody.
      await repository.commit({
        ...agentFiles({ version: "1.3.0", tools: { hello: text("five") } }),
        "manifests/runner/hello.yaml":
          "name: runner.hello\nversion: 1.0.0\ndescription: Does.\ninput: { type: objekt }\noutput: { type: object }\n",
      });
      await repository.tag("v1.3.0");
      await repository.git("push", "--quiet", "origin", "--tags");
      await eventually(async () => {
        const { body } = await getJson(`${url}/versions?include_unstable=true`);
        expect(body["versions"]).toEqual(
          expect.arrayContaining([expect.objectContaining({ version: "1.3.0", tags: ["quarantined"] })]),
        );
      });
      const stable = (await getJson(`${url}/versions`)).body["versions"] as { version: string; tests: object }[];
      expect(stable.map(({ version }) => version)).toEqual(["1.2.0", "1.1.1", "1.1.0", "1.0.0"]);
      const quarantined = await getJson(`${url}/versions/1.3.0`);
      expect(quarantined.body).toMatchObject({
        state: "quarantined",
        tests: { status: "fail" },
        problems: expect.arrayContaining([
          {
            file: "manifests/runner/hello.yaml",
            line: 4,
            column: 16,
            rule: "wrong-value",
            message: "`input.type` must be object, not `objekt`.",
            fix: "Write `object`.",
          },
        ]),
      });
      const refused = await getJson(`${url}/agent/1.3.0/api/tools`);
      expect([refused.status, refused.body["name"]]).toEqual([404, "VERSION_QUARANTINED"]);

      // What moves says which commit answered; what is pinned is pinned.
      const moving = await fetch(`${url}/agent/stable/api/tools`);
      expect(Object.fromEntries(moving.headers)).toMatchObject({ "cairn-version": "1.2.0" });
      for (const [segment, commit] of [
        ["1.0.0", first],
        ["1.1.0", second],
        [third, third],
        [third.slice(0, 7), third],
        ["~1.1", third],
      ] as const) {
        const { headers } = await fetch(`${url}/agent/${segment}/openapi.json`);
        expect(headers.get("cairn-commit")).toBe(commit);
        expect(headers.get("link")).toBe(`</agent/${commit}/openapi.json>; rel="canonical"`);
      }
      expect((await clients[0]?.callTool({ name: "runner.hello", arguments: {} }))?.structuredContent).toEqual({
        text: "one",
      });
    },
  );

  test("[V8] [abuse 40] keeps the first commit of a tag that moves, says so, and names what exists for what does not", async () => {
    const repository = await createRepository();
    const first = await release(repository, { version: "1.0.0", tools: { hello: text("one") } });
    const { url } = await startCairn(["serve", repository.path, "--data", await temporaryFolder()]);
    expect((await fetch(`${url}/agent/1.0.0/api/tools`)).headers.get("cairn-commit")).toBe(first);
    const moved = await release(repository, { version: "1.0.0", tools: { hello: text("changed under you") } });
    await eventually(async () =>
      expect((await getJson(`${url}/versions/1.0.0`)).body["alarms"]).toMatchObject([
        { kind: "moved", commit: first, upstreamCommit: moved },
      ]),
    );
    const answer = await fetch(`${url}/agent/1.0.0/api/tools/runner.hello`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    });
    expect(await answer.json()).toEqual({ text: "one" });

    const unknown = await getJson(`${url}/agent/9.9.9/api/tools`);
    expect(unknown.status).toBe(404);
    expect(unknown.body).toMatchObject({ name: "VERSION_NOT_FOUND", code: 4001, details: { available: ["1.0.0"] } });
  });

  test("[D6] moves a label by a commit on the default branch, and leaves pinned addresses alone", async () => {
    const repository = await createRepository();
    await release(repository, { version: "1.0.0", tools: { hello: text("one") } });
    const hello = { ...text("two"), version: "1.0.1" };
    await release(repository, { version: "1.1.0", tools: { hello }, labels: { stable: "1.1.0" } });
    const { url } = await startCairn(["serve", repository.path, "--data", await temporaryFolder()]);
    const served = async (segment: string) =>
      (await fetch(`${url}/agent/${segment}/api/tools`)).headers.get("cairn-version");
    expect(await served("stable")).toBe("1.1.0");
    await repository.commit(agentFiles({ version: "1.1.0", tools: { hello }, labels: { stable: "1.0.0" } }));
    await eventually(async () => expect(await served("stable")).toBe("1.0.0"));
    expect([await served("1.1.0"), await served("latest")]).toEqual(["1.1.0", "1.1.0"]);
  });
});

describe("a conversation", () => {
  test(
    "[R1] [R4] [R5] [R6] goes over three turns, through kill -9, with nothing lost",
    { timeout: 60_000 },
    async () => {
      const repository = await createRepository();
      await release(repository, { version: "1.0.0", tools: { count: counter, hello: text("one") } });
      const data = await temporaryFolder();
      const before = await startCairn(["serve", repository.path, "--data", data]);
      const client = await connectMcp(`${before.url}/agent/1.0.0/runner`);
      const say = async (on: typeof client, message: string, conversation?: unknown) => {
        const id = conversation === undefined ? {} : { conversation_id: conversation };
        const { structuredContent } = await on.callTool({ name: "runner.count", arguments: { message, ...id } });
        return structuredContent as { reply: { turns: string[] }; conversation_id: string; logs_uri: string };
      };
      const one = await say(client, "a");
      expect(one.conversation_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(one.logs_uri).toBe(`logs://${one.conversation_id}`);
      expect((await say(client, "b", one.conversation_id)).reply.turns).toEqual(["a", "b"]);
      await before.stop("SIGKILL");

      const after = await startCairn(["serve", repository.path, "--data", data]);
      const again = await connectMcp(`${after.url}/agent/1.0.0/runner`);
      const three = await say(again, "c", one.conversation_id);
      expect(three).toMatchObject({ reply: { turns: ["a", "b", "c"] }, conversation_id: one.conversation_id });
      expect(await readJsonResource(again, `session://${one.conversation_id}`)).toMatchObject({
        turns: ["a", "b", "c"],
        calls: 3,
      });
      expect(await readJsonResource(again, "session://index?limit=5")).toMatchObject({
        sessions: [{ conversation_id: one.conversation_id, calls: 3 }],
      });
      const logs = await readJsonResource(again, one.logs_uri);
      expect((logs["calls"] as object[]).length).toBe(3);
      expect(await readJsonResource(again, "logs://recent?limit=2")).toMatchObject({
        calls: [{ tool: "runner.count" }, { tool: "runner.count" }],
      });
      expect(await readJsonResource(again, "state://active")).toMatchObject({ version: "1.0.0", server: "runner" });
      expect(await readJsonResource(again, "state://assets")).toMatchObject({
        assets: [{ uri: "s3://bucket/model.bin" }],
      });
      expect(await readJsonResource(again, "compat://manifest")).toMatchObject({ version: "1.0.0", parent: null });
      expect(await after.stop()).toBe(0);
    },
  );
});

test("[D4] a call in flight ends on the version that it began on", async () => {
  const repository = await createRepository();
  await release(repository, {
    version: "1.0.0",
    tools: {
      wait: {
        handler:
          "export default async (input, ctx) => { const end = ctx.now() + 1500; for (;;) { await ctx.tools.list(); if (ctx.now() > end) return { was: 1 }; } };\n",
        manifest: "uses: [clock, tools.list]",
      },
    },
  });
  const { url } = await startCairn(["serve", repository.path, "--data", await temporaryFolder()]);
  const post = (segment: string) =>
    fetch(`${url}/agent/${segment}/api/tools/runner.wait`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    });
  const running = post("latest");
  await release(openRepository(repository.path), {
    version: "1.1.0",
    // Whatever has changed of it, its number says enough.
    tools: { wait: { handler: "export default () => ({ was: 2 });\n", version: "2.0.0" } },
  });
  await eventually(async () =>
    expect((await fetch(`${url}/agent/latest/api/tools`)).headers.get("cairn-version")).toBe("1.1.0"),
  );
  expect(await (await running).json()).toEqual({ was: 1 });
});
