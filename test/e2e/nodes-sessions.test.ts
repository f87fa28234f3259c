import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { agentFiles, type AgentTool } from "../helpers/agent.ts";
import { eventually } from "../helpers/eventually.ts";
import { type HeldServer, startHeldServer, WAITING_TOOL } from "../helpers/held-server.ts";
import { openLegacySession } from "../helpers/legacy-session.ts";
import { type Nodes, startNodes } from "../helpers/nodes.ts";
import { askModern, sendModern, toToolCall } from "../helpers/modern-mcp.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { hasPostgres } from "../stand-ins/postgres.ts";

const FORM = `{ type: "object", properties: { name: { type: "string" } }, required: ["name"] }`;
const TOOLS: Readonly<Record<string, AgentTool>> = {
  ask: {
    handler: `export default async (input, ctx) => {
      const { content } = await ctx.elicit("who", { message: "Who?", schema: ${FORM} });
      return { name: content.name };
    };\n`,
    manifest: "interactive: true\nuses: [elicit]",
  },
  wait: WAITING_TOOL,
  plain: { handler: "export default () => ({});\n" },
};

const shared = createShared();
let cairn: Nodes & { readonly token: string };
let held: HeldServer;

describe.runIf(hasPostgres("sessions through several nodes"))(
  "a session behind a balancer that knows nothing of it",
  () => {
    beforeAll(async () => {
      const repository = await createRepository(await temporaryFolder(shared.atEnd));
      await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: TOOLS }));
      held = await startHeldServer(shared.atEnd);
      cairn = await startNodes(repository.path, held.environment, shared.atEnd);
    }, 120_000);
    afterAll(shared.undoAll);

    const at = (base: string) => `${base}/agent/1.0.0/runner`;
    const authorized = () => ({ authorization: `Bearer ${cairn.token}` });
    const open = (base = cairn.url) => openLegacySession(at(base), { headers: authorized() });
    const call = (id: number, name: string, args: object = {}, _meta: object = {}) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: `runner.${name}`, arguments: args, _meta },
    });
    const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping", params: {} });
    /** Asks in a session at one node. */
    const post = (base: string, session: string, message: object, headers: Readonly<Record<string, string>> = {}) =>
      fetch(at(base), {
        method: "POST",
        headers: {
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          "mcp-session-id": session,
          ...authorized(),
          ...headers,
        },
        body: JSON.stringify(message),
      });

    test("goes on at every node, and says which one has it", async () => {
      const session = await open();
      expect(session.id).toMatch(/^[0-9a-f-]{36}\.[0-9a-f-]{36}$/);
      for (let id = 1; id <= 4; id += 1) {
        expect(await (await session.post(ping(id))).rest()).toEqual([{ jsonrpc: "2.0", id, result: {} }]);
      }
      for (const { url } of cairn.nodes) expect((await post(url, session.id, ping(9))).status).toBe(200);
    });

    test("asks its client, whose answer comes to another node", async () => {
      const session = await open();
      for (let round = 1; round <= 2; round += 1) {
        const stream = await session.post(call(round, "ask"));
        const { message: question } = await stream.next();
        expect(question).toMatchObject({ method: "elicitation/create" });
        const answer = { action: "accept", content: { name: "Ada" } };
        expect((await session.post({ jsonrpc: "2.0", id: question["id"], result: answer })).status).toBe(202);
        expect(await stream.result()).toMatchObject({ structuredContent: { name: "Ada" } });
      }
    });

    test("resumes a broken stream through any node, and ends at any", async () => {
      const session = await open();
      for (let round = 1; round <= 2; round += 1) {
        const broken = new AbortController();
        const stream = await session.post(call(round, "wait", { name: "x" }, { progressToken: 1 }), broken.signal);
        const { id = "" } = await stream.next();
        const request = await held.next();
        broken.abort();
        // The server may learn later than its client that the connection is gone.
        const rest = await eventually(async () => {
          const resumed = await session.listen(id);
          expect(resumed.status).toBe(200);
          return resumed;
        });
        request.answer(`answer ${round}`);
        expect(await rest.result()).toMatchObject({ structuredContent: { said: `answer ${round}` } });
      }
      expect((await session.end()).status).toBe(200);
      for (const { url } of cairn.nodes) expect((await post(url, session.id, ping(1))).status).toBe(404);
    });

    test("is no authority, nor leads anywhere but to nodes", async () => {
      const session = await open();
      const own = session.id.slice(37);
      for (const { url } of cairn.nodes) {
        expect((await post(url, session.id, ping(1), { authorization: "Bearer nobody" })).status).toBe(401);
        // Made up: another node, and one that there is not.
        for (const node of ["00000000-0000-4000-8000-000000000000", "http://127.0.0.1:1"]) {
          expect((await post(url, `${node}.${own}`, ping(1))).status).toBe(404);
        }
        // A client that says it is a node.
        expect((await post(url, session.id, ping(1), { "cairn-node": "e30.e30" })).status).toBe(401);
      }
    });

    test("hears of what a call at the other node changes, and so does who listens without one", async () => {
      for (const [one, other] of [cairn.nodes, cairn.nodes.toReversed()]) {
        const session = await open(one?.url);
        const uri = "logs://recent";
        const subscribe = { jsonrpc: "2.0", id: 1, method: "resources/subscribe", params: { uri } };
        const own = await session.listen();
        expect((await session.post(subscribe)).status).toBe(200);
        const listening = await sendModern(at(one?.url ?? ""), {
          method: "subscriptions/listen",
          params: { notifications: { resourceSubscriptions: [uri] } },
          headers: authorized(),
        });
        expect((await listening.next()).message).toMatchObject({ method: "notifications/subscriptions/acknowledged" });
        await askModern(at(other?.url ?? ""), { ...toToolCall("runner.plain"), headers: authorized() });
        const told = { method: "notifications/resources/updated", params: { uri } };
        expect((await own.next()).message).toMatchObject(told);
        expect((await listening.next()).message).toMatchObject(told);
      }
    });

    test("of a node that is killed is lost, and nothing else: its client begins another", async () => {
      const [first, second] = cairn.nodes;
      const [lost, kept] = [await open(first.url), await open(second.url)];
      const stream = await lost.listen();
      await first.stop("SIGKILL");
      await expect(stream.rest()).rejects.toThrow();
      const gone = await post(cairn.url, lost.id, ping(1));
      expect([gone.status, await gone.json()]).toMatchObject([404, { error: { code: 4006 } }]);
      expect((await post(cairn.url, kept.id, ping(1))).status).toBe(200);
      const again = await open();
      await vi.waitFor(async () => expect((await again.post(ping(1))).status).toBe(200));
    });
  },
);
