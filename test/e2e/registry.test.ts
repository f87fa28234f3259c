import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { startCairn } from "../helpers/cairn.ts";
import { createRepository } from "../helpers/repository.ts";
import { expectSchema } from "../helpers/schemas.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const toEcho = (version: string) => ({
  version,
  handler: `export default ({ text }) => ({ text: \`\${text} by ${version}\` });\n`,
  manifest: `input:
  type: object
  required: [text]
  properties: { text: { type: string, maxLength: 20 } }
  additionalProperties: false
output: { type: object, required: [text], properties: { text: { type: string } } }`,
});

const FAILING = { handler: 'export default () => { throw new Error("no basket"); };\n' };
const BUSY = { handler: 'export default (input, ctx) => { throw ctx.fail("UPSTREAM_ERROR", "It is away."); };\n' };
const LARGE = { handler: "export default () => ({});\n", manifest: "limits: { payload: 10 }" };

interface Definition {
  readonly name: string;
  readonly version: string;
  readonly servedBy: object;
}

const shared = createShared();
let service: ReturnType<typeof serve>;
beforeAll(() => {
  service = serve();
  return service.then(() => undefined);
});
afterAll(shared.undoAll);

/** 1.0.0 and 2.0.0 with a higher echo, 3.0.0 with a lower one, a broken 3.1.0, and 4.0.0-rc.1 with the highest. */
async function serve(): Promise<{ url: string; commits: Record<string, string> }> {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  const commits: Record<string, string> = {};
  const release = async (version: string, tools: Parameters<typeof agentFiles>[0]["tools"], parent?: string) => {
    await repository.git("rm", "-r", "--quiet", "--ignore-unmatch", "manifests", "tools");
    commits[version] = await repository.commit(agentFiles({ version, tools, ...(parent && { parent }) }));
    await repository.tag(`v${version}`);
  };
  await release("1.0.0", { echo: toEcho("1.0.0"), gone: toEcho("1.0.0") });
  await release("2.0.0", { echo: toEcho("1.10.0"), failing: FAILING, busy: BUSY, large: LARGE });
  await release("3.0.0", { echo: toEcho("1.9.0") }, "1.0.0");
  await release("3.1.0", { echo: { ...toEcho("1.11.0"), handler: "export const x = 1;\n" } });
  await release("4.0.0-rc.1", { echo: toEcho("2.0.0") });
  const data = await temporaryFolder(shared.atEnd);
  const { url } = await startCairn(["serve", repository.path, "--data", data], {}, shared.atEnd);
  return { url, commits };
}

async function call(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const { url } = await service;
  return fetch(`${url}/api/mcp/tool/call`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

async function list(query = ""): Promise<{ response: Response; tools: readonly Definition[] }> {
  const { url } = await service;
  const response = await fetch(`${url}/api/mcp/tools${query}`);
  const body = (await response.json()) as { tools: readonly Definition[] };
  expectSchema("registry-tools", body);
  return { response, tools: body.tools };
}

describe("GET /api/mcp/health", () => {
  test("[G1] says ok and when, and nothing else", async () => {
    const { url } = await service;
    const response = await fetch(`${url}/api/mcp/health`);
    const body = (await response.json()) as { timestamp: string };
    expectSchema("registry-health", body);
    expect([response.status, body]).toEqual([200, { status: "ok", timestamp: expect.any(String) }]);
    expect(new Date(body.timestamp).toISOString()).toBe(body.timestamp);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });
});

describe("GET /api/mcp/tools", () => {
  test("[G2] [G4] [G5] lists the highest version of each tool with every field, and where it is served", async () => {
    const { commits } = await service;
    const { response, tools } = await list();
    expect(tools.map(({ name, version, servedBy }) => [name, version, servedBy])).toEqual([
      ["runner.busy", "1.0.0", expect.objectContaining({ version: "2.0.0" })],
      ["runner.echo", "1.10.0", { version: "2.0.0", commit: commits["2.0.0"], endpoint: "/agent/2.0.0/runner" }],
      ["runner.failing", "1.0.0", expect.objectContaining({ version: "2.0.0" })],
      ["runner.gone", "1.0.0", expect.objectContaining({ version: "1.0.0" })],
      ["runner.large", "1.0.0", expect.objectContaining({ version: "2.0.0" })],
    ]);
    expect(tools[1]).toMatchObject({
      description: "Does echo.",
      inputSchema: { required: ["text"] },
      outputSchema: { required: ["text"] },
      deterministic: false,
      sideEffect: false,
      idempotent: true,
      cost: { units: 0 },
      requiredCapabilities: [],
      tenantScoped: true,
    });
    expect(response.headers.get("cairn-unverified")).toBe("0");
    expect(response.headers.get("cache-control")).toBe("private, no-cache");
  });

  test("[G5] counts pre-releases for those who ask for what is unstable", async () => {
    const { tools } = await list("?include_unstable=true");
    expect(tools.find(({ name }) => name === "runner.echo")).toMatchObject({
      version: "2.0.0",
      servedBy: { version: "4.0.0-rc.1" },
    });
  });

  test.for(["?include_unstable=yes", "?include_unstable=true&include_unstable=true", "?page=2"])(
    "refuses %s, naming the parameter",
    async (query) => {
      const { url } = await service;
      const response = await fetch(`${url}/api/mcp/tools${query}`);
      expect([response.status, await response.json()]).toEqual([
        400,
        expect.objectContaining({ name: "BAD_REQUEST", details: { parameter: /\w+/.exec(query)?.[0] } }),
      ]);
    },
  );
});

describe("POST /api/mcp/tool/call", () => {
  test("[G3] [G5] calls the highest version by name; headers name the call and what served it", async () => {
    const { commits } = await service;
    const response = await call({ toolName: "runner.echo", input: { text: "hi" } }, { "x-request-id": "req_789" });
    const body = await response.json();
    expectSchema("tool-call-result", body);
    expect([response.status, body]).toEqual([200, { result: { text: "hi by 1.10.0" } }]);
    const id = response.headers.get("cairn-conversation-id");
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const headers = ["cairn-logs", "cairn-version", "cairn-commit", "cairn-tool-version", "link", "x-request-id"];
    expect(headers.map((name) => response.headers.get(name))).toEqual([
      `logs://${id}`,
      "2.0.0",
      commits["2.0.0"],
      "1.10.0",
      `</agent/${commits["2.0.0"]}/api/tools/runner.echo>; rel="canonical"`,
      "req_789",
    ]);
  });

  test("[G3] calls the version that is asked for", async () => {
    const results: [string, string][] = [];
    for (const version of ["1.0.0", "~1.9", "1.x", ">=2", "2.0.0"]) {
      const response = await call({ toolName: "runner.echo", input: { text: "hi" }, version });
      results.push([
        version,
        ((await response.json()) as { result?: { text: string }; name: string }).result?.text ?? "",
      ]);
    }
    expect(results).toEqual([
      ["1.0.0", "hi by 1.0.0"],
      ["~1.9", "hi by 1.9.0"],
      ["1.x", "hi by 1.10.0"],
      [">=2", ""],
      // Only a pre-release of the agent has it, so it has to be named to the letter.
      ["2.0.0", "hi by 2.0.0"],
    ]);
  });

  test.for([
    [{ toolName: "runner.echo", input: { text: 5 } }, 400, "BAD_REQUEST", { details: [{ path: "/text" }] }],
    [{ toolName: "runner.echo", input: { text: "x", more: 1 } }, 400, "BAD_REQUEST", {}],
    [{ toolName: "runner.echo" }, 400, "BAD_REQUEST", {}],
    [{ toolName: "runner.echo", input: {}, tenant: "x" }, 400, "BAD_REQUEST", { detail: /tenant/ }],
    [{ toolName: "runner.echo", input: [] }, 400, "BAD_REQUEST", { details: [{ path: "/input" }] }],
    [{ toolName: 1, input: {} }, 400, "BAD_REQUEST", { details: [{ path: "/toolName" }] }],
    [{ toolName: "runner.echo", input: { text: "x" }, version: "newest" }, 400, "BAD_REQUEST", { detail: /`newest`/ }],
    [
      { toolName: "runner.echo", input: {}, idempotencyKey: "" },
      400,
      "BAD_REQUEST",
      { details: [{ path: "/idempotencyKey" }] },
    ],
    [{ input: {} }, 400, "BAD_REQUEST", { detail: /toolName/ }],
    [[], 400, "BAD_REQUEST", {}],
    ["{", 400, "PARSE_ERROR", {}],
    [{ toolName: "runner.ecko", input: {} }, 404, "INVALID_TOOL", { details: { suggestions: ["runner.echo"] } }],
    [
      { toolName: "runner.echo", input: {}, version: "^3" },
      404,
      "INVALID_TOOL",
      { details: { available: ["1.10.0", "1.9.0", "1.0.0"] } },
    ],
    [{ toolName: "runner.large", input: { text: "more than ten" } }, 413, "PAYLOAD_TOO_LARGE", {}],
    [
      { toolName: "runner.failing", input: {} },
      500,
      "HANDLER_ERROR",
      { detail: /tools\/runner\/failing\.ts:\d+:\d+\)$/ },
    ],
    [{ toolName: "runner.busy", input: {} }, 503, "UPSTREAM_ERROR", { detail: /It is away/ }],
  ] as const)("[G3] answers %j with %i %s", async ([body, status, name, more]) => {
    const response = await call(body);
    const problem = (await response.json()) as Record<string, unknown>;
    expectSchema("problem-details", problem);
    const { detail, ...members } = { detail: /./, ...more };
    expect([response.status, problem]).toEqual([
      status,
      expect.objectContaining({ name, detail: expect.stringMatching(detail) }),
    ]);
    expect(problem).toMatchObject(members);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  });

  test("[G3] takes 1 MB of JSON at most, and other types not at all", async () => {
    const input = { text: "x".repeat(1024 * 1024) };
    expect((await call({ toolName: "runner.echo", input })).status).toBe(413);
    expect((await call("toolName=runner.echo", { "content-type": "text/plain" })).status).toBe(415);
  });

  test("makes a request id of its own where one could not be sent back", async () => {
    const response = await call({ toolName: "runner.echo", input: { text: "x" } }, { "x-request-id": "a b" });
    expect([response.status, response.headers.get("x-request-id")]).toEqual([
      200,
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
  });
});
