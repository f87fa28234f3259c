import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Credential } from "../../../../server/capabilities/fetch/carry-secrets.ts";
import { type DriftReport, openUpstreams } from "../../../../server/capabilities/mcp/open-upstreams.ts";
import { CairnError } from "../../../../server/errors.ts";
import type { Definition } from "../../../../server/semver/surfaces/surface.ts";
import type { SecretOwner } from "../../../../server/versions/secret.ts";
import type { Upstream } from "../../../../server/versions/upstream.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";
import { createMemoryServer, createUpstream, LIST, READ } from "./stand-in.ts";

const TOOLS = { read_file: READ, list_files: LIST };

function setUp(more: Partial<Upstream> = {}) {
  const server = createMemoryServer(TOOLS);
  const clock = { at: 0 };
  const reports: DriftReport[] = [];
  const upstream = createUpstream(TOOLS, more);
  const version = createTestVersion({ upstreams: [upstream] });
  const upstreams = openUpstreams({
    connect: server.connect,
    now: () => clock.at,
    onDrift: (report) => reports.push(report),
  });
  onTestFinished(() => upstreams.close());
  const call = (tool: string, given: Partial<Parameters<typeof upstreams.call>[0]> = {}) =>
    upstreams
      .call({
        version,
        upstream,
        tool,
        input: { path: "a" },
        caller: { tenant: "acme", actor: "ada" },
        credentials: [],
        patienceMs: 2_000,
        signal: new AbortController().signal,
        ...given,
      })
      .catch((error: unknown) => (error instanceof CairnError ? `${error.name}: ${error.message}` : error));
  return { server, clock, reports, upstreams, call };
}

const OK = { content: [{ type: "text", text: "hi" }], structuredContent: { text: "hi" } };

describe("calls of an upstream", () => {
  test("share one connection of a tenant, which opens with the first", async () => {
    const { server, call } = setUp();
    expect(server.open).toBe(0);
    expect(await Promise.all([call("read_file"), call("read_file")])).toEqual([OK, OK]);
    expect(server.asked).toEqual(["1 initialize", "1 tools/list", "1 tools/call", "1 tools/call"]);
    await call("read_file", { caller: { tenant: "other", actor: "ada" } });
    expect(server.open).toBe(2);
  });

  test("pass progress on, of their own call alone", async () => {
    const { server, call } = setUp();
    const seen: unknown[] = [];
    server.onCall = async ({ _meta }, options) => {
      const { progressToken } = _meta as { progressToken: number };
      options?.onNotification?.("notifications/progress", { progressToken, progress: 1, total: 2, message: "half" });
      options?.onNotification?.("notifications/progress", { progressToken: "another", progress: 9 });
      return { result: OK };
    };
    await call("read_file", { onProgress: (report) => seen.push(report) });
    expect(seen).toEqual([{ progress: 1, total: 2, message: "half" }]);
  });

  test("end in time, and begin anew when the server has forgotten its session", async () => {
    const { server, call } = setUp();
    server.onCall = (_params, options) =>
      new Promise((_, reject) =>
        options?.signal?.addEventListener("abort", () => reject(new CairnError("CANCELLED", "given up"))),
      );
    expect(await call("read_file", { patienceMs: 20 })).toBe(
      "UPSTREAM_TIMEOUT: The upstream `files` did not answer within 20 ms.",
    );
    let isFirst = true;
    server.onCall = async () => {
      if (isFirst) {
        isFirst = false;
        throw new CairnError("SESSION_NOT_FOUND", "forgotten");
      }
      return { result: OK };
    };
    expect(await call("read_file")).toEqual(OK);
    expect(server.asked.filter((one) => one.endsWith("initialize"))).toEqual(["1 initialize", "2 initialize"]);
  });

  test("say what the server refuses", async () => {
    const { server, call } = setUp();
    server.onCall = async () => ({ error: { code: -32603, message: "out of order" } });
    expect(await call("read_file")).toBe("UPSTREAM_ERROR: `files` refuses the call of `read_file`: out of order");
  });
});

const secretOf = (of: SecretOwner, value: string): Credential => {
  return { name: "FILES", of, header: "Authorization", format: "Bearer {}", value };
};
const as = (of: SecretOwner, actor: string, value: string, tenant = "acme") => {
  return { caller: { tenant, actor }, credentials: [secretOf(of, value)] };
};
const withSecret = (of: SecretOwner) =>
  setUp({ secrets: [{ name: "FILES", of, header: "Authorization", format: "Bearer {}" }] });

describe("calls of an upstream with secrets", () => {
  test.each([
    ["service", 2],
    ["tenant", 2],
    ["caller", 3],
  ] as const)("share a connection no further than the %s", async (of, count) => {
    const { server, call } = withSecret(of);
    for (const [actor, tenant] of [["ada"], ["bob"], ["ada", "other"], ["ada"]] as const)
      expect(await call("read_file", as(of, actor, "key", tenant))).toEqual(OK);
    expect([server.open, server.credentials.length]).toEqual([count, count]);
  });

  test("begin anew with a rotated secret, and those that run end with the one they began with", async () => {
    const { server, call } = withSecret("service");
    const slow = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    server.onCall = async () => {
      begun.resolve();
      await slow.promise;
      return { result: OK };
    };
    const first = call("read_file", as("service", "ada", "old"));
    await begun.promise;
    server.onCall = async () => ({ result: OK });
    expect(await call("read_file", as("service", "ada", "new"))).toEqual(OK);
    expect(server.open).toBe(2);
    slow.resolve();
    expect(await first).toEqual(OK);
    await vi.waitFor(() => expect(server.open).toBe(1));
    expect(server.credentials.flat().map(({ value }) => value)).toEqual(["old", "new"]);
  });

  test("are refused where the server lists a caller less, and that is no alarm for others", async () => {
    const { server, call, upstreams } = withSecret("caller");
    server.toolsFor = ([one]) => (one?.value === "guest" ? { list_files: LIST } : TOOLS);
    expect(await call("read_file", as("caller", "eve", "guest"))).toBe(
      "UPSTREAM_DRIFTED: The upstream `files` does not list `read_file` with the secrets of this caller, so it is not called: they do not allow it, or the upstream has changed since this version was made.",
    );
    expect(await call("list_files", as("caller", "eve", "guest"))).toEqual(OK);
    expect(await call("read_file", as("caller", "ada", "member"))).toEqual(OK);
    expect(upstreams.reports()).toEqual([]);
  });

  test("raise an alarm each for its own caller, which no other caller ends", async () => {
    const { server, call, clock, reports, upstreams } = withSecret("caller");
    const changed = { ...TOOLS, read_file: { ...READ, annotations: {} } };
    server.toolsFor = ([one]) => (one?.value === "new" ? changed : TOOLS);
    for (const [actor, tenant] of [["ada"], ["ada", "other"]] as const)
      expect(await call("read_file", as("caller", actor, "new", tenant))).toMatch(/^UPSTREAM_DRIFTED: .* has changed/);
    expect(await call("read_file", as("caller", "bob", "old"))).toEqual(OK);
    const drifts = [expect.objectContaining({ tool: "read_file", kind: "changed" })];
    expect(upstreams.reports()).toEqual([{ version: "1.0.0", commit: "c".repeat(40), upstream: "files", drifts }]);
    expect(reports.map((report) => [report.tenant, report.drifts.length])).toEqual([
      ["acme", 1],
      ["other", 1],
    ]);
    server.toolsFor = () => TOOLS;
    clock.at = 30_000;
    expect(await call("read_file", as("caller", "ada", "new"))).toEqual(OK);
    expect(upstreams.reports()).toHaveLength(1);
    expect(await call("read_file", as("caller", "ada", "new", "other"))).toEqual(OK);
    expect(upstreams.reports()).toEqual([]);
  });
});

const DRIFTS: readonly [string, Definition | undefined, string, string][] = [
  ["a tool that is gone", undefined, "missing", "The tool `read_file` is not there any more."],
  [
    "a narrower input",
    { ...READ, inputSchema: { ...(READ["inputSchema"] as object), required: ["path", "encoding"] } },
    "changed",
    "`read_file`",
  ],
  [
    "another output",
    { ...READ, outputSchema: { type: "object", properties: { text: { type: "number" } } } },
    "changed",
    "`read_file`",
  ],
  [
    "other words",
    { ...READ, description: "Reads a file, and sends it along." },
    "reworded",
    "has another title, description or other text",
  ],
];

describe("an upstream that drifts", () => {
  test.each(DRIFTS)("is an alarm, and no answer: %s", async (_title, now, kind, says) => {
    const { server, call, reports, upstreams } = setUp();
    expect(await call("read_file")).toEqual(OK);
    server.tools = { list_files: LIST, ...(now === undefined ? {} : { read_file: now }) };
    server.notify("notifications/tools/list_changed", {});
    expect(await call("read_file")).toMatch(/^UPSTREAM_DRIFTED: The upstream `files` has changed since/);
    expect(await call("read_file")).toContain(says);
    expect(await call("list_files")).toEqual(OK);
    expect(reports.map(({ upstream, drifts }) => [upstream, drifts.map((drift) => [drift.tool, drift.kind])])).toEqual([
      ["files", [["read_file", kind]]],
    ]);
    expect(upstreams.reports()).toHaveLength(1);
    server.tools = TOOLS;
    server.notify("notifications/tools/list_changed", {});
    expect(await call("read_file")).toEqual(OK);
    expect([reports.length, reports[1]?.drifts, upstreams.reports()]).toEqual([2, [], []]);
  });

  test("goes on answering where other words are served, with the alarm", async () => {
    const { server, call, reports } = setUp({ servesReworded: true });
    server.tools = { ...TOOLS, read_file: { ...READ, description: "Reads one file." } };
    expect(await call("read_file")).toEqual(OK);
    expect(reports.map(({ drifts }) => drifts.map(({ kind }) => kind))).toEqual([["reworded"]]);
  });

  test("is noticed without a word half a minute later, during a call, and when it denies a tool", async () => {
    const { server, clock, call } = setUp();
    await call("read_file");
    const changed = { ...TOOLS, read_file: { ...READ, annotations: {} } };
    server.tools = changed;
    clock.at = 30_000;
    expect(await call("read_file")).toMatch(/^UPSTREAM_DRIFTED/);
    server.tools = TOOLS;
    clock.at = 60_000;
    server.onCall = async (_params, options) => {
      server.tools = changed;
      options?.onNotification?.("notifications/tools/list_changed", {});
      return { result: OK };
    };
    expect(await call("read_file")).toMatch(/^UPSTREAM_DRIFTED/);
    server.tools = TOOLS;
    clock.at = 90_000;
    server.onCall = async () => {
      server.tools = { list_files: LIST };
      return {
        result: { isError: true, content: [{ type: "text", text: "MCP error -32602: Tool read_file not found" }] },
      };
    };
    expect(await call("read_file")).toMatch(/^UPSTREAM_DRIFTED.*not there any more/);
  });
});
