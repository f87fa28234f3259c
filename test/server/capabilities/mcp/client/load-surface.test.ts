import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../helpers/temporary.ts";
import { runIn } from "../../../cli/run-in.ts";
import { type Answers, EMPTY, GREETING, startWrongServer } from "../../../cli/mcp/wrong-server.ts";

async function save(answers: Answers, ...more: string[]) {
  const { url, asked } = await startWrongServer(answers);
  const { code, printed } = await runIn(await temporaryFolder(), ["surface", "save", "-", "--mcp", url, ...more]);
  return { code, printed, asked };
}

const greeted =
  (answers: Answers): Answers =>
  (asked) =>
    asked.method === "initialize" ? GREETING : answers(asked);
const error = (code: number, message: string, status = 200) => ({
  reply: { status, body: JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } }) },
});
const tool = (name: string) => ({ name, inputSchema: { type: "object" } });

describe("reading the surface of a server", () => {
  test("goes through all pages of all lists", async () => {
    const { code, printed, asked } = await save(
      greeted(({ method, params: { cursor } }) => {
        if (method !== "tools/list") return EMPTY;
        return cursor === undefined
          ? { tools: [tool("b")], nextCursor: "2" }
          : { tools: [tool("a")], nextCursor: null };
      }),
    );
    expect([
      code,
      Object.keys((JSON.parse(printed.slice(0, printed.lastIndexOf("}") + 1)) as { tools: object }).tools),
    ]).toEqual([0, ["a", "b"]]);
    expect(asked.map(({ method }) => method)).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/list",
      "tools/list",
      "prompts/list",
      "resources/list",
      "resources/templates/list",
    ]);
  });

  test("takes a list that a server does not have as empty, and asks for no list that it does not offer", async () => {
    const lacking = { ...GREETING, capabilities: { resources: {} } };
    const { code, asked } = await save(({ method }) =>
      method === "initialize" ? lacking : method === "resources/list" ? EMPTY : error(-32601, "Method not found", 404),
    );
    expect([code, asked.map(({ method }) => method)]).toEqual([
      0,
      ["initialize", "notifications/initialized", "tools/list", "resources/list", "resources/templates/list"],
    ]);
  });

  test("answers what the server asks in between, in a stream of events", async () => {
    const { code, asked } = await save(
      greeted(({ method }) => {
        const events = [
          { jsonrpc: "2.0", method: "notifications/message", params: {} },
          { jsonrpc: "2.0", id: "s1", method: "ping" },
          { jsonrpc: "2.0", id: 2, result: EMPTY },
        ];
        const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
        return method === "tools/list" ? { reply: { type: "text/event-stream", body } } : EMPTY;
      }),
    );
    expect(code).toBe(0);
    // A reply has no method.
    expect(asked.map(({ method }) => method)).toContain(undefined);
  });

  test("speaks the revision without a handshake where there is none", async () => {
    const { code, printed, asked } = await save(({ method }) => {
      if (method === "initialize") return error(-32022, "Unsupported protocol version", 400);
      const { serverInfo, capabilities } = GREETING;
      const info = { "io.modelcontextprotocol/serverInfo": serverInfo };
      return method === "server/discover" ? { supportedVersions: ["2026-07-28"], capabilities, _meta: info } : EMPTY;
    });
    expect([code, printed]).toEqual([0, expect.stringContaining('"protocol": "2026-07-28"')]);
    const { params, headers } = asked.at(-1) ?? { params: {}, headers: {} };
    expect(headers).toMatchObject({ "mcp-protocol-version": "2026-07-28", "mcp-method": "resources/templates/list" });
    expect(params).toMatchObject({ _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } });
  });

  test("sends secrets by reference, and its session, to that server alone", async () => {
    const { url, asked } = await startWrongServer(({ method }) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, result: GREETING });
      return method === "initialize" ? { reply: { headers: { "mcp-session-id": "s7" }, body } } : EMPTY;
    });
    const environment = { SECRET: "t0ken", TEAM: "blue" };
    const options = ["--token-env", "SECRET", "--header", "X-Team=TEAM"];
    const { code } = await runIn(await temporaryFolder(), ["surface", "save", "--mcp", url, ...options], {
      environment,
    });
    expect([code, asked.at(-1)?.headers]).toEqual([
      0,
      expect.objectContaining({
        authorization: "Bearer t0ken",
        "x-team": "blue",
        "mcp-session-id": "s7",
        "mcp-protocol-version": "2025-11-25",
      }),
    ]);
  });
});

describe("a server that is wrong", () => {
  const page = (more: object) => greeted(() => ({ ...EMPTY, ...more }));
  let count = 0;
  test.each<[string, Answers, number, string]>([
    [
      "lists the same cursor for ever",
      page({ nextCursor: "again" }),
      1,
      "never ends: it gives the cursor `again` again",
    ],
    [
      "lists other cursors for ever",
      greeted(() => ({ ...EMPTY, nextCursor: `${(count += 1)}` })),
      1,
      "has more than 1000 pages",
    ],
    [
      "lists more than anybody needs",
      page({ tools: Array.from({ length: 20_001 }, () => ({})) }),
      1,
      "has more than 20000 entries",
    ],
    ["answers without a list", greeted(() => ({})), 1, "answers without a list `tools`"],
    ["fails", greeted(() => error(-32603, "out of order")), 1, "fails: out of order"],
    [
      "has two tools of one name",
      page({ tools: [tool("a"), { ...tool("a"), title: "A" }] }),
      1,
      "two different entries `a`",
    ],
    [
      "nests without measure",
      page({ tools: JSON.parse(`${"[".repeat(1_000)}${"]".repeat(1_000)}`) }),
      1,
      "more than 200 containers in one another",
    ],
    ["has no name", () => ({ ...GREETING, serverInfo: undefined }), 1, "does not say its name and version"],
    [
      "is no MCP server",
      () => ({ reply: { type: "text/html", body: "<p>Hello" } }),
      1,
      "gave no answer of MCP (HTTP 200: <p>Hello)",
    ],
    [
      "wants a token",
      () => ({ reply: { status: 401 } }),
      1,
      "refuses us (401): name the variable that holds a token with `--token-env`",
    ],
    [
      "sends us elsewhere",
      () => ({ reply: { status: 307, headers: { location: "http://evil.example/" } } }),
      1,
      "redirects to http://evil.example/",
    ],
    ["never answers", () => "never", 3, "did not answer in time"],
  ])("that %s is an error, and no crash", async (_, answers, code, message) => {
    const { code: found, printed } = await save(
      answers,
      "--timeout",
      answers({ method: "", params: {}, headers: {} }) === "never" ? "2" : "50",
    );
    expect([found, printed]).toEqual([code, expect.stringContaining(message)]);
  });

  test.each<[string, readonly string[], string]>([
    ["nobody listens", ["http://127.0.0.1:9/mcp"], "cannot be reached: "],
    ["no such program", ["no-such-program --stdio"], "`no-such-program` cannot be started"],
    [
      "it dies",
      [`'${process.execPath}' -e "console.error('no key'); process.exit(4)"`],
      "ended with 4 before it had answered; it said: no key",
    ],
    [
      "it is silent",
      [`'${process.execPath}' -e "setInterval(() => 0, 1000)"`, "--timeout", "1"],
      "did not answer in time",
    ],
  ])("is told from the surroundings: %s", async (_, [mcp = "", ...more], message) => {
    const { code, printed } = await runIn(await temporaryFolder(), ["surface", "save", "--mcp", mcp, ...more]);
    expect([code, printed]).toEqual([3, expect.stringContaining(message)]);
  });

  test.each<[readonly string[], string]>([
    [["--mcp", ""], "The command of the MCP server is empty"],
    [["--mcp", "http://127.0.0.1:9/", "--token-env", "NOT_THERE"], "The variable NOT_THERE holds nothing"],
    [["--mcp", "http://127.0.0.1:9/", "--header", "X-Key: secret"], "`--header` is `name=variable`"],
    [["--mcp", "node x.js", "--token-env", "PATH"], "Headers go to a URL, and `node x.js` is none"],
    [["--mcp", "node x.js", "--timeout", "soon"], "`--timeout` is a number from 1 to 3600"],
  ])("a wrong command line is told: %j", async (args, message) => {
    const { code, printed } = await runIn(await temporaryFolder(), ["surface", "save", ...args]);
    expect([code, printed]).toEqual([2, expect.stringContaining(message)]);
  });
});
