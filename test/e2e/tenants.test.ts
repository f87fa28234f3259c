import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FIXTURE_VERSION } from "../fixtures/tenants.ts";
import { callBy, findEverything, readEverything, toInput, WAYS, waysToAsk } from "../helpers/agent-walk.ts";
import { openLegacySession } from "../helpers/legacy-session.ts";
import { sendModern, toToolCall } from "../helpers/modern-mcp.ts";
import { createShared } from "../helpers/temporary.ts";
import { toPlain } from "../helpers/to-plain.ts";
import { openTenants, type Tenants, type Who } from "../helpers/two-tenants.ts";

const shared = createShared();
let tenants: Tenants;

beforeAll(async () => {
  tenants = await openTenants(shared.atEnd);
});
afterAll(shared.undoAll);

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const step = fc.record({
  who: fc.constantFrom<("ada" | "bob")[]>("ada", "ada", "bob"),
  tool: fc.nat(1000),
  way: fc.constantFrom(...WAYS),
});

describe("[G7] tenants", () => {
  test(
    "[abuse 34] get nothing of each other, whatever they call, and learn of no id that it exists",
    { timeout: 120_000 },
    async () => {
      const everything = await findEverything(tenants);
      expect(everything.tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["runner.get_weather", "runner.chat", "runner.note", "talker.ask"]),
      );
      expect(everything.resources.length).toBeGreaterThanOrEqual(10);
      expect(everything.templates.length).toBeGreaterThanOrEqual(4);
      const numRuns = process.env["CAIRN_LONG"] === "1" ? 100 : 6;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
          const run = randomUUID().slice(0, 8);
          const marks = { ada: `mark-ada-${run}`, bob: `mark-bob-${run}` };
          const got = { ada: "", bob: "" };
          await Promise.all(
            steps.map(async ({ who, tool: index, way }, number) => {
              const tool = everything.tools[index % everything.tools.length];
              if (tool === undefined) throw new Error("There are no tools.");
              const { status, text } = await callBy(tenants, way, who, tool, toInput(tool, `${marks[who]}-${number}`));
              if (tool.version === FIXTURE_VERSION && tool.server === "runner")
                expect([tool.name, status, text]).toEqual([tool.name, 200, expect.stringContaining(marks[who])]);
              got[who] += text;
            }),
          );
          for (const [mine, theirs] of [
            ["ada", "bob"],
            ["bob", "ada"],
          ] as const) {
            expect(got[mine]).not.toContain(`mark-${theirs}`);
            expect(await readEverything(tenants, everything, mine)).not.toContain(`mark-${theirs}`);
          }
          const ids = new Set([got.ada, await readEverything(tenants, everything, "ada")].join().match(UUID));
          for (const id of [...ids].slice(0, 12)) {
            const madeUp = waysToAsk(tenants, everything, "bob", id.slice(0, -4) + randomUUID().slice(-4));
            await Promise.all(
              waysToAsk(tenants, everything, "bob", id).map(async (ask, way) => {
                const [found, other] = await Promise.all([ask(), madeUp[way]?.()]);
                expect(found.text).not.toContain("mark-ada");
                expect(toPlain(found)).toEqual(other && toPlain(other));
              }),
            );
          }
        }),
        { numRuns },
      );
    },
  );

  test("[abuse 21] of which one knows no session that the other's token began: 404, as for one that does not exist", async () => {
    const url = tenants.addressOf(FIXTURE_VERSION, "talker");
    const ada = await openLegacySession(url, { headers: { authorization: "ada" } });
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    for (const seeker of ["bob", "ray"]) {
      const found = await tenants.legacy(seeker, FIXTURE_VERSION, "talker", { method: "ping", session: ada.id });
      expect(found.status).toBe(404);
      expect(found).toEqual(
        await tenants.legacy(seeker, FIXTURE_VERSION, "talker", { method: "ping", session: randomUUID() }),
      );
      const headers = { authorization: seeker, accept: "text/event-stream", "mcp-session-id": ada.id };
      for (const method of ["GET", "DELETE"]) expect((await fetch(url, { method, headers })).status).toBe(404);
    }
    expect((await ada.post(ping)).status).toBe(200);
  });

  test("of which one gets no events of the other's session by its own", async () => {
    const url = tenants.addressOf(FIXTURE_VERSION, "talker");
    const open = (who: Who) => openLegacySession(url, { headers: { authorization: who } });
    const [ada, bob] = [await open("ada"), await open("bob")];
    const ask = { name: "talker.ask", arguments: { text: "Hello" } };
    const asked = await ada.post({ jsonrpc: "2.0", id: 7, method: "tools/call", params: ask });
    const { id: event = "" } = await asked.next();
    expect(event).not.toBe("");
    const [theirs, none] = [await bob.listen(event), await bob.listen("nothing~1")];
    expect([theirs.status, await theirs.rest()]).toEqual([404, await none.rest()]);
  });

  test("of which one cannot go on with what the other was asked", async () => {
    const url = tenants.addressOf(FIXTURE_VERSION, "talker");
    const ask = async (who: Who, more: object = {}) =>
      (
        await sendModern(url, {
          ...toToolCall("talker.ask", { text: "Hello" }, more),
          capabilities: { elicitation: {} },
          headers: { authorization: who },
        })
      ).rest();
    const [asked] = await ask("ada");
    const { requestState } = (asked?.["result"] ?? { requestState: "" }) as { requestState: string };
    const inputResponses = { name: { action: "accept", content: { name: "Ada" } } };
    const used = (who: Who, state: string) => ask(who, { inputResponses, requestState: state });
    expect(await used("bob", requestState)).toEqual(await used("bob", "made up"));
    expect(JSON.stringify(await used("ada", requestState))).toContain("Hello Ada");
  });

  test("of which one is not told of what the other's conversations do", async () => {
    const begin = async (who: Who) => {
      const { headers } = await tenants.rest(who, `/agent/${FIXTURE_VERSION}/api/tools/runner.chat`, { text: "Hi" });
      return headers.get("cairn-conversation-id") ?? "";
    };
    const goOn = (who: Who, id: string) =>
      tenants.rest(who, `/agent/${FIXTURE_VERSION}/api/tools/runner.chat`, { text: "On", conversation_id: id });
    const [ada, bob] = [await begin("ada"), await begin("bob")];
    const end = new AbortController();
    const uris = [`session://${ada}`, `logs://${ada}`, `session://${bob}`];
    const heard = await sendModern(tenants.addressOf(FIXTURE_VERSION, "runner"), {
      method: "subscriptions/listen",
      params: { notifications: { resourceSubscriptions: uris } },
      headers: { authorization: "bob" },
      signal: end.signal,
    });
    // What is granted says nothing of what there is.
    expect((await heard.next()).message).toMatchObject({ params: { notifications: { resourceSubscriptions: uris } } });
    expect((await goOn("ada", ada)).status).toBe(200);
    await tenants.read("ada", FIXTURE_VERSION, `logs://${ada}`);
    expect((await goOn("bob", bob)).status).toBe(200);
    expect((await heard.next()).message).toMatchObject({ params: { uri: `session://${bob}` } });
    end.abort();
  });

  test("[abuse 35] are not a matter of what a request says: 400 for `tenant` and `role` in the body", async () => {
    for (const extra of [{ tenant: "b" }, { role: "*" }, { principal: { tenant: "b" } }, { actor: "bob" }]) {
      const input = { text: "Hi", ...extra };
      const { status, text } = await tenants.rest("ada", `/agent/${FIXTURE_VERSION}/api/tools/runner.echo`, input);
      expect([status, text]).toEqual([400, expect.stringContaining("BAD_REQUEST")]);
      const called = await tenants.modern("ada", FIXTURE_VERSION, "runner", toToolCall("runner.echo", input));
      expect(called.text).toContain('"name":"BAD_REQUEST"');
    }
    // What stands beside a call's arguments is nobody's business, and changes nothing.
    const beside = { tenant: "b", actor: "bob", role: "*", capabilities: ["*"] };
    await tenants.modern("ray", FIXTURE_VERSION, "runner", {
      ...toToolCall("runner.echo", { text: "beside" }, beside),
      meta: beside,
    });
    expect((await tenants.read("ray", FIXTURE_VERSION, "logs://recent")).text).toMatch(/actor.{1,9}ray.*beside/s);
    expect((await tenants.read("bob", FIXTURE_VERSION, "logs://recent")).text).not.toContain("beside");
  });
});
