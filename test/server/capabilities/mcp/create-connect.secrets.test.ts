import { describe, expect, onTestFinished, test } from "vitest";
import type { Credential } from "../../../../server/capabilities/fetch/carry-secrets.ts";
import { openFetcher } from "../../../../server/capabilities/fetch/open-fetcher.ts";
import { createConnect } from "../../../../server/capabilities/mcp/create-connect.ts";
import { openUpstreams } from "../../../../server/capabilities/mcp/open-upstreams.ts";
import { CairnError } from "../../../../server/errors.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";
import { LEAKS, openKeyedMcp, toEchoes } from "../../../stand-ins/keyed-mcp.ts";
import { createUpstream } from "./stand-in.ts";

const KEY = "kEy-0123456789/abc+def";
const OTHER = "oTh-0123456789/abc+def";
const DEFINITION = {
  description: "Says who asks.",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
  annotations: { readOnlyHint: true },
};
const BEARER = { name: "FILES", of: "service", header: "Authorization", format: "Bearer {}" } as const;
const HOST = "files.example";

/** Calls of an upstream over HTTP that demands a key, and all that anyone gets to see of them. */
async function setUp(more: { readonly mapTo?: string; readonly secret?: Omit<Credential, "value"> } = {}) {
  const server = await openKeyedMcp({ [KEY]: LEAKS, [OTHER]: LEAKS });
  const secret = more.secret ?? BEARER;
  const { name, of, header = "", format } = secret;
  const upstream = createUpstream(Object.fromEntries(LEAKS.map((tool) => [tool, DEFINITION])), {
    secrets: [{ name, of, header, format }],
  });
  const fetcher = openFetcher({ egressMap: new Map([[HOST, more.mapTo ?? server.origin]]) });
  const upstreams = openUpstreams({ connect: createConnect({ fetcher }), now: Date.now });
  onTestFinished(async () => {
    await upstreams.close();
    await fetcher.close();
  });
  const version = createTestVersion({ upstreams: [upstream] });
  const call = async (tool: string, values: readonly string[] = [KEY], actor = "ada") => {
    const progress: unknown[] = [];
    const answer = await upstreams
      .call({
        version,
        upstream,
        tool,
        input: { path: "a" },
        caller: { tenant: "acme", actor },
        credentials: values.map((value) => ({ ...secret, value })),
        onProgress: (report) => progress.push(report),
        patienceMs: 5_000,
        signal: new AbortController().signal,
      })
      .catch((error: unknown) => {
        if (!(error instanceof CairnError)) throw error;
        const { message, details, cause } = error;
        return { error: error.name, message, ...(details === undefined ? {} : { details }), cause };
      });
    return { answer, progress };
  };
  return { server, call };
}

describe("[D12] a secret that requests to an upstream carry", () => {
  test("goes with each of them, in its header and format, and to its host", async () => {
    const { server, call } = await setUp();
    expect((await call("whoami")).answer).toEqual({ content: [{ type: "text", text: "whoami for kEy" }] });
    expect(server.arrived.map(({ method, key }) => [method, key])).toEqual(
      ["initialize", "notifications/initialized", "tools/list", "tools/call"].map((method) => [method, KEY]),
    );
    const other = await setUp({ secret: { ...BEARER, header: "X-Api-Key", format: "Token {}" } });
    expect((await other.call("whoami")).answer).toMatchObject({ content: [{ text: "whoami for kEy" }] });
  });

  test("is taken at the next call when it is rotated, with a session of its own", async () => {
    const { server, call } = await setUp();
    await call("whoami");
    expect((await call("whoami", [OTHER])).answer).toMatchObject({ content: [{ text: "whoami for oTh" }] });
    const sessions = new Map(server.arrived.map(({ session, key }) => [session, key]));
    sessions.delete(undefined);
    expect([...sessions.values()].toSorted()).toEqual([KEY, OTHER]);
  });

  test.each(LEAKS.slice(1))("is masked in whatever comes back: %s", async (tool) => {
    const { call } = await setUp();
    const seen = JSON.stringify(await call(tool));
    expect(seen).toContain("[redacted]");
    for (const echo of [...toEchoes(KEY), "kEy-"]) expect(seen).not.toContain(echo);
  });

  test("is not sent on to where the server redirects", async () => {
    const { server, call } = await setUp();
    const elsewhere = await openKeyedMcp({});
    expect((await call("redirect")).answer).toMatchObject({
      error: "UPSTREAM_ERROR",
      message:
        "https://files.example/mcp redirects to https://elsewhere.example/[redacted]; name that address yourself.",
      cause: undefined,
    });
    expect([elsewhere.arrived, server.arrived.at(-1)?.method]).toEqual([[], "tools/call"]);
  });

  test("is named, and not shown, where the server refuses it or wants one", async () => {
    const { call } = await setUp({ secret: { ...BEARER, of: "caller" } });
    expect((await call("whoami", ["bad-0123456789"])).answer).toMatchObject({
      error: "UPSTREAM_ERROR",
      message:
        "https://files.example/mcp refuses us (401): it was sent the secret `FILES` of the caller; `cairn secret set FILES` sets another.",
    });
    expect((await call("whoami", [])).answer).toMatchObject({
      message:
        "https://files.example/mcp refuses us (401): it wants the secret `FILES` of the caller, which is not set here.",
    });
  });

  test("drifts nothing where it is a word of a tool's description", async () => {
    const { server, call } = await setUp();
    server.keys.set("Says who", LEAKS);
    expect((await call("whoami", ["Says who"])).answer).toEqual({
      content: [{ type: "text", text: "whoami for Say" }],
    });
  });

  test("does not leave this machine without https", async () => {
    const { call } = await setUp({ mapTo: "http://files.internal" });
    expect((await call("whoami")).answer).toMatchObject({
      error: "EGRESS_DENIED",
      message: expect.stringContaining("is mapped to an address without https, and the secret `FILES` goes there only"),
    });
  });
});
