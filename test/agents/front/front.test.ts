import { readdir } from "node:fs/promises";
import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readTables } from "../../helpers/markdown.ts";
import { createShared } from "../../helpers/temporary.ts";
import { EVERYTHING, type ToolCall, toFilesCalls } from "./calls.ts";
import { type Era, ERAS, type Front, openFront, type Upstream } from "./open-front.ts";

const shared = createShared();
let front: Front;

beforeAll(async () => {
  front = await openFront(shared.atEnd);
}, 180_000);
afterAll(shared.undoAll);

const CONTENT = { type: "object", required: ["content"], properties: { content: { type: "array" } } };

/** Part of an answer that callers read, without what two calls cannot share: times and the ids of sessions. */
function toComparable({ content, structuredContent, isError = false }: CallToolResult) {
  const text = JSON.stringify({ content, structuredContent, isError })
    .replaceAll(/"blob":"([^"]*)"/g, (_, blob: string) => `"blob":"${Buffer.from(blob, "base64").toString("latin1")}"`)
    .replaceAll(/\d+:\d\d:\d\d.[AP]M/g, "<time>")
    .replaceAll(/(created|modified|accessed): [^\\]*/g, "$1: <time>")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<session>");
  return text;
}

/** The answer that docs/upstreams.md promises for one of the server: of a tool without `outputSchema`, `{ content }` besides. */
function toPromised(answer: CallToolResult, isTyped: boolean) {
  if (isTyped || answer.isError === true) return answer;
  return { ...answer, structuredContent: { content: answer.content } };
}

async function compare(upstream: Upstream, era: Era, calls: readonly ToolCall[]): Promise<void> {
  const [direct, fronted] = [front.direct[upstream], await front.openFronted(upstream, era)];
  const typed = (await direct.listTools()).tools.filter((tool) => tool.outputSchema !== undefined);
  for (const [name, input] of calls) {
    const isTyped = typed.some((tool) => tool.name === name);
    const asked = toPromised(await call(direct, name, input), isTyped);
    expect(toComparable(await call(fronted, name, input)), `${name} ${JSON.stringify(input)}`).toBe(
      toComparable(asked),
    );
  }
  const called = new Set(calls.map(([name]) => name));
  expect((await fronted.listTools()).tools.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
}

const call = (client: Client, name: string, input: ToolCall[1] = {}, options = {}) =>
  client.callTool({ name, arguments: { ...input } }, options);

const withoutDialect = ({ $schema: _dialect, ...schema }: Readonly<Record<string, unknown>>) => schema;

test("the commands of the documentation make a valid agent of the servers, and say what they leave out", () => {
  expect(front.printed).toContain("everything: mcp-servers/everything 2.0.0, MCP 2025-11-25\n  new: echo, ");
  expect(front.printed).toContain("simulate-research-query: left out, because it can only be called as a task");
  expect(front.printed).toContain("agent 0.1.1 is valid");
});

describe.each(Object.keys(ERAS) as Era[])("a client of %s", (era) => {
  test.each(["everything", "files"] as const)(
    "gets the tools of `%s` as docs/upstreams.md translates them",
    async (name) => {
      const { tools } = await front.direct[name].listTools();
      const expected = tools
        .filter(({ execution }) => execution?.taskSupport !== "required")
        .map(({ title, description, inputSchema, outputSchema, annotations, ...tool }) => ({
          name: tool.name,
          title,
          description,
          inputSchema: withoutDialect(inputSchema),
          outputSchema: outputSchema === undefined ? CONTENT : withoutDialect(outputSchema),
          annotations: {
            readOnlyHint: annotations?.readOnlyHint === true,
            idempotentHint: annotations?.readOnlyHint === true || annotations?.idempotentHint === true,
            openWorldHint: true,
          },
        }));
      const fronted = (await (await front.openFronted(name, era)).listTools()).tools;
      const byName = ({ name: a }: { name: string }, { name: b }: { name: string }) => (a < b ? -1 : 1);
      expect(fronted.toSorted(byName)).toMatchObject(expected.toSorted(byName));
    },
  );

  test("gets from every tool of server-everything, over HTTP, what its own clients get", () =>
    compare("everything", era, EVERYTHING));

  test("gets from every tool of server-filesystem, a command in the sandbox, what its own clients get", async () => {
    await compare("files", era, toFilesCalls(era));
    const [direct, fronted] = await Promise.all([front.docs.direct, front.docs.fronted].map((docs) => readdir(docs)));
    expect(fronted).toEqual(direct);
  });

  test("gets the progress of a long call", async () => {
    const [direct, fronted] = [front.direct.everything, await front.openFronted("everything", era)];
    const long = { duration: 0.4, steps: 4 };
    const reports = [direct, fronted].map(async (client) => {
      const seen: unknown[] = [];
      await call(client, "trigger-long-running-operation", long, {
        onprogress: (report: unknown) => seen.push(report),
      });
      return seen;
    });
    expect(await reports[1]).toEqual(await reports[0]);
    expect(await reports[0]).toHaveLength(4);
  });
});

/** Gives a call up that waits in the upstream until then. */
async function giveUp(client: Client): Promise<void> {
  const given = new AbortController();
  front.asking.called.length = 0;
  const waiting = call(client, "wait", {}, { signal: given.signal });
  await vi.waitFor(() => expect(front.asking.called).toEqual(["wait"]));
  given.abort();
  await expect(waiting).rejects.toThrow();
}

const expectGivenUp = () => vi.waitFor(() => expect(front.asking.givenUp.splice(0)).toEqual(["wait"]));

test("a call that a client of 2026-07-28 gives up ends in the upstream", async () => {
  await giveUp(await front.openFronted("asking", "2026-07-28"));
  await expectGivenUp();
});

const ERROR = (name: string) => ({ isError: true, _meta: { "cairn/error": { name } } });
const refused = (method: string) => expect.stringContaining(`The method \`${method}\` does not exist here.`);
const LINK = "demo://resource/dynamic/text/2";

/** Proofs of the rows of the table, by their first cell. */
const PROOFS: Readonly<Record<string, (clients: Readonly<Record<Upstream, Client>>) => Promise<void>>> = {
  sampling: async ({ asking }) => expect(await call(asking, "sample")).toMatchObject(ERROR("UPSTREAM_ERROR")),
  elicitation: async ({ asking }) => expect(await call(asking, "elicit")).toMatchObject(ERROR("UPSTREAM_ERROR")),
  roots: async ({ asking }) => expect(await call(asking, "roots")).toMatchObject(ERROR("UPSTREAM_ERROR")),
  async "tools for clients that take such questions"({ everything }) {
    const [askable, fronted] = [await (await front.openAskable()).listTools(), await everything.listTools()];
    const names = new Set(fronted.tools.map(({ name }) => name));
    const hidden = askable.tools.map(({ name }) => name).filter((name) => !names.has(name));
    expect(hidden).toEqual([
      "get-roots-list",
      "trigger-elicitation-request",
      "trigger-sampling-request",
      "simulate-research-query",
    ]);
    await expect(call(everything, "get-roots-list")).rejects.toThrow(
      "There is no tool `get-roots-list` on `everything`",
    );
  },
  async "tools that are tasks alone"({ everything }) {
    const task = call(everything, "simulate-research-query", { topic: "x" });
    await expect(task).rejects.toThrow("There is no tool `simulate-research-query` on `everything`");
  },
  async "resources, templates and subscriptions"({ everything }) {
    expect(everything.getServerCapabilities()).not.toHaveProperty("resources");
    const { content } = await call(everything, "get-resource-links", { count: 2 });
    expect(content[2]).toMatchObject({ type: "resource_link", uri: LINK });
    await expect(everything.readResource({ uri: LINK })).rejects.toMatchObject({ message: refused("resources/read") });
  },
  async prompts({ everything }) {
    const prompt = everything.getPrompt({ name: "simple-prompt" });
    await expect(prompt).rejects.toMatchObject({ message: refused("prompts/get") });
  },
  async completions({ everything }) {
    const ref = { type: "ref/prompt" as const, name: "completable-prompt" };
    const completion = everything.complete({ ref, argument: { name: "department", value: "E" } });
    await expect(completion).rejects.toMatchObject({ message: refused("completion/complete") });
  },
  async "log lines"({ asking }) {
    const lines: string[] = [];
    for (const [name, client] of Object.entries({ direct: front.direct.asking, fronted: asking })) {
      client.setNotificationHandler("notifications/message", () => void lines.push(name));
      expect(await call(client, "log")).toMatchObject({ content: [{ text: "Done." }] });
    }
    expect(lines).toEqual(["direct"]);
  },
  async "structured content that no schema declares"({ asking }) {
    const direct = await call(front.direct.asking, "surplus");
    expect(direct).toMatchObject({ structuredContent: { not: "declared" }, _meta: { "example/cost": 7 } });
    const { structuredContent, _meta } = await call(asking, "surplus");
    expect(structuredContent).toEqual({ content: direct.content });
    expect(_meta).not.toHaveProperty("example/cost");
  },
  async "`destructiveHint`, and `openWorldHint: false`"({ files }) {
    const find = async (client: Client) =>
      (await client.listTools()).tools.find(({ name }) => name === "create_directory")?.annotations;
    expect(await find(front.direct.files)).toMatchObject({ destructiveHint: false, openWorldHint: false });
    expect(await find(files)).toEqual({ readOnlyHint: false, idempotentHint: true, openWorldHint: true });
  },
  async "a call that a legacy client cancels"() {
    const legacy = await front.openFronted("asking", "2025-11-25");
    await giveUp(legacy);
    await call(legacy, "log");
    expect(front.asking.givenUp).toEqual([]);
    await legacy.close();
    await expectGivenUp();
  },
};

test.each(Object.keys(ERAS) as Era[])(
  "what does not pass is what docs/upstreams.md lists, for a client of %s",
  async (era) => {
    const rows = readTables("docs/upstreams.md").filter(({ length }) => length === 3);
    expect(rows.map(([what]) => what)).toEqual(Object.keys(PROOFS));
    const names: readonly Upstream[] = ["everything", "files", "asking"];
    const opened = await Promise.all(names.map(async (name) => [name, await front.openFronted(name, era)] as const));
    const clients = Object.fromEntries(opened) as Record<Upstream, Client>;
    for (const [what, prove] of Object.entries(PROOFS)) {
      await prove(clients).catch((cause: unknown) => {
        throw new Error(`\`${what}\` is not as the table says.`, { cause });
      });
    }
  },
);
