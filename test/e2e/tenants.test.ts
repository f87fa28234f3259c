import { globSync, readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../../server/app.ts";
import type { Caller } from "../../server/auth/caller.ts";
import { FIXTURE_FILES, FIXTURE_VERSION } from "../fixtures/tenants.ts";
import { openLegacySession } from "../helpers/legacy-session.ts";
import { type ModernRequest, sendModern, toToolCall } from "../helpers/modern-mcp.ts";
import { openServiceFor } from "../helpers/open-service.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

/** Cairn's own agent, as in this checkout. */
const OWN = "0.1.0";
const OWN_FILES = Object.fromEntries(
  globSync(["manifests/**/*.yaml", "tools/**/*.ts", "versions.yaml"]).map((path) => [path, readFileSync(path, "utf8")]),
);

const everywhere = new Set(["*"]);
const caller = (tenant: string, actor: string, ...roles: string[]): Caller =>
  Object.freeze({ tenant, actor, roles, scopes: everywhere });
const CALLERS = {
  ada: caller("a", "ada", "member", "user"),
  /** Ada with credentials that let her do less. */
  tired: caller("a", "ada", "reader"),
  /** Of Ada's tenant, with less to do. */
  ray: caller("a", "ray", "reader"),
  bob: caller("b", "bob", "member", "user"),
  tess: { ...caller("a", "tess", "member"), scopes: new Set(["talker"]) },
  vera: { ...caller("a", "vera", "member"), scopes: new Set(["versions:read"]) },
};
type Who = keyof typeof CALLERS;

const shared = createShared();
let service: Service;

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  await repository.release(OWN, OWN_FILES);
  const gone = Object.fromEntries(Object.keys(OWN_FILES).map((path) => [path, null]));
  await repository.release(FIXTURE_VERSION, { ...gone, ...FIXTURE_FILES });
  service = await openServiceFor(repository.path, CALLERS, shared.atEnd);
});
afterAll(shared.undoAll);

interface Answered {
  readonly status: number;
  readonly text: string;
}

const addressOf = (version: string, server: string) => `${service.url}/agent/${version}/${server}`;

async function rest(who: string, path: string, body?: unknown): Promise<Answered & { headers: Headers }> {
  const response = await fetch(service.url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: who, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { status, headers } = response;
  const named = [headers.get("cairn-conversation-id"), headers.get("cairn-logs")];
  return { status, headers, text: JSON.stringify([await response.text(), named]) };
}

/** In the revision without sessions. */
async function modern(who: string, version: string, server: string, request: ModernRequest): Promise<Answered> {
  const sent = await sendModern(addressOf(version, server), {
    capabilities: { elicitation: {} },
    ...request,
    headers: { authorization: who, ...request.headers },
  });
  return { status: sent.status, text: JSON.stringify(await sent.rest()) };
}

/** In a revision with sessions, where the server keeps none. */
async function legacy(
  who: string,
  version: string,
  server: string,
  method: string,
  params: object,
  session?: string,
  id = 1,
) {
  const response = await fetch(addressOf(version, server), {
    method: "POST",
    headers: {
      authorization: who,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      ...(session === undefined ? {} : { "mcp-session-id": session }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
  });
  return { status: response.status, text: await response.text() };
}

const read = (who: string, version: string, uri: string) =>
  modern(who, version, "runner", { method: "resources/read", params: { uri } });

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Without what differs between any two answers: the ids, and the time. */
const plain = ({ status, text }: Answered) => [
  status,
  text.replaceAll(UUID, "<id>").replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>"),
];

/** A tool as a version lists it. */
interface Listed {
  readonly version: string;
  readonly server: string;
  readonly name: string;
  readonly session: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, { type?: string; enum?: unknown }>> };
  readonly examples: readonly { readonly input: object }[];
}

/** What both agents have, as one who may use everything sees it. */
interface Everything {
  readonly tools: readonly Listed[];
  readonly resources: readonly { readonly version: string; readonly server: string; readonly uri: string }[];
  /** With one variable: an id. */
  readonly templates: Everything["resources"];
}

async function findEverything(): Promise<Everything> {
  const versions = await Promise.all(
    [OWN, FIXTURE_VERSION].map(async (version) => {
      const { text } = await rest("ada", `/agent/${version}/api/tools`);
      const { tools } = JSON.parse((JSON.parse(text) as [string])[0]) as { tools: Omit<Listed, "version">[] };
      const list = async (server: string, method: string) => {
        const answer = await modern("ada", version, server, { method });
        const [{ result }] = JSON.parse(answer.text) as [{ result?: Record<string, Record<string, string>[]> }];
        return Object.values(result ?? {}).find(Array.isArray) ?? [];
      };
      const servers = [...new Set(tools.map(({ server }) => server))];
      const of = (property: string, method: string) =>
        Promise.all(
          servers.map(async (server) =>
            (await list(server, method)).map((item) => ({ version, server, uri: item[property] ?? "" })),
          ),
        );
      const [resources, templates] = await Promise.all([
        of("uri", "resources/list"),
        of("uriTemplate", "resources/templates/list"),
      ]);
      return { tools: tools.map((tool) => ({ ...tool, version })), resources, templates: templates };
    }),
  );
  return {
    tools: versions.flatMap(({ tools }) => tools),
    resources: versions.flatMap(({ resources }) => resources.flat()),
    templates: versions.flatMap(({ templates }) => templates.flat()).filter(({ uri }) => /^[^{]*\{\w+\}$/.test(uri)),
  };
}

/** An input that takes `text`, where the tool takes a text at all. */
function toInput({ inputSchema: { properties = {} }, examples }: Listed, text: string): object {
  const isFree = ([name, { type, enum: values }]: [string, { type?: string; enum?: unknown }]) =>
    type === "string" && values === undefined && name !== "conversation_id";
  const [name] = Object.entries(properties).find(isFree) ?? [];
  return { ...examples[0]?.input, ...(name === undefined ? {} : { [name]: text }) };
}

type Way = "rest" | "modern" | "legacy";

function callBy(way: Way, who: Who, { version, server, name }: Listed, input: object): Promise<Answered> {
  if (way === "rest") return rest(who, `/agent/${version}/api/tools/${name}`, input);
  if (way === "modern") return modern(who, version, server, toToolCall(name, input));
  return legacy(who, version, server, "tools/call", { name, arguments: input });
}

const WAYS: readonly Way[] = ["rest", "modern", "legacy"];

/** Every way of asking for what an id names. */
function waysToAsk({ tools, templates }: Everything, who: Who, id: string): (() => Promise<Answered>)[] {
  const ref = { type: "ref/resource", uri: "session://{conversation_id}" };
  const completion = { ref, argument: { name: "conversation_id", value: id } };
  return [
    ...templates.flatMap(({ version, server, uri: template }) => {
      const uri = template.replace(/\{\w+\}/, id);
      return [
        () => modern(who, version, server, { method: "resources/read", params: { uri } }),
        () => legacy(who, version, server, "resources/read", { uri }),
      ];
    }),
    ...tools
      .filter(({ session }) => session === "stateful")
      .flatMap((tool) =>
        WAYS.map((way) => () => callBy(way, who, tool, { ...toInput(tool, "probe"), conversation_id: id })),
      ),
    () => modern(who, FIXTURE_VERSION, "runner", { method: "completion/complete", params: completion }),
    () => legacy(who, FIXTURE_VERSION, "talker", "ping", {}, id),
    ...["GET", "DELETE"].map((method) => async () => {
      const headers = { authorization: who, accept: "application/json, text/event-stream", "mcp-session-id": id };
      const response = await fetch(addressOf(FIXTURE_VERSION, "talker"), { method, headers });
      return { status: response.status, text: await response.text() };
    }),
  ];
}

/** Everything that a caller can read of a version, or of both, without naming what it looks for. */
async function readEverything({ resources }: Everything, who: Who, only?: string): Promise<string> {
  const within = resources.filter(({ version }) => only === undefined || version === only);
  const lists = [
    ...within.map(({ version, server, uri }) =>
      modern(who, version, server, { method: "resources/read", params: { uri } }),
    ),
    ...[...new Set(within.map(({ version }) => version))].flatMap((version) => [
      ...["tools/list", "prompts/list", "resources/list", "resources/templates/list"].map((method) =>
        modern(who, version, "runner", { method }),
      ),
      ...["openapi.json", "api/tools"].map((path) => rest(who, `/agent/${version}/${path}`)),
    ]),
  ];
  return (await Promise.all(lists)).map(({ text }) => text).join("\n");
}

const step = fc.record({
  who: fc.constantFrom<("ada" | "bob")[]>("ada", "ada", "bob"),
  tool: fc.nat(1000),
  way: fc.constantFrom(...WAYS),
});

describe("[G7] tenants", () => {
  test(
    "get nothing of each other, whatever they call, and learn of no id that it exists",
    { timeout: 120_000 },
    async () => {
      const everything = await findEverything();
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
              const { status, text } = await callBy(way, who, tool, toInput(tool, `${marks[who]}-${number}`));
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
            expect(await readEverything(everything, mine)).not.toContain(`mark-${theirs}`);
          }
          const ids = new Set([got.ada, await readEverything(everything, "ada")].join().match(UUID));
          for (const id of [...ids].slice(0, 12)) {
            const madeUp = waysToAsk(everything, "bob", id.slice(0, -4) + randomUUID().slice(-4));
            await Promise.all(
              waysToAsk(everything, "bob", id).map(async (ask, way) => {
                const [found, other] = await Promise.all([ask(), madeUp[way]?.()]);
                expect(found.text).not.toContain("mark-ada");
                expect(plain(found)).toEqual(other && plain(other));
              }),
            );
          }
        }),
        { numRuns },
      );
    },
  );

  test("of which one knows no session that the other's token began: 404, as for one that does not exist", async () => {
    const url = addressOf(FIXTURE_VERSION, "talker");
    const ada = await openLegacySession(url, { headers: { authorization: "ada" } });
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    for (const seeker of ["bob", "ray"]) {
      const found = await legacy(seeker, FIXTURE_VERSION, "talker", "ping", {}, ada.id);
      expect(found.status).toBe(404);
      expect(found).toEqual(await legacy(seeker, FIXTURE_VERSION, "talker", "ping", {}, randomUUID()));
      const headers = { authorization: seeker, accept: "text/event-stream", "mcp-session-id": ada.id };
      for (const method of ["GET", "DELETE"]) expect((await fetch(url, { method, headers })).status).toBe(404);
    }
    expect((await ada.post(ping)).status).toBe(200);
  });

  test("of which one gets no events of the other's session by its own", async () => {
    const url = addressOf(FIXTURE_VERSION, "talker");
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
    const url = addressOf(FIXTURE_VERSION, "talker");
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
      const { headers } = await rest(who, `/agent/${FIXTURE_VERSION}/api/tools/runner.chat`, { text: "Hi" });
      return headers.get("cairn-conversation-id") ?? "";
    };
    const goOn = (who: Who, id: string) =>
      rest(who, `/agent/${FIXTURE_VERSION}/api/tools/runner.chat`, { text: "On", conversation_id: id });
    const [ada, bob] = [await begin("ada"), await begin("bob")];
    const end = new AbortController();
    const uris = [`session://${ada}`, `logs://${ada}`, `session://${bob}`];
    const heard = await sendModern(addressOf(FIXTURE_VERSION, "runner"), {
      method: "subscriptions/listen",
      params: { notifications: { resourceSubscriptions: uris } },
      headers: { authorization: "bob" },
      signal: end.signal,
    });
    // What is granted says nothing of what there is.
    expect((await heard.next()).message).toMatchObject({ params: { notifications: { resourceSubscriptions: uris } } });
    expect((await goOn("ada", ada)).status).toBe(200);
    await read("ada", FIXTURE_VERSION, `logs://${ada}`);
    expect((await goOn("bob", bob)).status).toBe(200);
    expect((await heard.next()).message).toMatchObject({ params: { uri: `session://${bob}` } });
    end.abort();
  });

  test("are not a matter of what a request says: 400 for `tenant` and `role` in the body", async () => {
    for (const extra of [{ tenant: "b" }, { role: "*" }, { principal: { tenant: "b" } }, { actor: "bob" }]) {
      const input = { text: "Hi", ...extra };
      const { status, text } = await rest("ada", `/agent/${FIXTURE_VERSION}/api/tools/runner.echo`, input);
      expect([status, text]).toEqual([400, expect.stringContaining("BAD_REQUEST")]);
      const called = await modern("ada", FIXTURE_VERSION, "runner", toToolCall("runner.echo", input));
      expect(called.text).toContain('"name":"BAD_REQUEST"');
    }
    // What stands beside a call's arguments is nobody's business, and changes nothing.
    const beside = { tenant: "b", actor: "bob", role: "*", capabilities: ["*"] };
    await modern("ray", FIXTURE_VERSION, "runner", {
      ...toToolCall("runner.echo", { text: "beside" }, beside),
      meta: beside,
    });
    expect((await read("ray", FIXTURE_VERSION, "logs://recent")).text).toMatch(/actor.{1,9}ray.*beside/s);
    expect((await read("bob", FIXTURE_VERSION, "logs://recent")).text).not.toContain("beside");
  });
});

describe("[G7] what a caller may not use", () => {
  const hidden = ["runner.chat", "runner.note"];

  test("is in no list, no document and no view of the service", async () => {
    const chat = await rest("ada", `/agent/${FIXTURE_VERSION}/api/tools/runner.chat`, { text: "mark-ada-chat" });
    const id = chat.headers.get("cairn-conversation-id") ?? "";
    const seen = await readEverything(await findEverything(), "ray", FIXTURE_VERSION);
    expect(seen).toContain("runner.echo");
    for (const name of hidden) expect(seen).not.toContain(name);
    expect(seen).not.toContain("mark-ada-chat");
    for (const uri of [`session://${id}`, `logs://${id}`]) {
      const madeUp = uri.replace(id, randomUUID());
      expect(plain(await read("ray", FIXTURE_VERSION, uri))).toEqual(plain(await read("ray", FIXTURE_VERSION, madeUp)));
      expect((await read("ada", FIXTURE_VERSION, uri)).text).toContain("mark-ada-chat");
    }
    const listed = await legacy("ray", FIXTURE_VERSION, "runner", "tools/list", {});
    expect(listed.text.match(/"name":"runner\.\w+"/g)).toEqual(['"name":"runner.echo"', '"name":"runner.others"']);
    const { text } = await rest("ray", `/agent/${FIXTURE_VERSION}/api/tools/runner.others`, { text: "x" });
    expect(JSON.parse((JSON.parse(text) as [string])[0])).toEqual({ names: ["runner.echo"] });
  });

  test("is refused with the capability that is missing", async () => {
    const reason = "`runner.chat` requires `tool:runner.chat`, which `ray` does not hold.";
    const path = `/agent/${FIXTURE_VERSION}/api/tools/runner.chat`;
    for (const body of [undefined, { text: "x" }, { wrong: true }]) {
      const { status, text } = await rest("ray", path, body);
      expect([status, JSON.parse((JSON.parse(text) as [string])[0])]).toMatchObject([
        403,
        { code: 2101, name: "FORBIDDEN", detail: reason },
      ]);
    }
    const called = await modern("ray", FIXTURE_VERSION, "runner", toToolCall("runner.chat", { text: "x" }));
    expect([called.status, JSON.parse(called.text)]).toMatchObject([
      200,
      [{ result: { isError: true, _meta: { "cairn/error": { code: 2101, name: "FORBIDDEN", message: reason } } } }],
    ]);
  });

  test("is not named to somebody who asks for what does not exist", async () => {
    const byRest = await rest("ray", `/agent/${FIXTURE_VERSION}/api/tools/runner.gone`, {});
    const byMcp = await modern("ray", FIXTURE_VERSION, "runner", toToolCall("runner.gone"));
    for (const { text } of [byRest, byMcp]) {
      expect(text).toContain("runner.echo");
      for (const name of hidden) expect(text).not.toContain(name);
    }
  });

  test("is kept out of shared caches", async () => {
    for (const path of ["openapi.json", "api/tools", "api/tools/runner.others"]) {
      const { headers } = await rest("ray", `/agent/${FIXTURE_VERSION}/${path}`);
      expect([headers.get("cache-control"), headers.get("vary")]).toEqual([
        "private, no-cache",
        expect.stringContaining("Authorization"),
      ]);
    }
    const { text } = await modern("ray", FIXTURE_VERSION, "runner", { method: "tools/list" });
    expect(text).toContain('"cacheScope":"private"');
  });

  test("cannot be done by a request of a session because another one of the same person could", async () => {
    const { id } = await openLegacySession(addressOf(FIXTURE_VERSION, "talker"), { headers: { authorization: "ada" } });
    const list = (who: Who, at: number) => legacy(who, FIXTURE_VERSION, "talker", "tools/list", {}, id, at);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => list(at % 2 === 0 ? "ada" : "tired", at)));
    expect(answers.map(({ text }) => text.includes("talker.ask"))).toEqual(answers.map((_, at) => at % 2 === 0));
  });
});

describe("an address that asks for credentials", () => {
  const PATHS = [
    "/versions",
    `/versions/${OWN}`,
    `/versions/${OWN}/changelog`,
    `/agent/${OWN}`,
    `/agent/${OWN}/openapi.json`,
    `/agent/${OWN}/api/tools`,
    `/agent/${OWN}/api/tools/runner.chat`,
    `/agent/${OWN}/runner`,
    "/agent/1.2.3/runner",
    "/agent/1.2.3/openapi.json",
    "/agent/latest/nothing",
    "/nothing",
  ];

  test.each(PATHS)("says the same of every version to those who have none: %s", async (path) => {
    for (const body of [undefined, {}]) {
      const { status, text } = await rest("Bearer wrong", path, body);
      expect([status, text]).toEqual([401, expect.stringContaining("UNAUTHENTICATED")]);
      for (const version of [OWN, FIXTURE_VERSION, "0.1", "latest"]) expect(text).not.toContain(version);
    }
  });

  test("refuses credentials that are for another part of the service, before it says what is there", async () => {
    const refusal = (scope: string) => [403, expect.stringContaining(`the scope \`${scope}\``)];
    const seen = async (answer: Promise<Answered>) => {
      const { status, text } = await answer;
      return [status, text];
    };
    for (const version of [FIXTURE_VERSION, "1.2.3"]) {
      expect(await seen(modern("tess", version, "runner", { method: "tools/list" }))).toEqual(refusal("runner"));
      expect(await seen(rest("tess", `/agent/${version}/api/tools`))).toEqual(refusal("versions:read"));
    }
    expect(await seen(rest("tess", "/versions"))).toEqual(refusal("versions:read"));
    expect(await seen(rest("vera", "/versions/refresh", {}))).toEqual(refusal("versions:refresh"));
    const echo = `/agent/${FIXTURE_VERSION}/api/tools/runner.echo`;
    for (const who of ["tess", "vera"]) expect(await seen(rest(who, echo, { text: "x" }))).toEqual(refusal("runner"));
    expect((await modern("tess", FIXTURE_VERSION, "talker", { method: "tools/list" })).status).toBe(200);
    expect((await rest("vera", echo)).status).toBe(200);
    expect((await rest("ada", "/versions/refresh", {})).status).toBe(200);
  });
});
