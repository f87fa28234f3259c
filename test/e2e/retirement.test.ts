import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Service } from "../../server/app/app.ts";
import { agentFiles, type AgentTool } from "../helpers/agent.ts";
import { connectMcp } from "../helpers/mcp-client.ts";
import { askModern, sendModern, toToolCall } from "../helpers/modern-mcp.ts";
import { openTestService } from "../helpers/open-service.ts";
import { createRepository, type TestRepository } from "../helpers/repository.ts";
import { type AtEnd, temporaryFolder } from "../helpers/temporary.ts";

const DAY = 24 * 60 * 60_000;
const SUNSET = Date.UTC(2027, 2, 1);
const OK: AgentTool = { handler: "export default () => ({});\n" };
const OLD: AgentTool = {
  handler: "export default () => ({});\n",
  manifest: `deprecated:
  since: 2026-11-01
  sunset: 2027-02-01
  successor: runner.ok
  reason: One is enough.
`,
};
const END = { since: "2026-12-01", sunset: "2027-03-01", successor: "2.0.0", reason: "It knows no wind" };
const NOTICE = { deprecation: "@1796083200", sunset: "Mon, 01 Mar 2027 00:00:00 GMT" };

let repository: TestRepository;
let service: Service;
let data: string;
const ends: (() => unknown)[] = [];
const atEnd: AtEnd = (step) => void ends.push(step);

function toHistory(current: string, labels: string, first: object = {}): Record<string, string> {
  const versions = {
    "1.0.0": { changes: ["First."], ...first },
    ...(current === "1.0.0" ? {} : { "2.0.0": { parent: "1.0.0", changes: ["Second."] } }),
  };
  return { "versions.yaml": `current: ${current}\nlabels: ${labels}\nversions: ${JSON.stringify(versions)}\n` };
}

const open = () =>
  openTestService({ ...process.env, PORT: "0", CAIRN_REPO: repository.path, CAIRN_DATA: data }, repository.path, {
    atEnd,
  });

async function follow(files: Readonly<Record<string, string>>): Promise<void> {
  await repository.commit(files);
  expect(await service.registry.refresh()).toMatchObject({ ok: true });
}

const call = (version: string, tool = "runner.ok") =>
  fetch(`${service.url}/agent/${version}/api/tools/${tool}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
const get = async (path: string) => (await (await fetch(`${service.url}${path}`)).json()) as Record<string, unknown>;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: SUNSET - 40 * DAY });
  ends.push(() => vi.useRealTimers());
  repository = await createRepository(await temporaryFolder(atEnd));
  const files = agentFiles({ version: "1.0.0", tools: { ok: OK, old: OLD } });
  await repository.commit({ ...files, ...toHistory("1.0.0", "{}") });
  await repository.tag("v1.0.0");
  await repository.commit(toHistory("2.0.0", "{ stable: 2.0.0 }"));
  await repository.tag("v2.0.0", "HEAD", { annotated: true });
  data = await temporaryFolder(atEnd);
  service = await open();
  await follow(toHistory("2.0.0", "{ stable: 2.0.0 }", { deprecated: END }));
});

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

describe("a deprecated version", () => {
  test("answers as before, with its end in headers", async () => {
    const answered = await call("1.0.0");
    expect([answered.status, await answered.json()]).toEqual([200, {}]);
    expect(Object.fromEntries(answered.headers)).toMatchObject(NOTICE);
    expect(answered.headers.get("link")).toContain('</agent/2.0.0/api/tools/runner.ok>; rel="successor-version"');
    expect(answered.headers.get("link")).toContain('</versions/1.0.0>; rel="deprecation"');
    const sent = await sendModern(`${service.url}/agent/1.0.0/runner`, toToolCall("runner.ok"));
    expect(Object.fromEntries(sent.headers)).toMatchObject(NOTICE);
    expect(sent.headers.get("link")).toContain('</agent/2.0.0/runner>; rel="successor-version"');
    expect((await call("2.0.0")).headers.has("deprecation")).toBe(false);
  });

  test("is shown as such where versions and tools are listed", async () => {
    expect(await get("/versions")).toMatchObject({
      versions: [
        { version: "2.0.0", tags: ["stable"] },
        { version: "1.0.0", tags: ["deprecated"] },
      ],
    });
    expect(await get("/versions/1.0.0")).toMatchObject({ deprecated: { ...END, retired: false } });
    const { paths } = (await get("/agent/1.0.0/openapi.json")) as { paths: Record<string, { post: object }> };
    expect(paths["/api/tools/runner.ok"]?.post).toMatchObject({ deprecated: true });
    const listed = await askModern(`${service.url}/agent/1.0.0/runner`, { method: "tools/list" });
    expect(listed).toMatchObject({ _meta: { "cairn/deprecated": END } });
  });
});

describe("a deprecated tool", () => {
  test("says so in every listing, and in the headers of its calls", async () => {
    const result = await askModern(`${service.url}/agent/2.0.0/runner`, { method: "tools/list" });
    const { tools } = result as unknown as { tools: { name: string; description: string; _meta: object }[] };
    const old = tools.find(({ name }) => name === "runner.old");
    expect(old?.description).toMatch(/^Deprecated until 2027-02-01; its successor is runner\.ok\. One is enough\.\n\n/);
    expect(old?._meta).toMatchObject({ "cairn/deprecated": { successor: "runner.ok" } });
    const { paths } = (await get("/agent/2.0.0/openapi.json")) as { paths: Record<string, { post: object }> };
    expect(paths["/api/tools/runner.old"]?.post).toMatchObject({ deprecated: true });
    expect(paths["/api/tools/runner.ok"]?.post).not.toHaveProperty("deprecated");
    expect((await get("/api/mcp/tools"))["tools"]).toContainEqual(
      expect.objectContaining({ name: "runner.old", deprecated: expect.objectContaining({ sunset: "2027-02-01" }) }),
    );
    expect((await call("2.0.0", "runner.old")).headers.get("sunset")).toBe("Mon, 01 Feb 2027 00:00:00 GMT");
  });

  test("is refused from its end on, with its successor", async () => {
    vi.setSystemTime(SUNSET - 10 * DAY);
    const refused = await call("2.0.0", "runner.old");
    expect([refused.status, await refused.json()]).toMatchObject([
      410,
      { name: "TOOL_RETIRED", details: { successor: "runner.ok" } },
    ]);
    expect((await call("2.0.0")).status).toBe(200);
  });
});

describe("a retired version", () => {
  test("refuses calls from the moment of its end on, and can still be read", async () => {
    const [client, pinned] = [
      await connectMcp(`${service.url}/agent/1.0.0/runner`),
      `${service.url}/agent/1.0.0/runner`,
    ];
    vi.setSystemTime(SUNSET - 1);
    expect((await call("1.0.0")).status).toBe(200);
    expect(await client.callTool({ name: "runner.ok", arguments: {} })).not.toHaveProperty("isError");

    vi.setSystemTime(SUNSET);
    const refused = await call("1.0.0");
    expect(refused.status).toBe(410);
    expect(await refused.json()).toMatchObject({
      name: "VERSION_RETIRED",
      detail: "Version 1.0.0 is retired since 2027-03-01: It knows no wind. Use 2.0.0, at `/agent/2.0.0`.",
      details: { version: "1.0.0", successor: "2.0.0", sunset: "2027-03-01" },
    });
    expect(refused.headers.get("link")).toContain('rel="successor-version"');
    const told = await client.callTool({ name: "runner.ok", arguments: {} });
    expect(told).toMatchObject({ isError: true, _meta: { "cairn/error": { name: "VERSION_RETIRED" } } });
    expect(JSON.stringify(told.content)).toContain("Use 2.0.0");
    expect(await askModern(pinned, toToolCall("runner.ok"))).toMatchObject({ isError: true });
    const chat = await fetch(`${service.url}/agent/1.0.0/architect/chat`, { method: "POST", body: "{}" });
    expect([chat.status, chat.headers.get("sunset")]).toEqual([410, NOTICE.sunset]);

    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("runner.ok");
    const { contents } = await client.readResource({ uri: "logs://recent" });
    expect(contents).toHaveLength(1);
    expect(await get("/versions/1.0.0")).toMatchObject({
      state: "served",
      deprecated: { retired: true },
      tags: ["retired"],
    });
    expect((await fetch(`${service.url}/agent/1.0.0/openapi.json`)).status).toBe(200);
  });

  test("is passed over by ranges that another version fits", async () => {
    expect((await call(">=1.0.0")).headers.get("cairn-version")).toBe("2.0.0");
    expect((await call("^1.0.0")).status).toBe(410);
    const commit = await repository.git("rev-parse", "v1.0.0^{commit}");
    expect((await call(commit)).status).toBe(410);
  });

  test("goes on while a label leads to it, which is a warning", async () => {
    const commit = await repository.git("rev-parse", "v1.0.0^{commit}");
    await follow(toHistory("2.0.0", `{ stable: 2.0.0, old: ${commit} }`, { deprecated: END }));
    expect((await call("1.0.0")).status).toBe(200);
    expect(service.registry.status().labelProblems.map(({ message }) => message)).toEqual([
      "1.0.0 goes on past the end of its service, because the label `old` leads to it.",
    ]);
    await follow(toHistory("2.0.0", "{ stable: 2.0.0 }", { deprecated: END }));
    expect((await call("1.0.0")).status).toBe(410);
  });

  test("stays retired while versions.yaml of the default branch cannot be read, across restarts", async () => {
    await follow({ "versions.yaml": "current: 2.0.0\nlabels: [\n" });
    const check = async () => [(await call("1.0.0")).status, (await call("stable")).status];
    expect(await check()).toEqual([410, 200]);
    await service.close();
    service = await open();
    expect(await check()).toEqual([410, 200]);
    await follow(toHistory("2.0.0", "{ stable: 1.0.0 }", { deprecated: END }));
    expect(service.registry.status().labelProblems.map(({ rule }) => rule)).toEqual(["label-retired"]);
    expect((await call("stable")).headers.get("cairn-version")).toBe("2.0.0");
  });

  test("is served again once the default branch says so", async () => {
    await follow(toHistory("2.0.0", "{ stable: 2.0.0 }"));
    const answered = await call("1.0.0");
    expect([answered.status, answered.headers.has("sunset")]).toEqual([200, false]);
  });
});

describe("a tag that was deleted upstream", () => {
  test("raises no alarm once versions.yaml says so, and its version is served as before", async () => {
    await repository.git("tag", "--delete", "v1.0.0");
    await service.registry.refresh();
    expect([...service.registry.status().alarms.keys()]).toEqual(["v1.0.0"]);
    const tag = { state: "deleted", reason: "Tagged on the wrong commit." };
    await follow(toHistory("2.0.0", "{ stable: 2.0.0 }", { tag }));
    expect(service.registry.status().alarms.size).toBe(0);
    expect((await get("/versions/1.0.0"))["alarms"]).toEqual([]);
    expect((await call("1.0.0")).status).toBe(200);
    await follow(toHistory("2.0.0", "{ stable: 2.0.0 }", { tag, deprecated: END }));
    expect((await call("1.0.0")).status).toBe(410);
  });
});
