import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { CLIENTS } from "../../../../server/cli/client/connect-clients.ts";

const TARGET = {
  name: "my-agent-runner",
  agent: "my-agent",
  version: "1.6.0",
  server: "runner",
  url: "http://127.0.0.1:3000/agent/1.6.0/runner",
  hasToken: false,
  description: "Runs.",
  meaning: "It stays.",
};
const LAUNCH = { command: "/opt/my node", args: ["/opt/it's/cairn.mjs", "stdio", "1.6.0", "runner"] };

const toHttp = (client: string) => CLIENTS[client]?.http?.(TARGET);
const toStdio = (client: string) => CLIENTS[client]?.stdio(TARGET, LAUNCH);

test.each([
  ["cursor", { mcpServers: { "my-agent-runner": { url: TARGET.url } } }, { mcpServers: { "my-agent-runner": LAUNCH } }],
  ["claude-desktop", undefined, { mcpServers: { "my-agent-runner": LAUNCH } }],
  [
    "vscode",
    { servers: { "my-agent-runner": { type: "http", url: TARGET.url } } },
    { servers: { "my-agent-runner": { type: "stdio", ...LAUNCH } } },
  ],
  [
    "gemini",
    { mcpServers: { "my-agent-runner": { httpUrl: TARGET.url } } },
    { mcpServers: { "my-agent-runner": LAUNCH } },
  ],
  [
    "windsurf",
    { mcpServers: { "my-agent-runner": { serverUrl: TARGET.url } } },
    { mcpServers: { "my-agent-runner": LAUNCH } },
  ],
  [
    "vscode-insiders",
    { servers: { "my-agent-runner": { type: "http", url: TARGET.url } } },
    { servers: { "my-agent-runner": { type: "stdio", ...LAUNCH } } },
  ],
  [
    "lmstudio",
    { mcpServers: { "my-agent-runner": { url: TARGET.url } } },
    { mcpServers: { "my-agent-runner": LAUNCH } },
  ],
  ["kiro", { mcpServers: { "my-agent-runner": { url: TARGET.url } } }, { mcpServers: { "my-agent-runner": LAUNCH } }],
  [
    "zed",
    { context_servers: { "my-agent-runner": { url: TARGET.url } } },
    { context_servers: { "my-agent-runner": LAUNCH } },
  ],
])("%s takes JSON", (client, http, stdio) => {
  const written = toHttp(client);
  expect(written && JSON.parse(written)).toEqual(http);
  expect(JSON.parse(toStdio(client) ?? "")).toEqual(stdio);
});

test("Cursor's is this, to the letter", () => {
  expect(toHttp("cursor")).toBe(`{
  "mcpServers": {
    "my-agent-runner": {
      "url": "http://127.0.0.1:3000/agent/1.6.0/runner"
    }
  }
}`);
});

test("Goose takes YAML within `extensions`", () => {
  const common = { name: "my-agent-runner", enabled: true, timeout: 300 };
  expect(parseYaml(toHttp("goose") ?? "")).toEqual({
    "my-agent-runner": { ...common, type: "streamable_http", uri: TARGET.url },
  });
  expect(parseYaml(toStdio("goose") ?? "")).toEqual({
    "my-agent-runner": { ...common, type: "stdio", cmd: LAUNCH.command, args: LAUNCH.args },
  });
});

describe("codex", () => {
  /** What little of TOML there is: one table of strings and lists of them, which are written as in JSON. */
  const readToml = (text = "") => {
    const [head = "", ...lines] = text.split("\n");
    const [, name = ""] = /^\[mcp_servers\.([A-Za-z0-9_-]+)\]$/.exec(head) ?? [];
    const values = lines.map((line) => /^(\w+) = (.+)$/.exec(line) ?? []);
    return { [name]: Object.fromEntries(values.map(([, key, value = ""]) => [key, JSON.parse(value)])) };
  };

  test("takes TOML", () => {
    expect(toHttp("codex")).toBe('[mcp_servers.my-agent-runner]\nurl = "http://127.0.0.1:3000/agent/1.6.0/runner"');
    expect(readToml(toHttp("codex"))).toEqual({ "my-agent-runner": { url: TARGET.url } });
    expect(readToml(toStdio("codex"))).toEqual({ "my-agent-runner": LAUNCH });
  });
});

test.each([
  [
    "claude-code",
    "claude mcp add --transport http my-agent-runner http://127.0.0.1:3000/agent/1.6.0/runner",
    "claude mcp add my-agent-runner -- '/opt/my node' '/opt/it'\\''s/cairn.mjs' stdio 1.6.0 runner",
  ],
  [
    "inspector",
    "npx @modelcontextprotocol/inspector@latest --cli --transport http --method tools/list -- http://127.0.0.1:3000/agent/1.6.0/runner",
    "npx @modelcontextprotocol/inspector@latest --cli --method tools/list -- '/opt/my node' '/opt/it'\\''s/cairn.mjs' stdio 1.6.0 runner",
  ],
  [
    "typescript",
    `import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
const client = new Client({ name: "my-app", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
await client.connect(new StreamableHTTPClientTransport(new URL("http://127.0.0.1:3000/agent/1.6.0/runner")));`,
    `import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
const client = new Client({ name: "my-app", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
await client.connect(new StdioClientTransport({ command: "/opt/my node", args: ["/opt/it's/cairn.mjs", "stdio", "1.6.0", "runner"] }));`,
  ],
  [
    "python",
    `from mcp import Client
async with Client("http://127.0.0.1:3000/agent/1.6.0/runner") as client:
    print(await client.list_tools())`,
    `from mcp import Client, StdioServerParameters
async with Client(StdioServerParameters(command="/opt/my node", args=["/opt/it's/cairn.mjs", "stdio", "1.6.0", "runner"])) as client:
    print(await client.list_tools())`,
  ],
])("%s takes commands or code", (client, http, stdio) => {
  expect([toHttp(client), toStdio(client)]).toEqual([http, stdio]);
});

test("each client is tested here", () => {
  expect(Object.keys(CLIENTS).sort()).toEqual([
    "claude-code",
    "claude-desktop",
    "codex",
    "cursor",
    "gemini",
    "goose",
    "inspector",
    "kiro",
    "lmstudio",
    "python",
    "typescript",
    "vscode",
    "vscode-insiders",
    "windsurf",
    "zed",
  ]);
});

describe("where the service wants a token", () => {
  const target = { ...TARGET, hasToken: true };
  const headers = (reference: string) => ({ headers: { Authorization: `Bearer ${reference}` } });

  test.each([
    ["cursor", { mcpServers: { "my-agent-runner": { url: TARGET.url, ...headers("${env:CAIRN_TOKEN}") } } }],
    ["kiro", { mcpServers: { "my-agent-runner": { url: TARGET.url, ...headers("${CAIRN_TOKEN}") } } }],
    ["gemini", { mcpServers: { "my-agent-runner": { httpUrl: TARGET.url, ...headers("${CAIRN_TOKEN}") } } }],
    ["windsurf", { mcpServers: { "my-agent-runner": { serverUrl: TARGET.url, ...headers("${env:CAIRN_TOKEN}") } } }],
    [
      "vscode",
      {
        inputs: [{ type: "promptString", id: "cairn-token", description: "Token for Cairn", password: true }],
        servers: { "my-agent-runner": { type: "http", url: TARGET.url, ...headers("${input:cairn-token}") } },
      },
    ],
  ])("%s is told in its own way where the token is", (client, expected) => {
    expect(JSON.parse(CLIENTS[client]?.http?.(target) ?? "")).toEqual(expected);
  });

  test.each([
    ["codex", 'bearer_token_env_var = "CAIRN_TOKEN"'],
    ["claude-code", "--header 'Authorization: Bearer ${CAIRN_TOKEN}'"],
    ["inspector", '--header "Authorization: Bearer $CAIRN_TOKEN" -- '],
    ["typescript", "{ requestInit: { headers: { Authorization: `Bearer ${process.env.CAIRN_TOKEN}` } } }"],
    ["python", "os.environ['CAIRN_TOKEN']"],
  ])("so is %s", (client, expected) => {
    expect(CLIENTS[client]?.http?.(target)).toContain(expected);
  });
});
