import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { askModern, sendModern } from "../helpers/modern-mcp.ts";
import { createRepository } from "../helpers/repository.ts";
import { startOtlp } from "../stand-ins/otlp.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

const OK = "export default () => ({});\n";
/** Credentials of several forms, in pieces, so that nobody's scanner takes this file for a leak. */
const SECRETS = {
  bearer: `Bearer ${"q1W2e3R4".repeat(4)}`,
  github: `ghp_${"a1B2c3D4e5".repeat(4)}`,
  own: `cairn_pat_${"Zx9Yw8Vu7T".repeat(3)}`,
  jwt: `eyJhbGciOiJIUzI1NiJ9.${"eyJzdWIiOiIxIn0"}.${"c2lnbmF0dXJl"}`,
  pem: `-----BEGIN ${"PRIVATE KEY"}-----\nTUlJRXZRSUJBREFOQmdrcWg=\n-----END ${"PRIVATE KEY"}-----`,
  url: "https://someone:hunter2pass@upstream.example/x",
};
const NEEDLES = [
  "q1W2e3R4",
  "a1B2c3D4e5",
  "Zx9Yw8Vu7T",
  "c2lnbmF0dXJl",
  "TUlJRXZRSUJB",
  "hunter2pass",
  "patient-4711",
  "model-key-value",
];
const REDACTED = "patient-4711";

const LEAKY = {
  handler: `export default async (input, ctx) => {
    const secrets = ${JSON.stringify(SECRETS)};
    const all = Object.values(secrets).join(" ") + " " + input.patient;
    ctx.log.error("failed with " + all, { secrets, authorization: all, nested: [input.patient] });
    if (input.how === "fail") throw ctx.fail("UPSTREAM_ERROR", "upstream said " + all, { secrets, patient: input.patient });
    if (input.how === "throw") throw new Error(all);
    if (input.how === "output") return { n: input.patient };
    return { n: 1, undeclared: all, inner: { open: 1, m: 1 } };
  };\n`,
  manifest: `input: { type: object, properties: { how: { type: string }, patient: { type: string, maxLength: 20 } } }
output: { type: object, properties: { n: { type: integer }, inner: { type: object } } }
redact: [/patient, /n]`,
};

/** Asks the upstream and waits for it. */
const WAIT = {
  handler: `export default async (_, ctx) => {
    await ctx.fetch("https://held.example/");
    return {};
  };\n`,
  manifest: "uses: [fetch]\negress: [held.example]",
};

async function serve(
  tools: Parameters<typeof agentFiles>[0]["tools"],
  environment: Record<string, string> = {},
  data?: string,
): Promise<RunningCairn> {
  const repository = await createRepository();
  const policy = "egress: [held.example]\n";
  const files = { "manifests/policies/hosts.yaml": policy };
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools, files }));
  return startCairn(["serve", repository.path, "--data", data ?? (await temporaryFolder())], environment);
}

function call(url: string, tool: string, body: object = {}, headers: Record<string, string> = {}) {
  return fetch(`${url}/agent/1.0.0/api/tools/runner.${tool}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

const readMetrics = async (url: string) => (await fetch(`${url}/metrics`)).text();

/** An upstream that answers nobody until it is told to. */
async function holdUpstream() {
  const waiting: (() => void)[] = [];
  const server = createServer((_, response) => void waiting.push(() => response.end("{}"))).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return {
    map: `held.example=http://127.0.0.1:${port}`,
    waiting,
    release: () => waiting.splice(0).forEach((answer) => answer()),
  };
}

describe("health and metrics", () => {
  test(
    "say that the service is alive and ready, how each part is, and what was called",
    { timeout: 60_000 },
    async () => {
      const { url } = await serve({ ok: { handler: OK }, leaky: LEAKY });
      const alive = await fetch(`${url}/healthz`);
      expect([alive.status, alive.headers.get("content-type"), await alive.json()]).toEqual([
        200,
        "application/health+json",
        { status: "pass" },
      ]);
      await call(url, "ok");
      const failed = { method: "tools/call", params: { name: "runner.leaky", arguments: { how: "fail" } } };
      expect(await askModern(`${url}/agent/1.0.0/runner`, failed)).toMatchObject({ isError: true });

      const ready = await fetch(`${url}/readyz`);
      expect([ready.status, await ready.json()]).toMatchObject([
        200,
        {
          status: "pass",
          checks: {
            "store:trial": { status: "pass" },
            "repository:age": { status: "pass", observedUnit: "s" },
            "versions:states": { observedValue: { served: 1, quarantined: [] } },
            "sandbox:processes": { status: "pass" },
          },
        },
      ]);

      const metrics = await readMetrics(url);
      const labels = 'server="runner",tool="runner.ok",version="1.0.0"';
      expect(metrics).toContain(`cairn_tool_calls_total{${labels},outcome="ok"} 1`);
      // The failed call was a 200 to HTTP.
      expect(metrics).toMatch(
        /cairn_tool_calls_total\{server="runner",tool="runner.leaky",.*outcome="(?!ok)[A-Z_]+"\} 1/,
      );
      expect(metrics).toContain('cairn_http_requests_total{route="mcp",status="200"} 1');
      expect(metrics).toContain('cairn_versions{state="served"} 1');
      expect(metrics).toMatch(/cairn_git_syncs_total\{result="ok"\} [1-9]/);
      expect(metrics).toMatch(/cairn_store_commit_duration_seconds_count [1-9]/);
    },
  );

  test("metrics without a token are 401 with a challenge, and health needs none", async () => {
    const { url } = await serve({ ok: { handler: OK } }, { CAIRN_AUTH: "tokens" });
    const { status, headers } = await fetch(`${url}/metrics`);
    expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect((await fetch(`${url}/metrics`, { headers: { authorization: "Bearer wrong" } })).status).toBe(403);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test("a page whose name was rebound learns no more than that it is ready, and no metrics", async () => {
    const { url } = await serve({ ok: { handler: OK } });
    const headers = { origin: "https://evil.example" };
    expect((await fetch(`${url}/metrics`, { headers })).status).toBe(403);
    const body = (await (await fetch(`${url}/readyz`, { headers })).json()) as { checks: object };
    expect(JSON.stringify(body.checks)).not.toContain("observedValue");
  });
});

test(
  "a request keeps the id that it came with, or gets one, and the log tells its calls",
  { timeout: 60_000 },
  async () => {
    const cairn = await serve({ ok: { handler: OK } }, { CAIRN_LOG_LEVEL: "debug" });
    const traceparent = `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`;
    const kept = await call(cairn.url, "ok", {}, { "x-request-id": "mine-1", traceparent });
    expect(kept.headers.get("x-request-id")).toBe("mine-1");
    const made = await call(cairn.url, "ok", {}, { "x-request-id": "not well formed" });
    expect(made.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    await eventually(() => expect(cairn.output()).toContain('"request":"mine-1"'));
    const line =
      cairn
        .output()
        .split("\n")
        .find((text) => text.includes("mine-1")) ?? "";
    expect(JSON.parse(line)).toMatchObject({
      level: "debug",
      tenant: "local",
      tool: "runner.ok",
      version: "1.0.0",
      conversation: kept.headers.get("cairn-conversation-id"),
      trace: "ab".repeat(16),
      outcome: "ok",
    });
  },
);

test("an SDK that is loaded before Cairn gets a span for each call", { timeout: 60_000 }, async () => {
  const cairn = await serve(
    { ok: { handler: OK } },
    { NODE_OPTIONS: `--import ${resolve("test/fixtures/tracing.mjs")}` },
  );
  const trace = "ab".repeat(16);
  const meta = { traceparent: `00-${trace}-${"cd".repeat(8)}-01` };
  const asked = { method: "tools/call", params: { name: "runner.ok", arguments: {} }, meta };
  expect(await askModern(`${cairn.url}/agent/1.0.0/runner`, asked)).not.toHaveProperty("isError");
  await eventually(() => expect(cairn.output()).toContain(`span ${trace} ${"cd".repeat(8)} tools/call runner.ok`));
});

describe("an endpoint of OTLP alone", () => {
  const meta = { traceparent: `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01` };
  const asked = { method: "tools/call", params: { name: "runner.ok", arguments: {} }, meta };

  test("gets a span for each call, also the last ones of a service that ends", { timeout: 60_000 }, async () => {
    const receiver = await startOtlp(onTestFinished, { authorization: "Bearer abc" });
    const cairn = await serve(
      { ok: { handler: OK } },
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_HEADERS: "env:KEYS",
        KEYS: "Authorization=Bearer%20abc",
      },
    );
    await askModern(`${cairn.url}/agent/1.0.0/runner`, asked);
    await eventually(() => expect(receiver.spans).toHaveLength(1));
    expect(receiver.spans[0]).toMatchObject({
      traceId: "ab".repeat(16),
      parentSpanId: "cd".repeat(8),
      name: "tools/call runner.ok",
      kind: 2,
      attributes: expect.arrayContaining([{ key: "cairn.version", value: { stringValue: "1.0.0" } }]),
    });
    await askModern(`${cairn.url}/agent/1.0.0/runner`, asked);
    expect(await cairn.stop()).toBe(0);
    expect([receiver.spans.length, receiver.faults]).toEqual([2, []]);
  });

  test(
    "that is silent costs no call anything, is logged once, and lets the service end",
    { timeout: 60_000 },
    async () => {
      const receiver = await startOtlp(onTestFinished);
      receiver.mode = "silent";
      const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_TIMEOUT: "300" };
      const cairn = await serve({ ok: { handler: OK } }, environment);
      const statuses = async (count: number) =>
        (await Promise.all(Array.from({ length: count }, () => call(cairn.url, "ok")))).map(({ status }) => status);
      expect(new Set(await statuses(100))).toEqual(new Set([200]));
      await eventually(() => expect(cairn.output()).toContain("traces cannot be exported"));
      expect(new Set(await statuses(100))).toEqual(new Set([200]));
      await eventually(() => expect(receiver.requests).toBeGreaterThan(1));
      expect(await cairn.stop()).toBe(0);
      expect(cairn.output().split("traces cannot be exported")).toHaveLength(2);
    },
  );
});

describe("asked to end, the service", () => {
  test("answers the calls that have begun, keeps their records, and takes no more", { timeout: 60_000 }, async () => {
    const upstream = await holdUpstream();
    const data = await temporaryFolder();
    const repository = await createRepository();
    const files = { "manifests/policies/hosts.yaml": "egress: [held.example]\n" };
    await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: { wait: WAIT }, files }));
    const start = () => startCairn(["serve", repository.path, "--data", data], { CAIRN_EGRESS_MAP: upstream.map });
    const cairn = await start();
    const calls = Array.from({ length: 5 }, () => call(cairn.url, "wait"));
    await eventually(() => expect(upstream.waiting).toHaveLength(5));
    const ended = cairn.stop();
    await eventually(async () => expect((await fetch(`${cairn.url}/readyz`)).status).toBe(503));
    const refused = await call(cairn.url, "wait");
    expect([refused.status, refused.headers.get("retry-after"), refused.headers.get("connection")]).toEqual([
      503,
      "5",
      "close",
    ]);
    expect((await fetch(`${cairn.url}/healthz`)).status).toBe(200);
    upstream.release();
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await ended).toBe(0);
    await expect(fetch(`${cairn.url}/healthz`)).rejects.toThrow("fetch failed");

    const again = await start();
    const read = { method: "resources/read", params: { uri: "logs://recent" } };
    const result = await askModern(`${again.url}/agent/1.0.0/runner`, read);
    for (const { headers } of answers) {
      expect(JSON.stringify(result)).toContain(headers.get("cairn-conversation-id"));
    }
  });

  test("waits no longer than its grace, and then answers what still runs with 503", { timeout: 60_000 }, async () => {
    const upstream = await holdUpstream();
    const cairn = await serve({ wait: WAIT }, { CAIRN_EGRESS_MAP: upstream.map, CAIRN_DRAIN_GRACE: "0" });
    const running = call(cairn.url, "wait");
    await eventually(() => expect(upstream.waiting).toHaveLength(1));
    const ended = cairn.stop();
    expect((await running).status).toBe(503);
    expect(await ended).toBe(0);
  });

  test("ends at once when it is asked twice", { timeout: 60_000 }, async () => {
    const upstream = await holdUpstream();
    const cairn = await serve({ wait: WAIT }, { CAIRN_EGRESS_MAP: upstream.map });
    const running = call(cairn.url, "wait").catch(() => "lost");
    await eventually(() => expect(upstream.waiting).toHaveLength(1));
    const ended = cairn.stop();
    await eventually(async () => expect((await fetch(`${cairn.url}/readyz`)).status).toBe(503));
    await cairn.stop("SIGINT");
    expect(await ended).toBe(130);
    expect(await running).toBe("lost");
  });
});

test("no secret reaches anything that a client can read, nor the log", { timeout: 60_000 }, async () => {
  const model = { CAIRN_MODEL_URL: "http://127.0.0.1:1/v1", CAIRN_MODEL_NAME: "m", CAIRN_MODEL_KEY: "model-key-value" };
  const cairn = await serve({ leaky: LEAKY }, { ...model, CAIRN_LOG_LEVEL: "trace", HOME_TOKEN: SECRETS.github });
  const { url } = cairn;
  const mcp = `${url}/agent/1.0.0/runner`;
  const seen: string[] = [];
  for (const how of ["return", "fail", "throw", "output"]) {
    const input = { how, patient: REDACTED };
    const answer = await call(url, "leaky", input);
    seen.push(await answer.text(), JSON.stringify([...answer.headers]));
    const meta = { "io.modelcontextprotocol/logLevel": "debug", progressToken: 1 };
    const asked = { method: "tools/call", params: { name: "runner.leaky", arguments: input }, meta };
    const sent = await sendModern(mcp, asked);
    seen.push(JSON.stringify(await sent.rest()));
    const logs = `logs://${answer.headers.get("cairn-conversation-id")}`;
    seen.push(JSON.stringify(await askModern(mcp, { method: "resources/read", params: { uri: logs } })));
  }
  expect(JSON.parse(seen[0] ?? "")).toEqual({ n: 1, inner: { open: 1, m: 1 } });
  // What is wrong with an input names what is there.
  const wrong = await call(url, "leaky", { patient: `${REDACTED}-${SECRETS.own}` });
  seen.push(await wrong.text());
  for (const uri of ["logs://recent", "session://index", "state://active", "state://assets"]) {
    seen.push(JSON.stringify(await askModern(mcp, { method: "resources/read", params: { uri } })));
  }
  for (const path of ["/metrics", "/readyz", "/healthz", "/versions", `/agent/${encodeURIComponent(SECRETS.own)}`]) {
    seen.push(await (await fetch(`${url}${path}`)).text());
  }
  await cairn.stop();
  seen.push(cairn.output());
  const all = seen.join("\n");
  expect(NEEDLES.filter((needle) => all.includes(needle))).toEqual([]);
  // There was something to be masked, everywhere.
  expect(seen.filter((text) => text.includes("[redacted]")).length).toBeGreaterThan(10);
  expect(all).not.toContain("undeclared");
});
