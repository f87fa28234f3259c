import { hash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { AuditedLogs } from "../../../server/kernel/audit/audit.ts";
import type { Result } from "../../../server/kernel/call.ts";
import { type CallRecord, digest } from "../../../server/kernel/record.ts";
import { createLog } from "../../../server/log/log.ts";
import { LOCAL_PRINCIPAL, type Principal } from "../../../server/principal.ts";
import { openSandbox } from "../../../server/kernel/isolates/open-sandbox.ts";
import type { Sandbox } from "../../../server/kernel/isolates/sandbox.ts";
import { auditLog, callKey } from "../../../server/store/keys.ts";
import type { Store } from "../../../server/store/store.ts";
import type { Tool, Version } from "../../../server/versions/version.ts";
import { openTestStore } from "../../helpers/store.ts";
import { createTestVersion } from "../../helpers/test-version.ts";
import { toProgram } from "./isolates/program.ts";
import { openTestKernel } from "../../helpers/kernel.ts";

type TestTool = Partial<Tool> & { readonly body: string };

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ spare: false });
});
afterAll(() => sandbox.close());

/** A version whose tools are the given bodies of handlers, and a way to call them. */
async function setUp(
  tools: Readonly<Record<string, TestTool>>,
  options: { commit?: string; store?: Store; durability?: "effects" | "always"; audit?: AuditedLogs } = {},
) {
  const store = options.store ?? (await openTestStore());
  const logged: string[] = [];
  const { invoke, close } = openTestKernel({
    store,
    sandbox,
    durability: options.durability ?? "always",
    log: createLog("info", { write: (line) => void logged.push(line) }),
    ...(options.audit === undefined ? {} : { audit: options.audit }),
  });
  onTestFinished(close);
  const sources = Object.fromEntries(
    Object.entries(tools).map(([name, { body }]) => [
      `tools/s/${name}.ts`,
      `export default async function (input: any, ctx: any) { ${body} }`,
    ]),
  );
  const version: Version = {
    ...createTestVersion({
      commit: options.commit ?? "c".repeat(40),
      tools: Object.entries(tools).map(([name, { body: _body, ...tool }]) => ({ name, server: "s", ...tool })),
    }),
    program: toProgram(sources),
  };
  const call = (name: string, input: unknown = {}, principal: Principal = LOCAL_PRINCIPAL): Promise<Result> => {
    const tool = version.tools.get(name);
    if (!tool) throw new Error(`no tool ${name}`);
    return invoke({ version, tool, input, principal });
  };
  const output = async (name: string, input?: unknown) => {
    const result = await call(name, input);
    if (!result.ok) throw new Error(`${result.error.name}: ${result.error.message}`);
    return result.output;
  };
  const recordOf = async ({ conversationId }: Result) =>
    (await store.get(callKey(LOCAL_PRINCIPAL.tenant, version.commit, conversationId)))?.value as unknown as CallRecord;
  return { store, version, call, output, recordOf, logged };
}

const INCREMENT: TestTool = {
  body: "const n = ((await ctx.state.get(['n'])) ?? 0) + 1; await ctx.state.set(['n'], n); return { n };",
  uses: new Set(["state.read", "state.write"]),
  sideEffect: true,
};

const CHAT: TestTool = {
  body: "const turns = [...((await ctx.session.get())?.turns ?? []), input.message]; await ctx.session.set({ turns }); return { turns };",
  uses: new Set(["session"]),
  sideEffect: true,
  session: "stateful",
};

describe("a call", () => {
  test("[G7] finds nothing that a call of another tenant left in variables of the module", async () => {
    const body = "globals.push(input.text); return { globals: [...globals] };";
    const { version, call } = await setUp({ keep: { body } });
    const [path = "", code = ""] = [...version.program.modules][0] ?? [];
    const modules = new Map([[path, `const globals = [];\n${code}`]]);
    Object.assign(version, { program: { ...version.program, modules } });
    const of = (tenant: string) => ({ ...LOCAL_PRINCIPAL, tenant });
    expect(await call("keep", { text: "a" }, of("a"))).toMatchObject({ output: { globals: ["a"] } });
    expect(await call("keep", { text: "b" }, of("b"))).toMatchObject({ output: { globals: ["b"] } });
    expect(await call("keep", { text: "c" }, of("a"))).toMatchObject({ output: { globals: ["a", "c"] } });
  });

  test("[R1] leaves a record that credits it, and an audit entry in the same commit", async () => {
    const { call, recordOf, store, version } = await setUp({
      t: { body: "ctx.log.warning('careful', { a: 1 }); return { ok: true };" },
    });
    const result = await call("t", { b: 2, a: 1 });
    const record = await recordOf(result);
    expect(record).toMatchObject({
      schemaVersion: 1,
      id: result.conversationId,
      conversationId: result.conversationId,
      tenant: "local",
      actor: "anonymous",
      commit: version.commit,
      version: "1.0.0",
      server: "s",
      tool: "t",
      toolVersion: "1.0.0",
      salt: expect.stringMatching(/^[0-9a-f]{32}$/),
      inputDigest: hash("sha256", `${record.salt}{"a":1,"b":2}`),
      outputDigest: hash("sha256", `${record.salt}{"ok":true}`),
      outcome: "ok",
      logs: [{ level: "warning", message: "careful", data: { a: 1 } }],
    });
    const entries = [];
    for await (const { bytes } of store.readLog(auditLog("local"), { from: 0 }))
      entries.push(JSON.parse(Buffer.from(bytes).toString()));
    expect(entries).toMatchObject([
      { seq: 0, entry: { calls: { [version.commit]: { [record.id]: digest(record as never) } } } },
    ]);
  });

  test("is not begun when its tenant's audit log is broken, and others' calls go on", async () => {
    const audit = { isBroken: (tenant: string) => tenant === "acme", appended: () => undefined };
    const { call, store, logged } = await setUp({ t: { body: "ctx.log.info('ran'); return {};" } }, { audit });
    const refused = await call("t", {}, { ...LOCAL_PRINCIPAL, tenant: "acme" });
    expect(refused).toMatchObject({ ok: false, error: { name: "UNAVAILABLE" }, row: { status: 503 } });
    expect(await call("t")).toMatchObject({ ok: true });
    expect([await store.head(auditLog("acme")), logged]).toEqual([undefined, []]);
    expect((await store.head(auditLog("local")))?.seq).toBe(0);
  });

  test("fills in the schema's defaults before the handler sees the input", async () => {
    const { output } = await setUp({
      t: { body: "return input;", withDefaults: (input) => ({ units: "metric", ...(input as object) }) },
    });
    expect(await output("t", { a: 1 })).toEqual({ units: "metric", a: 1 });
  });

  test("sets conversation_id and logs_uri itself wherever the output schema has them, whatever the handler says", async () => {
    const { call } = await setUp({
      t: {
        body: "return { conversation_id: 'forged' };",
        output: { type: "object", properties: { conversation_id: {}, logs_uri: {} } },
      },
    });
    const result = await call("t");
    expect(result).toMatchObject({
      ok: true,
      output: { conversation_id: result.conversationId, logs_uri: `logs://${result.conversationId}` },
    });
  });

  test("is denied without the capabilities that the tool requires, and the denial is on record", async () => {
    const { call, store } = await setUp({ t: { body: "return {};", requiredCapabilities: ["tool:t"] } });
    const principal = { tenant: "local", actor: "ada", capabilities: new Set(["tool:other"]) };
    const result = await call("t", {}, principal);
    expect(result).toMatchObject({
      ok: false,
      error: { name: "FORBIDDEN", message: "`t` requires `tool:t`, which `ada` does not hold." },
    });
    expect((await store.head(auditLog("local")))?.seq).toBe(0);
    expect(await call("t", {}, { ...principal, capabilities: new Set(["tool:t"]) })).toMatchObject({ ok: true });
  });

  test("answers what a handler throws with an incident whose details the log has", async () => {
    const { call, logged } = await setUp({ t: { body: "throw new Error('password hunter2');" } });
    const result = await call("t", {}, { ...LOCAL_PRINCIPAL, capabilities: new Set() });
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 1012,
        name: "HANDLER_ERROR",
        message: `The tool's handler failed. The log has the details under incident ${result.conversationId}.`,
      },
    });
    expect(JSON.stringify(result)).not.toContain("hunter2");
    expect(logged.join("")).toContain("hunter2");
  });

  test.each(["*", "logs:read"])("says what a handler threw, and where, to a caller with `%s`", async (capability) => {
    const { call, recordOf } = await setUp({ t: { body: "throw new Error('no basket');" } });
    const result = await call("t", {}, { ...LOCAL_PRINCIPAL, capabilities: new Set([capability]) });
    const at = /tools\/s\/t\.ts:\d+:\d+/;
    expect(result).toMatchObject({
      ok: false,
      error: {
        name: "HANDLER_ERROR",
        message: expect.stringMatching(new RegExp(`^The handler of \`t\` threw Error: no basket \\(${at.source}\\)$`)),
        details: { stack: [expect.stringMatching(at)] },
      },
    });
    expect((await recordOf(result)).message).toMatch(/^The tool's handler failed\. /);
  });

  test("says where a handler was refused something, to a caller who reads logs and to no other", async () => {
    const { call, recordOf } = await setUp({ t: { body: "await ctx.state.get(['a']);" } });
    const tell = (...capabilities: string[]) =>
      call("t", {}, { ...LOCAL_PRINCIPAL, capabilities: new Set(capabilities) });
    const [told, untold] = [await tell("logs:read"), await tell()];
    const message = "`t` may not use `ctx.state.get`: its manifest would have to list `state.read` under `uses`.";
    const at = expect.stringMatching(/^tools\/s\/t\.ts:\d+:\d+ default$/);
    expect(told).toMatchObject({ error: { name: "FORBIDDEN", details: { stack: [at] } } });
    expect(told.ok ? "" : told.error.message.replace(/ \(tools\/s\/t\.ts:\d+:\d+\)$/, "")).toBe(message);
    expect(untold).toMatchObject({ error: { code: 2101, name: "FORBIDDEN", message } });
    expect(untold).not.toHaveProperty("error.details");
    expect((await recordOf(told)).message).toBe(message);
  });

  test("masks credentials in what a handler threw", async () => {
    const { call } = await setUp({ t: { body: "throw new Error('ghp_' + 'a1B2'.repeat(9));" } });
    expect(JSON.stringify(await call("t"))).not.toContain("a1B2a1B2");
  });

  test("refuses input and output that are too large, each by its name", async () => {
    const limits = { time: 10_000, cpu: 1000, memory: 64, payload: 100 };
    const { call } = await setUp({ t: { body: "return { x: 'x'.repeat(input.n) };", limits } });
    expect(await call("t", { n: 10 })).toMatchObject({ ok: true });
    expect(await call("t", { n: 1, x: "x".repeat(100) })).toMatchObject({
      ok: false,
      error: { name: "PAYLOAD_TOO_LARGE" },
    });
    expect(await call("t", { n: 1000 })).toMatchObject({ ok: false, error: { name: "RESULT_TOO_LARGE" } });
  });
});

describe("state", () => {
  test("is kept only when the call succeeds", async () => {
    const { call, output } = await setUp({
      set: {
        ...INCREMENT,
        body: "await ctx.state.set(['n'], 41); if (input.fail) throw ctx.fail('CONFLICT', 'no'); return {};",
      },
      get: { body: "return { n: (await ctx.state.get(['n'])) ?? null };", uses: new Set(["state.read"]) },
    });
    expect(await call("set", { fail: true })).toMatchObject({ ok: false, error: { name: "CONFLICT", message: "no" } });
    expect(await output("get")).toEqual({ n: null });
    await output("set");
    expect(await output("get")).toEqual({ n: 41 });
  });

  test("loses no update of 64 calls at once, and none is refused", { timeout: 60_000 }, async () => {
    const { output } = await setUp({ t: INCREMENT });
    const results = await Promise.all(Array.from({ length: 64 }, () => output("t") as Promise<{ n: number }>));
    expect(results.map(({ n }) => n).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 64 }, (_, index) => index + 1),
    );
  });

  test("[C4] belongs to the commit, unless versions name a state that they share", async () => {
    const store = await openTestStore();
    const first = await setUp({ t: INCREMENT }, { store, commit: "a".repeat(40) });
    const second = await setUp({ t: INCREMENT }, { store, commit: "b".repeat(40) });
    expect([await first.output("t"), await first.output("t"), await second.output("t")]).toEqual([
      { n: 1 },
      { n: 2 },
      { n: 1 },
    ]);
  });

  test("cannot be written by a tool that says it has no side effects, nor touched by one whose manifest does not list it", async () => {
    const { call } = await setUp({
      quiet: { ...INCREMENT, sideEffect: false },
      unlisted: { ...INCREMENT, uses: new Set() },
    });
    expect(await call("quiet")).toMatchObject({
      ok: false,
      error: {
        name: "FORBIDDEN",
        message: expect.stringMatching(
          /^`quiet` says `sideEffect: false` and so cannot use `ctx\.state\.set`\. \(tools\/s\/quiet\.ts:1:\d+\)$/,
        ),
      },
    });
    expect(await call("unlisted")).toMatchObject({
      ok: false,
      error: { name: "FORBIDDEN", message: expect.stringContaining("`state.read` under `uses`") },
    });
  });
});

describe("a conversation", () => {
  test("[R3] begins without an id, goes on with one, and keeps its turns in order when they come at once", async () => {
    const { call, output } = await setUp({ chat: CHAT });
    const { conversationId } = await call("chat", { message: "a" });
    await Promise.all(
      ["b", "c", "d", "e"].map((message) => output("chat", { message, conversation_id: conversationId })),
    );
    expect(await output("chat", { message: "f", conversation_id: conversationId })).toEqual({
      turns: ["a", "b", "c", "d", "e", "f"],
    });
    const other = await call("chat", { message: "x" });
    expect(other.conversationId).not.toBe(conversationId);
  });

  test("is refused when its id is unknown, another tenant's, another tool's or another version's", async () => {
    const store = await openTestStore();
    const here = await setUp({ chat: CHAT, other: CHAT, plain: { body: "return {};" } }, { store });
    const elsewhere = await setUp({ chat: CHAT }, { store, commit: "b".repeat(40) });
    const { conversationId: mine } = await here.call("chat", { message: "a" });
    const { conversationId: foreign } = await here.call("chat", { message: "a" }, { ...LOCAL_PRINCIPAL, tenant: "b" });
    const { conversationId: stateless } = await here.call("plain");
    const error = async (result: Promise<Result>) => {
      const answer = await result;
      return answer.ok ? "ok" : [answer.error.name, answer.error.message];
    };
    const go = (conversation_id: unknown) => error(here.call("chat", { message: "b", conversation_id }));
    const unknown = (id: string) => [
      "CONVERSATION_NOT_FOUND",
      `There is no conversation \`${id}\`. Leave \`conversation_id\` out to begin one.`,
    ];
    const never = "01a2007d-c9b8-7000-9feb-10d0af55476d";
    expect(await go(never)).toEqual(unknown(never));
    expect(await go(foreign)).toEqual(unknown(foreign));
    expect(await go("../x")).toEqual(unknown("../x"));
    expect(await go(stateless)).toEqual(["CONFLICT", expect.stringContaining("belongs to `plain`, not to `chat`")]);
    expect(await error(here.call("other", { message: "b", conversation_id: mine }))).toEqual([
      "CONFLICT",
      expect.stringContaining("belongs to `chat`"),
    ]);
    Object.assign(here.version.tools.get("plain") ?? {}, { requiredCapabilities: ["plain"] });
    const less = { ...LOCAL_PRINCIPAL, capabilities: new Set<string>() };
    expect(await error(here.call("chat", { message: "b", conversation_id: stateless }, less))).toEqual(
      unknown(stateless),
    );
    expect(await error(elsewhere.call("chat", { message: "b", conversation_id: mine }))).toEqual([
      "CONFLICT",
      `Conversation \`${mine}\` belongs to version 1.0.0; continue it at /agent/${"c".repeat(40)}/s.`,
    ]);
    expect(await go(mine)).toBe("ok");
  });
});

describe("ctx.tools", () => {
  test("lists and calls the other tools of the version, as the same principal", async () => {
    const { call, recordOf, store, version } = await setUp({
      outer: {
        body: "const list = (await ctx.tools.list()).map((t) => t.name); return { list, got: await ctx.tools.call('inner', { a: 1 }) };",
        uses: new Set(["tools.list", "tools.call"]),
      },
      inner: { body: "return { echo: input };" },
      secret: { body: "return {};", requiredCapabilities: ["secret"] },
    });
    const result = await call("outer", {}, { tenant: "local", actor: "ada", capabilities: new Set() });
    expect(result).toMatchObject({ ok: true, output: { list: ["inner"], got: { echo: { a: 1 } } } });
    expect((await recordOf(result)).tool).toBe("outer");
    const entries = [];
    for await (const { bytes } of store.readLog(auditLog("local"), { from: 0 }))
      entries.push(JSON.parse(Buffer.from(bytes).toString()).entry);
    const [first = [], second] = entries.map(({ calls }) => Object.keys(calls[version.commit]));
    const inner = (await store.get(callKey("local", version.commit, first[0] ?? "")))?.value;
    expect(inner).toMatchObject({ tool: "inner", parent: result.conversationId, actor: "ada" });
    expect(second).toEqual([result.conversationId]);
  });

  test("passes the other tool's error on, and cannot be used to get around flags", async () => {
    const uses = new Set(["tools.call"] as const);
    const { call } = await setUp({
      outer: { body: "return await ctx.tools.call(input.name, {});", uses },
      bad: { body: "throw ctx.fail('NOT_FOUND', 'no such thing');" },
      writer: { ...INCREMENT },
    });
    const error = async (name: string) => {
      const result = await call("outer", { name });
      return result.ok ? undefined : result.error.name;
    };
    expect(await error("bad")).toBe("NOT_FOUND");
    expect(await error("nothing")).toBe("INVALID_TOOL");
    expect(await error("outer")).toBe("INVALID_TOOL");
    expect(await error("writer")).toBe("FORBIDDEN");
  });

  test("stops tools that call each other in circles", async () => {
    const uses = new Set(["tools.call"] as const);
    const { call } = await setUp({
      ping: { body: "return await ctx.tools.call('pong', {});", uses },
      pong: { body: "return await ctx.tools.call('ping', {});", uses },
    });
    expect(await call("ping")).toMatchObject({
      ok: false,
      error: { name: "FORBIDDEN", message: "Tools that call tools are nested more than 8 deep." },
    });
  });
});

describe("[D8] a handler that misbehaves", () => {
  test.each([
    ["an endless loop", "for (;;);", "CPU_LIMIT"],
    ["an endless asynchronous loop", "for (;;) await null;", "CPU_LIMIT"],
    ["a catastrophic regular expression", "return { r: /^(a+)+$/.test('a'.repeat(50) + 'b') };", "CPU_LIMIT"],
    ["a memory hog", "const all = []; for (;;) all.push(new Array(1000).fill(all.length));", "MEMORY_LIMIT"],
    ["a thrown non-error", "throw 7;", "HANDLER_ERROR"],
    ["a promise that never resolves", "await new Promise(() => {}); return {};", "NEVER_SETTLES"],
    ["a 100 MB result", "return { x: 'x'.repeat(100e6) };", "MEMORY_LIMIT"],
    ["a 10 MB result", "return { x: 'x'.repeat(10e6) };", "RESULT_TOO_LARGE"],
    ["a result that is no object", "return 5;", "OUTPUT_INVALID"],
    ["a result 9,000 levels deep", "let x = {}; for (let n = 0; n < 9000; n++) x = { x }; return x;", "OUTPUT_INVALID"],
  ])("ends only its own call: %s", { timeout: 60_000 }, async (_, body, name) => {
    const { call, output } = await setUp({
      bad: {
        body,
        // On a busy machine it takes a while to use so much memory up.
        limits: { time: 20_000, cpu: name === "MEMORY_LIMIT" ? 10_000 : 300, memory: 32, payload: 1024 * 1024 },
        checkOutput: (value) =>
          typeof value === "object" ? [] : [{ path: "", message: "the value must be an object" }],
      },
      good: { body: "return { fine: true };" },
    });
    const [bad, ...others] = await Promise.all([call("bad"), output("good"), output("good"), output("good")]);
    expect(bad).toMatchObject({ ok: false, error: { name } });
    expect(others).toEqual([{ fine: true }, { fine: true }, { fine: true }]);
    expect(await output("good")).toEqual({ fine: true });
  });
});
