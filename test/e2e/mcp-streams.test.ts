import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentFiles, type AgentTool, RUNNER } from "../helpers/agent.ts";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { type HeldServer, startHeldServer } from "../helpers/held-server.ts";
import { askModern, sendModern, toToolCall } from "../helpers/modern-mcp.ts";
import { createRepository, type TestRepository } from "../helpers/repository.ts";
import type { Rpc, Sent } from "../helpers/sent.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

/** Streams that are open at once, and calls that are answered meanwhile. */
const IDLE_STREAMS = 1000;
const CALLS_MEANWHILE = 200;

const TOOLS: Readonly<Record<string, AgentTool>> = {
  echo: { handler: "export default (input) => input;\n", manifest: "deterministic: true" },
  wait: {
    handler: `import { aborted } from "../_lib/aborted.ts";
    export default async ({ name }, ctx) => {
      ctx.signal.onAbort(() => aborted.push(name));
      ctx.progress(1);
      const reply = await ctx.fetch("https://held.example/" + name);
      return { said: reply.text() };
    };\n`,
    manifest: "uses: [fetch]\negress: [held.example]\nlimits: { time: 60000 }",
  },
  aborted: {
    handler: 'import { aborted } from "../_lib/aborted.ts";\nexport default () => ({ names: aborted });\n',
  },
};
const FILES = { "tools/_lib/aborted.ts": "export const aborted: string[] = [];\n" };

const shared = createShared();
let cairn: RunningCairn;
let held: HeldServer;

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: TOOLS, files: FILES }));
  held = await startHeldServer(shared.atEnd);
  const args = ["serve", repository.path, "--data", await temporaryFolder(shared.atEnd)];
  cairn = await startCairn(args, held.environment, shared.atEnd);
});
afterAll(shared.undoAll);

const at = (version: string, { url } = cairn) => `${url}/agent/${version}/runner`;

interface Call {
  readonly tool: string;
  readonly outcome: string;
}

/** What the log of the version says of its newest calls. */
async function readCalls(url: string): Promise<readonly Call[]> {
  const { contents } = await askModern(url, { method: "resources/read", params: { uri: "logs://recent?limit=200" } });
  const [{ text } = { text: "" }] = contents as { text: string }[];
  return (JSON.parse(text) as { calls: Call[] }).calls;
}

describe("[C1] a call whose client goes", () => {
  const call = (name: string) => toToolCall("runner.wait", { name });
  const legacy = (name: string, signal: AbortSignal) =>
    fetch(at("1.0.0"), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...call(name) }),
      signal,
    });

  test.each<[string, string, (name: string, signal: AbortSignal) => Promise<unknown>]>([
    ["before anything was answered", "json", (name, signal) => sendModern(at("1.0.0"), { ...call(name), signal })],
    [
      "in the middle of a stream",
      "stream",
      async (name, signal) => {
        const sent = await sendModern(at("1.0.0"), { ...call(name), meta: { progressToken: 1 }, signal });
        expect(await sent.next()).toMatchObject({ message: { method: "notifications/progress" } });
        return sent.next();
      },
    ],
    ["in a revision with a handshake", "legacy", legacy],
  ])("%s is aborted", async (_, name, send) => {
    const gone = new AbortController();
    const failed = expect(send(name, gone.signal)).rejects.toThrow("aborted");
    const request = await held.next();
    expect(request.path).toBe(`/${name}`);
    gone.abort();
    await failed;
    await request.gone;
    await eventually(async () => {
      const { structuredContent } = await askModern(at("1.0.0"), toToolCall("runner.aborted"));
      expect(structuredContent).toEqual({ names: expect.arrayContaining([name]) as unknown });
    });
    const newest = (await readCalls(at("1.0.0"))).find(({ tool }) => tool === "runner.wait");
    expect(newest?.outcome).toBe("CANCELLED");
  });
});

describe("[C1] requests at the same time", () => {
  test("of two clients with the same id get each their own answer, in whichever order they are ready", async () => {
    const send = (name: string) => askModern(at("1.0.0"), { ...toToolCall("runner.wait", { name }), id: "same" });
    const answers = [send("first"), send("second")];
    const requests = [await held.next(), await held.next()].toSorted((a, b) => a.path.localeCompare(b.path));
    requests[1]?.answer("to the second");
    expect(await answers[1]).toMatchObject({ structuredContent: { said: "to the second" } });
    requests[0]?.answer("to the first");
    expect(await answers[0]).toMatchObject({ structuredContent: { said: "to the first" } });
  });

  test(`are answered while ${IDLE_STREAMS} streams are open and say nothing`, { timeout: 60_000 }, async () => {
    const end = new AbortController();
    const streams = await Promise.all(
      Array.from({ length: IDLE_STREAMS }, (_, id) =>
        sendModern(at("latest"), { ...listen({ toolsListChanged: true }), id, signal: end.signal }),
      ),
    );
    const first = await Promise.all(streams.map(async (stream) => (await stream.next()).message));
    expect(first.map(toSubscription)).toEqual(streams.map((_, id) => id));

    const texts = Array.from({ length: CALLS_MEANWHILE }, (_, index) => `text ${index}`);
    const answers = await Promise.all(
      texts.map((text) => askModern(at("latest"), toToolCall("runner.echo", { text }))),
    );
    expect(answers.map(({ structuredContent }) => structuredContent)).toEqual(texts.map((text) => ({ text })));
    end.abort();
    expect(await askModern(at("latest"), toToolCall("runner.echo", {}))).toMatchObject({ structuredContent: {} });
    expect(cairn.output()).not.toMatch(/error|failed/i);
  });
});

const listen = (notifications: unknown) => ({ method: "subscriptions/listen", params: { notifications } });

function toSubscription({ params }: Rpc): unknown {
  return (params as { _meta: Rpc })._meta["io.modelcontextprotocol/subscriptionId"];
}

/** What comes next on a stream, without what is the same on all of it. */
async function nextOf(stream: Sent): Promise<unknown> {
  const { message } = await stream.next();
  const { _meta, ...params } = message["params"] as Rpc;
  return { method: message["method"], ...params };
}

describe("[C1] subscriptions/listen", () => {
  const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

  test("says first what it will tell of: nothing that cannot change, no address where nothing is", async () => {
    const wanted = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ["logs://recent", "logs://nobody/here"],
    };
    const pinned = await sendModern(at("1.0.0"), { ...listen(wanted), id: "mine" });
    expect([pinned.status, pinned.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    const { message } = await pinned.next();
    expect(message).toEqual({
      jsonrpc: "2.0",
      method: ACKNOWLEDGED,
      params: {
        notifications: { resourceSubscriptions: ["logs://recent"] },
        _meta: { "io.modelcontextprotocol/subscriptionId": "mine" },
      },
    });
    const moving = await sendModern(at("latest"), listen({ ...wanted, toolsListChanged: false }));
    expect(await nextOf(moving)).toEqual({
      method: ACKNOWLEDGED,
      notifications: {
        promptsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: ["logs://recent"],
      },
    });
  });

  test.each([
    [undefined, "`notifications` must be an object that says what to hear of."],
    [[], "`notifications` must be an object that says what to hear of."],
    [{ resourceSubscriptions: "logs://recent" }, "`resourceSubscriptions` must be a list of at most 100 URIs."],
    [
      { resourceSubscriptions: Array.from({ length: 101 }, () => "logs://recent") },
      "`resourceSubscriptions` must be a list of at most 100 URIs.",
    ],
  ])("refuses the filter %j", async (filter, message) => {
    const sent = await sendModern(at("1.0.0"), listen(filter));
    expect(sent.headers.get("content-type")).toBe("application/json");
    expect(await sent.rest()).toMatchObject([{ error: { code: -32602, message } }]);
  });

  test("tells of changes of a resource, in the name of its subscription", async () => {
    const stream = await sendModern(at("1.0.0"), { ...listen({ resourceSubscriptions: ["logs://recent"] }), id: 7 });
    expect(toSubscription((await stream.next()).message)).toBe(7);
    await askModern(at("1.0.0"), toToolCall("runner.echo", {}));
    const { message } = await stream.next();
    expect(message).toEqual({
      jsonrpc: "2.0",
      method: "notifications/resources/updated",
      params: { uri: "logs://recent", _meta: { "io.modelcontextprotocol/subscriptionId": 7 } },
    });
  });
});

const LISTS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

/** A new version that the label `stable` means from then on. */
async function moveTo(
  repository: TestRepository,
  version: string,
  parent: string,
  tools: Readonly<Record<string, AgentTool>>,
  files = {},
) {
  const labels = { stable: version };
  await repository.release(version, agentFiles({ version, parent, tools, labels, files }));
}

describe("[C1] [V1] [D4] lists that change", () => {
  test("are told of once at an address that moves, and never at one that does not", async () => {
    const repository = await createRepository();
    const echo = TOOLS["echo"] as AgentTool;
    await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: { echo }, labels: { stable: "1.0.0" } }));
    const service = await startCairn(["serve", repository.path, "--data", await temporaryFolder()]);
    const moving = ["stable", "latest", "^1.0"];
    const streams = await Promise.all(moving.map((segment) => sendModern(at(segment, service), listen(LISTS))));
    const pinned = await sendModern(
      at("1.0.0", service),
      listen({ ...LISTS, resourceSubscriptions: ["logs://recent"] }),
    );
    for (const stream of streams) expect(await nextOf(stream)).toMatchObject({ notifications: LISTS });
    expect(await nextOf(pinned)).toMatchObject({ notifications: { resourceSubscriptions: ["logs://recent"] } });

    await moveTo(repository, "1.1.0", "1.0.0", { echo, more: echo });
    for (const stream of streams) expect(await nextOf(stream)).toEqual({ method: "notifications/tools/list_changed" });
    for (const segment of moving) {
      const { tools } = await askModern(at(segment, service), { method: "tools/list" });
      expect((tools as Rpc[]).map(({ name }) => name)).toEqual(["runner.echo", "runner.more"]);
    }

    // What comes next is of the next change: nothing was told twice, nor where nothing was different.
    const server = RUNNER.replace(
      "resources:\n",
      'resources:\n  - { uri: "notes://a", name: Notes, text: A. }\n',
    ).replace("prompts:\n", "prompts:\n  - { name: hi, messages: [{ role: user, text: Hi. }] }\n");
    await moveTo(repository, "1.2.0", "1.1.0", { echo, more: echo }, { "manifests/runner/server.yaml": server });
    for (const stream of streams) {
      expect([await nextOf(stream), await nextOf(stream)]).toEqual([
        { method: "notifications/prompts/list_changed" },
        { method: "notifications/resources/list_changed" },
      ]);
    }
    await askModern(at("1.0.0", service), toToolCall("runner.echo", {}));
    expect(await nextOf(pinned)).toEqual({ method: "notifications/resources/updated", uri: "logs://recent" });

    expect(await service.stop()).toBe(0);
    for (const stream of [...streams, pinned]) {
      const rest = await stream.rest();
      expect(rest).toMatchObject([
        { id: 1, result: { resultType: "complete", _meta: { "io.modelcontextprotocol/subscriptionId": 1 } } },
      ]);
    }
  });
});
