import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Service } from "../../server/app/app.ts";
import { PREVIEW_ALLOWANCE } from "../../server/versions/ceiling.ts";
import { openLmdbStore } from "../../server/store/lmdb/lmdb.ts";
import { auditLog, eventKey } from "../../server/store/keys.ts";
import { TRUST_CALLERS, TRUST_TOOLS, trustFiles } from "../fixtures/trust.ts";
import { eventually } from "../helpers/eventually.ts";
import { openLegacySession } from "../helpers/legacy-session.ts";
import { sendModern, toToolCall } from "../helpers/modern-mcp.ts";
import { authenticateAs, openTestService } from "../helpers/open-service.ts";
import { createRepository, type TestRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const ACCESS = "manifests/policies/access.yaml";
/** What somebody proposes who wants more than they have. */
const GREEDY = {
  ...trustFiles({
    version: "2.0.0",
    parent: "1.0.0",
    tools: {
      ...TRUST_TOOLS,
      echo: { version: "1.1.0", handler: "export default (input) => ({ said: `proposed: ${input.text}` });\n" },
      reach: {
        ...TRUST_TOOLS["reach"],
        handler: TRUST_TOOLS["reach"]?.handler ?? "",
        version: "1.1.0",
        manifest: "uses: [fetch]\negress: [one.example, three.example]",
      },
      danger: { handler: "export default () => ({});\n", manifest: 'requiredCapabilities: ["admin:all"]' },
      added: { handler: "export default () => ({ added: true });\n", manifest: 'requiredCapabilities: ["tool:added"]' },
      command: {
        handler: "export default async (_i, ctx) => ctx.exec.run('x', ['bash', '-c', 'id']);\n",
        manifest: "sideEffect: true\nuses: [workspace.exec]",
      },
      think: {
        handler: "export default async (_i, ctx) => ctx.model.generate({ messages: [{ role: 'user', text: 'x' }] });\n",
        manifest: "uses: [model.generate]",
      },
    },
    files: {
      [ACCESS]: `roles:
  reader: ["*", "preview:call"]
  member: ["*", "preview:call"]
  reviewer: ["*"]
egress: [one.example, two.example, three.example]
commands: [{ program: bash, arguments: [-c] }]
`,
    },
  }),
};

type Who = keyof typeof TRUST_CALLERS;
const shared = createShared();
afterAll(shared.undoAll);

interface World {
  readonly repository: TestRepository;
  readonly service: Service;
  readonly data: string;
  /** Has pull request 7 propose something, or be gone. */
  propose(files: Readonly<Record<string, string>> | undefined): Promise<string>;
  ask(
    who: Who,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }>;
  call(who: Who, version: string, tool: string, input?: object): ReturnType<World["ask"]>;
}

async function open(atEnd: typeof onTestFinished | typeof shared.atEnd = onTestFinished): Promise<World> {
  const repository = await createRepository(await temporaryFolder(atEnd));
  await repository.commit(trustFiles({ version: "1.0.0" }));
  await repository.tag("v1.0.0");
  const hosts = createServer((_request, response) => response.end("here")).listen(0, "127.0.0.1");
  await once(hosts, "listening");
  atEnd(async () => void hosts.close());
  const base = `http://127.0.0.1:${(hosts.address() as AddressInfo).port}`;
  const { PATH, HOME } = process.env;
  const data = await temporaryFolder(atEnd);
  const environment = {
    PATH,
    HOME,
    PORT: "0",
    CAIRN_REPO: repository.path,
    CAIRN_DATA: data,
    CAIRN_PREVIEWS: "on",
    CAIRN_EGRESS_MAP: ["one", "two", "three"].map((name) => `${name}.example=${base}`).join(","),
    // Nothing listens there: whoever asked it would be told so.
    CAIRN_MODEL_URL: "http://127.0.0.1:1/v1",
    CAIRN_MODEL_NAME: "none",
  };
  const authenticate = authenticateAs(TRUST_CALLERS);
  const service = await openTestService(environment, repository.path, { authenticate, atEnd });
  const ask: World["ask"] = async (who, path, body) => {
    const response = await fetch(service.url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: who, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } };
  };
  return {
    repository,
    service,
    data,
    ask,
    call: (who, version, tool, input = {}) => ask(who, `/agent/${version}/api/tools/${tool}`, input),
    async propose(files) {
      if (files === undefined) {
        await repository.git("update-ref", "-d", "refs/pull/7/head");
        await service.registry.refresh();
        return "";
      }
      await repository.git("switch", "--quiet", "--create", "proposed", "v1.0.0");
      const head = await repository.commit(files);
      await repository.git("update-ref", "refs/pull/7/head", head);
      await repository.git("switch", "--quiet", "main");
      await repository.git("branch", "--quiet", "-D", "proposed");
      await service.registry.refresh();
      return head;
    },
  };
}

/** The folders of previews that are open. */
async function folders({ data }: World): Promise<readonly string[]> {
  const [own] = await readdir(join(data, "previews"));
  return own === undefined ? [] : readdir(join(data, "previews", own));
}

describe("[V9] a preview of a pull request", () => {
  let world: World;
  let head: string;
  beforeAll(async () => {
    world = await open(shared.atEnd);
    head = await world.propose(GREEDY);
  }, 120_000);

  test("is for those alone to whom the default branch grants it by name, whatever the pull request says", async () => {
    for (const who of ["ray", "mia", "ann"] as const) {
      const { status, body } = await world.call(who, head, "runner.echo");
      expect([who, status, body["name"]]).toEqual([who, 403, "FORBIDDEN"]);
      expect(body["detail"]).toBe(
        `To try pull request 7, \`${who}\` would have to hold \`preview:call\`, which a served version of the default branch has to grant by this name.`,
      );
      const sent = await sendModern(`${world.service.url}/agent/${head}/runner`, {
        method: "tools/list",
        headers: { authorization: who },
      });
      expect(sent.status).toBe(403);
    }
    expect(await folders(world)).toEqual([]);
  });

  test("answers by REST and MCP, and says everywhere what it is", async () => {
    const { status, body, headers } = await world.call("rev", head, "runner.echo", { text: "x" });
    expect([status, body, headers.get("cairn-preview")]).toEqual([200, { said: "proposed: x" }, "pull-request-7"]);
    expect(headers.get("cache-control")).toBe("no-store");
    const short = await world.call("rev", head.slice(0, 8), "runner.echo", { text: "y" });
    expect(short.body).toEqual({ said: "proposed: y" });
    const url = `${world.service.url}/agent/${head}/runner`;
    const asRev = { headers: { authorization: "rev" } };
    const sent = await sendModern(url, { ...toToolCall("runner.echo", { text: "z" }), ...asRev });
    expect(sent.headers.get("cairn-preview")).toBe("pull-request-7");
    expect(await sent.result()).toMatchObject({ structuredContent: { said: "proposed: z" } });
    const discovered = await (await sendModern(url, { method: "server/discover", ...asRev })).result();
    expect(discovered).toMatchObject({
      ttlMs: 0,
      instructions: expect.stringMatching(/^This is a preview of pull request 7, which nobody has approved\./),
      _meta: {
        "io.modelcontextprotocol/serverInfo": {
          title: "test-agent (preview of pull request 7)",
          version: "2.0.0+pull-request-7",
        },
      },
    });
    const { body: openapi, headers: about } = await world.ask("rev", `/agent/${head}/openapi.json`);
    expect(openapi["info"]).toMatchObject({ title: "test-agent (preview of pull request 7)" });
    expect([about.get("cairn-preview"), about.get("cache-control")]).toEqual(["pull-request-7", "private, no-cache"]);
    const { body: listing } = await world.ask("rev", "/versions?include_unstable=true");
    expect(listing["versions"]).toMatchObject([
      { version: "1.0.0" },
      {
        commit_hash: head,
        tags: ["pull-request-7", "preview"],
        runner: { mcp_endpoint: `/agent/${head}/runner` },
      },
    ]);
    const { body: detail } = await world.ask("rev", `/versions/${head}`);
    expect(detail).toMatchObject({ state: "preview" });
    expect(detail["architect"]).toBeUndefined();
    const { body: metrics } = await world.ask("rev", "/metrics");
    expect(metrics["text"]).toMatch(
      /cairn_tool_calls_total\{server="runner",tool="runner.echo",version="preview",outcome="ok"\} 3/,
    );
    expect(metrics["text"]).toMatch(/^cairn_previews 1$/m);
    expect(metrics["text"]).not.toContain('version="2.0.0"');
  });

  test("may no more than the default branch lets its caller do, nor reach further", async () => {
    const refused = async (tool: string, input: object = {}) => {
      const { status, body } = await world.call("rev", head, tool, input);
      return [status, body["name"]];
    };
    expect(await refused("runner.danger")).toEqual([403, "FORBIDDEN"]);
    expect((await world.call("rev", head, "runner.added")).body).toEqual({ added: true });
    expect((await world.call("rev", head, "runner.reach", { host: "one.example" })).body).toEqual({ status: 200 });
    for (const host of ["two.example", "three.example"]) {
      expect([host, ...(await refused("runner.reach", { host }))]).toEqual([host, 403, "EGRESS_DENIED"]);
    }
    for (const [tool, name] of [
      ["runner.command", "exec.run"],
      ["runner.think", "model.generate"],
    ] as const) {
      const { status, body } = await world.call("rev", head, tool);
      expect([status, body["name"]]).toEqual([403, "FORBIDDEN"]);
      expect(body["detail"]).toBe(
        `\`ctx.${name}\` is refused in a preview: it reaches beyond what the preview has of its own.`,
      );
    }
    expect(await refused("runner.relay")).toEqual([200, undefined]);
    const { names } = (await world.call("rev", head, "runner.relay")).body as { names: string[] };
    expect(names).not.toContain("runner.danger");
  });

  test("takes no feedback, and is not among the tools by name", async () => {
    for (const who of ["rev", "ann"] as const) {
      const { status, body } = await world.ask(who, `/agent/${head}/architect/chat`, { message: "Well done." });
      expect([status, body["name"]]).toEqual([404, "VERSION_NOT_SERVED"]);
      expect(body["detail"]).toContain("is a preview of pull request 7");
    }
    const { body } = await world.ask("ann", "/api/mcp/tools?include_unstable=true");
    expect(JSON.stringify(body)).not.toContain("runner.added");
    const called = await world.ask("rev", "/api/mcp/tool/call", { toolName: "runner.echo", version: "1.1.0" });
    expect(called.status).toBe(404);
  });

  test("may take only so much", async () => {
    const { rate = 0 } = PREVIEW_ALLOWANCE;
    const answers = await Promise.all(
      Array.from({ length: rate + 5 }, () => world.call("rev", head, "runner.echo", { text: "x" })),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).toEqual(new Set([200, 429]));
    expect((await world.call("mia", "1.0.0", "runner.echo", { text: "x" })).status).toBe(200);
  });
});

describe("[V9] what calls of a preview leave behind", () => {
  test("is in its own store, and in no tenant's live log; the service's own log has who called what", async () => {
    const world = await open();
    const head = await world.propose(GREEDY);
    const count = async (version: string) => (await world.call("rev", version, "runner.count")).body["count"];
    expect(await count("1.0.0")).toBe(1);
    expect([await count(head), await count(head), await count(head)]).toEqual([1, 2, 3]);
    expect(await count("1.0.0")).toBe(2);
    const logs = async (version: string) => {
      const request = { method: "resources/read", params: { uri: "logs://recent" }, headers: { authorization: "rev" } };
      const { contents } = await (
        await sendModern(`${world.service.url}/agent/${version}/runner`, request)
      ).result<{
        contents: { text: string }[];
      }>();
      return (JSON.parse(contents[0]?.text ?? "") as { calls: { commit?: string }[] }).calls.length;
    };
    expect([await logs("1.0.0"), await logs(head)]).toEqual([2, 3]);
    expect(await folders(world)).toEqual([expect.stringContaining(head)]);
    await world.service.close();
    expect(await folders(world)).toEqual([]);

    const store = await openLmdbStore({ directory: join(world.data, "store") });
    onTestFinished(() => store.admin.close());
    const all = async (tenant: string) => {
      const events: unknown[] = [];
      for await (const { bytes } of store.readLog(auditLog(tenant), { from: 0 })) {
        const { entry } = JSON.parse(Buffer.from(bytes).toString()) as { entry: { events?: object } };
        for (const id of Object.keys(entry.events ?? {})) {
          events.push((await store.get(eventKey(tenant, id)))?.value);
        }
        if (entry.events === undefined) events.push(entry);
      }
      return events as { change?: string; actor?: string; target?: string; details?: object }[];
    };
    const called = (await all("@service")).filter(({ change }) => change?.startsWith("preview.") === true);
    expect(called.map(({ change, actor, target }) => [change, actor, target])).toEqual([
      ["preview.opened", "cairn", "pull/7"],
      ["preview.called", "rev", "pull/7"],
      ["preview.called", "rev", "pull/7"],
      ["preview.called", "rev", "pull/7"],
      ["preview.dropped", "cairn", "pull/7"],
    ]);
    expect(called[1]?.details).toMatchObject({ commit: head, tenant: "a", tool: "runner.count", outcome: "ok" });
    // Two calls of what is served, and nothing else.
    expect(await all("a")).toHaveLength(2);
    const keys = (await Array.fromAsync(store.scan({ prefix: [] }))).map(({ key }) => key);
    const about = keys.filter((key) => key.includes(head)).map(([kind]) => kind);
    expect(new Set(about)).toEqual(new Set(["versions"]));
    expect(await store.admin.check()).toEqual([]);
  });

  test("is gone when the head moves, and what is open there ends", async () => {
    const world = await open();
    const head = await world.propose(GREEDY);
    const count = async (version: string) => (await world.call("rev", version, "runner.count")).body;
    expect(await count(head)).toEqual({ count: 1 });
    const headers = { authorization: "rev" };
    const session = await openLegacySession(`${world.service.url}/agent/${head}/talker`, { headers });
    const stream = await session.listen();
    const listen = { method: "subscriptions/listen", params: { notifications: { toolsListChanged: true } }, headers };
    const subscribed = await sendModern(`${world.service.url}/agent/${head}/runner`, listen);
    await subscribed.next();

    const next = await world.propose({ ...GREEDY, "README.md": "Pushed by force." });
    await eventually(async () => expect(await folders(world)).toEqual([]));
    expect(await stream.rest()).toEqual([]);
    await subscribed.rest();
    expect(await count(head)).toMatchObject({ name: "VERSION_NOT_FOUND" });
    const late = await session.post({ jsonrpc: "2.0", id: 5, method: "tools/list" });
    expect(late.status).toBe(404);
    expect(await count(next)).toEqual({ count: 1 });
    await world.propose(undefined);
    await eventually(async () => expect(await folders(world)).toEqual([]));
    expect(await count(next)).toMatchObject({ name: "VERSION_NOT_FOUND" });
  });

  test("is gone when the pull request is merged, and once more when it is tagged", async () => {
    const world = await open();
    const head = await world.propose(GREEDY);
    expect((await world.call("rev", head, "runner.count")).body).toEqual({ count: 1 });
    await world.repository.git("merge", "--quiet", "--ff-only", head);
    await world.service.registry.refresh();
    await eventually(async () => expect(await folders(world)).toEqual([]));
    expect((await world.call("rev", head, "runner.count")).body).toMatchObject({ name: "VERSION_NOT_SERVED" });
    await world.repository.tag("v2.0.0", head);
    await world.service.registry.refresh();
    // Now it was reviewed: its own policies hold, and it begins with what versions keep.
    expect((await world.call("mia", head, "runner.count")).body).toEqual({ count: 1 });
    expect((await world.call("mia", head, "runner.danger")).status).toBe(200);
  });

  test("cannot be tried any more once the default branch revokes that", async () => {
    const world = await open();
    const head = await world.propose(GREEDY);
    expect((await world.call("rev", head, "runner.echo")).status).toBe(200);
    await world.repository.commit({ [ACCESS]: 'revoke: { capabilities: ["preview:call"] }\n' });
    await world.service.registry.refresh();
    expect((await world.call("rev", head, "runner.echo")).body["name"]).toBe("FORBIDDEN");
  });
});
