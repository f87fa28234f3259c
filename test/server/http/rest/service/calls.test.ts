import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FIXTURE_VERSION } from "../../../../fixtures/tenants.ts";
import { expectSchema } from "../../../../helpers/schemas.ts";
import { createShared } from "../../../../helpers/temporary.ts";
import { openTenants, OWN_VERSION, type Tenants } from "../../../../helpers/two-tenants.ts";

const shared = createShared();
let tenants: Tenants;

interface Call {
  readonly id: string;
  readonly actor: string;
  readonly tool: string;
  readonly outcome: string;
  readonly version: string;
}
interface Calls {
  readonly calls: readonly Call[];
  readonly next?: string;
}

const call = async (who: string, tool: string, input: object, version = FIXTURE_VERSION) => {
  const { headers } = await tenants.rest(who, `/agent/${version}/api/tools/${tool}`, input);
  return headers.get("cairn-conversation-id") ?? "";
};
const find = async (who: string, query = "") => {
  const { status, body } = await tenants.rest(who, `/calls${query}`);
  expect(status).toBe(200);
  expectSchema("calls", body);
  return body as Calls;
};
const shown = ({ calls }: Calls) => calls.map(({ actor, tool, outcome }) => `${actor} ${tool} ${outcome}`);

beforeAll(async () => {
  tenants = await openTenants(shared.atEnd);
  await call("ada", "runner.echo", { text: "first" });
  await call("bob", "runner.echo", { text: "of bob" });
  await call("ada", "decide_evaluate", {}, OWN_VERSION);
  await call("ada", "runner.note", { text: "second" });
  await call("ray", "runner.note", { text: "refused" });
  await call("tess", "talker.ask", { text: "third" });
});
afterAll(shared.undoAll);

describe("the search of calls", () => {
  test("has those of the caller's tenant with all versions, the newest first, page by page", async () => {
    const all = await find("ada");
    expect(shown(all)).toEqual([
      expect.stringMatching(/^tess talker\.ask /),
      "ray runner.note FORBIDDEN",
      "ada runner.note ok",
      expect.stringMatching(/^ada decide_evaluate /),
      "ada runner.echo ok",
    ]);
    expect(new Set(all.calls.map(({ version }) => version)).size).toBeGreaterThan(1);
    const pages: Call[] = [];
    for (let [query, more] = ["?limit=2", true]; more;) {
      const { calls, next } = await find("ada", query);
      pages.push(...calls);
      [query, more] = [`?limit=2&cursor=${next}`, next !== undefined];
    }
    expect(pages).toEqual(all.calls);
  });

  test("keeps to what is asked for", async () => {
    const [newest, , , , oldest] = (await find("ada")).calls;
    expect(shown(await find("ada", "?tool=runner.echo"))).toEqual(["ada runner.echo ok"]);
    expect(shown(await find("ada", "?outcome=failed&actor=ray"))).toEqual(["ray runner.note FORBIDDEN"]);
    expect(shown(await find("ada", "?text=FIRST"))).toEqual(["ada runner.echo ok"]);
    expect(shown(await find("ada", `?conversation=${oldest?.id}`))).toEqual(["ada runner.echo ok"]);
    expect((await find("ada", `?version=${FIXTURE_VERSION}`)).calls).toHaveLength(4);
    expect((await find("ada", "?until=2020-01-01T00:00:00Z")).calls).toEqual([]);
    expect((await find("ada", "?since=2020-01-01T00:00:00Z&limit=1")).calls).toEqual([newest]);
    expect((await find("ada", "?since=2120-01-01T00:00:00Z")).calls).toEqual([]);
    for (const query of ["?kind=call", "?tool=", "?cursor=MQ", "?since=today", "?outcome=bad", "?tool=a&tool=b"]) {
      expect([query, (await tenants.rest("ada", `/calls${query}`)).status]).toEqual([query, 400]);
    }
  });
});

describe("those who may not read the audit log", () => {
  test("find what the logs of servers would show them, and nothing of other tenants", async () => {
    expect(shown(await find("runa"))).toEqual([
      "ray runner.note FORBIDDEN",
      "ada runner.note ok",
      "ada runner.echo ok",
    ]);
    expect(shown(await find("ron"))).toEqual(["ray runner.note FORBIDDEN", "ada runner.echo ok"]);
    expect(shown(await find("tess"))).toEqual([]);
    expect(shown(await find("vera"))).toEqual([]);
    expect(shown(await find("bob"))).toEqual(["bob runner.echo ok"]);
    expect((await tenants.rest("nobody", "/calls")).status).toBe(401);
  });
});

describe("a conversation", () => {
  test("has its calls in order and what its tool remembers, for those who may read them", async () => {
    const id = await call("ada", "runner.chat", { text: "one" });
    await call("ada", "runner.chat", { text: "two", conversation_id: id });
    const read = (who: string) => tenants.rest(who, `/conversations/${id}`);
    for (const who of ["ada", "runa"]) {
      const { body } = await read(who);
      expectSchema("conversation", body);
      expect(body).toMatchObject({
        conversation_id: id,
        version: FIXTURE_VERSION,
        server: "runner",
        calls: [
          { id, tool: "runner.chat", parameters: {}, logs: [{ message: "one" }] },
          { conversation_id: id, logs: [{ message: "two" }] },
        ],
        memory: { turns: ["one", "two"] },
      });
    }
    // He may read the audit log, and not use the tool.
    expect((await read("ray")).body).toMatchObject({ calls: [{ id }, { conversation_id: id }], memory: null });
  });

  test("is not there for others, whose answer is that for an unknown one", async () => {
    const id = await call("ada", "runner.chat", { text: "mine" });
    const read = async (who: string, of: string) => {
      const { status, body } = await tenants.rest(who, `/conversations/${of}`);
      return [status, (body as { detail: string }).detail.replaceAll(of, "ID")];
    };
    const unknown = await read("ada", "01980000-0000-7000-8000-000000000000");
    expect(unknown[0]).toBe(404);
    for (const who of ["bob", "ron", "tess", "vera"]) expect(await read(who, id)).toEqual(unknown);
    expect((await read("ada", "x"))[0]).toBe(404);
  });
});
