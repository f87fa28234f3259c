import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { createCheckoutRepository } from "../helpers/checkout-repository.ts";
import { askModern, sendModern, toToolCall } from "../helpers/modern-mcp.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const shared = createShared();
let cairn: RunningCairn;
let commit: string;
let repository: string;
beforeAll(async () => {
  const made = await createCheckoutRepository(await temporaryFolder(shared.atEnd));
  ({ commit } = made);
  repository = made.repository.path;
  const data = await temporaryFolder(shared.atEnd);
  cairn = await startCairn(["serve", repository, "--data", data], {}, shared.atEnd);
}, 60_000);
afterAll(shared.undoAll);

const at = (segment: string) => `${cairn.url}/agent/${segment}/artifacts`;

/** The official client, and how often it heard that the tools have changed. */
async function connect(segment: string) {
  const client = new Client({ name: "test", version: "1.0.0" });
  let heard = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (heard += 1));
  await client.connect(new StreamableHTTPClientTransport(new URL(at(segment))) as Parameters<Client["connect"]>[0]);
  onTestFinished(() => client.close());
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  const call = async (name: string, args: object) => client.callTool({ name, arguments: { ...args } });
  return { client, names, call, heard: () => heard };
}

const greeter = (name: string) => ({
  name,
  code: "export default ({ who }) => ({ greeting: `Hello, ${who}!` });",
  interface: {
    description: "Greets somebody.",
    inputSchema: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
  },
});

describe("[X6] artifacts as tools", () => {
  test("the official client makes one, hears of it, lists it, calls it, and sees it go", async () => {
    const { client, names, call, heard } = await connect("latest");
    expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: true } });
    const frozen = await names();
    expect(frozen).toEqual(
      expect.arrayContaining(["artifact_create", "genesis_ledger.transfer", "genesis_store.search"]),
    );
    await call("artifact_create", greeter("greeter"));
    await vi.waitFor(() => expect(heard()).toBeGreaterThan(0));
    expect(await names()).toEqual([...frozen, "greeter"]);
    const { tools } = await client.listTools();
    expect(tools.at(-1)).toEqual({ name: "greeter", ...greeter("greeter").interface });
    expect(await call("greeter", { who: "Ada" })).toMatchObject({
      structuredContent: { greeting: "Hello, Ada!" },
      content: [{ type: "text", text: '{"greeting":"Hello, Ada!"}' }],
    });
    expect(await call("artifact_invoke", { name: "greeter", arguments: { who: "Bob" } })).toMatchObject({
      structuredContent: { result: { greeting: "Hello, Bob!" } },
    });
    const before = heard();
    await call("artifact_delete", { name: "greeter" });
    await vi.waitFor(() => expect(heard()).toBeGreaterThan(before));
    expect(await names()).toEqual(frozen);
    await expect(call("greeter", { who: "Ada" })).rejects.toThrow("There is no tool `greeter` on `artifacts`");
  });

  test("addresses that are pinned list what was frozen with the tag, and never say that it changed", async () => {
    const moving = await connect("stable");
    await moving.call("artifact_create", greeter("pinned-out"));
    expect(await moving.names()).toContain("pinned-out");
    for (const segment of [commit, "0.1.0"]) {
      const pinned = await connect(segment);
      expect(pinned.client.getServerCapabilities()?.tools).toEqual({});
      expect(await pinned.names()).not.toContain("pinned-out");
      expect(await pinned.names()).toContain("genesis_ledger.get_balance");
      await expect(pinned.call("pinned-out", { who: "Ada" })).rejects.toThrow("There is no tool `pinned-out`");
      expect(await pinned.call("artifact_invoke", { name: "pinned-out", arguments: { who: "Ada" } })).toMatchObject({
        structuredContent: { result: { greeting: "Hello, Ada!" } },
      });
      const granted = await sendModern(at(segment), {
        method: "subscriptions/listen",
        params: { notifications: { toolsListChanged: true } },
      });
      expect((await granted.next()).message).toMatchObject({ params: { notifications: {} } });
    }
    await moving.call("artifact_delete", { name: "pinned-out" });
  });

  test.for(["latest", "stable", "^0.1"])("clients without a handshake hear of changes at %s", async (segment) => {
    const url = at(encodeURIComponent(segment));
    const end = new AbortController();
    onTestFinished(() => end.abort());
    const stream = await sendModern(url, {
      method: "subscriptions/listen",
      params: { notifications: { toolsListChanged: true } },
      signal: end.signal,
    });
    expect((await stream.next()).message).toMatchObject({ params: { notifications: { toolsListChanged: true } } });
    await askModern(url, toToolCall("artifact_create", greeter("modern")));
    expect((await stream.next()).message).toMatchObject({ method: "notifications/tools/list_changed" });
    const { tools } = await askModern(url, { method: "tools/list" });
    expect((tools as { name: string }[]).map(({ name }) => name)).toContain("modern");
    expect(await askModern(url, toToolCall("modern", { who: "Eve" }))).toMatchObject({
      resultType: "complete",
      structuredContent: { greeting: "Hello, Eve!" },
    });
    await askModern(url, toToolCall("artifact_delete", { name: "modern" }));
  });

  test("requests of older clients that stand alone are answered, too", async () => {
    const response = await fetch(at("latest"), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    expect(await response.json()).toMatchObject({ result: { tools: expect.any(Array) } });
  });
});

describe("docs/artifacts.md", () => {
  test("[X5] has a client that uses every tool and prints what the page says", { timeout: 60_000 }, async () => {
    const page = readFileSync("docs/artifacts.md", "utf8");
    const [, program = ""] = /```js\n(.*?)```/s.exec(page) ?? [];
    const [, printed = ""] = /```text\n(.*?)```/s.exec(page) ?? [];
    const names = await (await connect("0.1.0")).names();
    // Servers ask that one themselves.
    expect(names.filter((name) => !program.includes(`"${name}"`))).toEqual(["artifact_tools"]);
    expect(names.filter((name) => !page.includes(`| \`${name}\` `))).toEqual([]);
    const fresh = await startCairn(["serve", repository, "--data", await temporaryFolder()]);
    const args = ["--input-type=module", "--eval", program];
    const env = { ...process.env, CAIRN_URL: fresh.url };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(stdout).toBe(printed);
  });
});
