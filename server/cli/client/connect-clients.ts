import { quoteShell } from "../../text/quote-shell.ts";
import type { ConnectTarget } from "./connect-target.ts";

/** Command that starts `cairn stdio` for a target. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

export interface ClientFormat {
  readonly title: string;
  /** Place for the text. */
  readonly where: string;
  /**
   * Absent for clients that only start servers themselves. Tokens are named in the way of the client, so that its file
   * holds a reference instead of a secret.
   */
  readonly http?: (target: ConnectTarget) => string;
  /** True if the client's file cannot refer to a secret, so that only `cairn stdio` can bring a token. */
  readonly holdsSecrets?: true;
  readonly stdio: (target: ConnectTarget, launch: Launch) => string;
}

/** Clients by the name of `--client`, each as its own documentation has it. */
export const CLIENTS: Readonly<Record<string, ClientFormat>> = {
  "claude-desktop": {
    title: "Claude Desktop",
    where: "claude_desktop_config.json (Settings > Developer > Edit Config)",
    stdio: ({ name }, launch) => toJson({ mcpServers: { [name]: launch } }),
  },
  "claude-code": {
    title: "Claude Code",
    where: "a command for the terminal",
    http: ({ name, url, hasToken }) => {
      const header = hasToken ? ["--header", `Authorization: Bearer ${TOKEN}`] : [];
      return toShell(["claude", "mcp", "add", "--transport", "http", name, url, ...header]);
    },
    stdio: ({ name }, { command, args }) => toShell(["claude", "mcp", "add", name, "--", command, ...args]),
  },
  cursor: {
    title: "Cursor",
    where: ".cursor/mcp.json in a project, ~/.cursor/mcp.json for all",
    http: ({ name, url, hasToken }) =>
      toJson({ mcpServers: { [name]: { url, ...toHeaders(hasToken, "${env:CAIRN_TOKEN}") } } }),
    stdio: ({ name }, launch) => toJson({ mcpServers: { [name]: launch } }),
  },
  vscode: {
    title: "VS Code",
    where: ".vscode/mcp.json",
    http: ({ name, url, hasToken }) => {
      const headers = toHeaders(hasToken, "${input:cairn-token}");
      const inputs = [{ type: "promptString", id: "cairn-token", description: "Token for Cairn", password: true }];
      return toJson({
        ...(hasToken ? { inputs } : {}),
        servers: { [name]: { type: "http", url, ...headers } },
      });
    },
    stdio: ({ name }, launch) => toJson({ servers: { [name]: { type: "stdio", ...launch } } }),
  },
  codex: {
    title: "Codex CLI",
    where: "~/.codex/config.toml",
    http: ({ name, url, hasToken }) =>
      `[mcp_servers.${name}]\nurl = ${quote(url)}${hasToken ? '\nbearer_token_env_var = "CAIRN_TOKEN"' : ""}`,
    stdio: ({ name }, { command, args }) =>
      `[mcp_servers.${name}]\ncommand = ${quote(command)}\nargs = ${quoteAll(args)}`,
  },
  gemini: {
    title: "Gemini CLI",
    where: "~/.gemini/settings.json",
    http: ({ name, url, hasToken }) =>
      toJson({ mcpServers: { [name]: { httpUrl: url, ...toHeaders(hasToken, TOKEN) } } }),
    stdio: ({ name }, launch) => toJson({ mcpServers: { [name]: launch } }),
  },
  windsurf: {
    title: "Windsurf",
    where: "~/.codeium/windsurf/mcp_config.json",
    http: ({ name, url, hasToken }) =>
      toJson({ mcpServers: { [name]: { serverUrl: url, ...toHeaders(hasToken, "${env:CAIRN_TOKEN}") } } }),
    stdio: ({ name }, launch) => toJson({ mcpServers: { [name]: launch } }),
  },
  zed: {
    title: "Zed",
    where: "settings.json (the action `zed: open settings file`)",
    http: ({ name, url }) => toJson({ context_servers: { [name]: { url } } }),
    holdsSecrets: true,
    stdio: ({ name }, launch) => toJson({ context_servers: { [name]: launch } }),
  },
  inspector: {
    title: "MCP Inspector",
    where:
      "a command for the terminal, with Node 22.19 or newer; without `--cli` and `--method` it opens in the browser",
    http: ({ url, hasToken }) => {
      // Between double quotes, for the shell to put the token in.
      const header = hasToken ? ` --header "Authorization: Bearer $CAIRN_TOKEN"` : "";
      const command = toShell([...INSPECTOR, "--transport", "http", "--method", "tools/list"]);
      return `${command}${header} ${toShell(["--", url])}`;
    },
    stdio: (_, { command, args }) => toShell([...INSPECTOR, "--method", "tools/list", "--", command, ...args]),
  },
  typescript: {
    title: "TypeScript SDK",
    where: "npm install @modelcontextprotocol/client",
    http: ({ url, hasToken }) => {
      const headers = "{ Authorization: `Bearer ${process.env.CAIRN_TOKEN}` }";
      const options = hasToken ? `, { requestInit: { headers: ${headers} } }` : "";
      return [
        'import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";',
        TYPESCRIPT_CLIENT,
        `await client.connect(new StreamableHTTPClientTransport(new URL(${quote(url)})${options}));`,
      ].join("\n");
    },
    stdio: (_, { command, args }) =>
      [
        'import { Client } from "@modelcontextprotocol/client";',
        'import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";',
        TYPESCRIPT_CLIENT,
        `await client.connect(new StdioClientTransport({ command: ${quote(command)}, args: ${quoteAll(args)} }));`,
      ].join("\n"),
  },
  python: {
    title: "Python SDK",
    where: "pip install 'mcp>=2'; within an async function",
    http: ({ url, hasToken }) =>
      hasToken
        ? [
            "import os, httpx",
            "from mcp import Client",
            "from mcp.client.streamable_http import streamable_http_client",
            `http = httpx.AsyncClient(headers={"Authorization": f"Bearer {os.environ['CAIRN_TOKEN']}"})`,
            `async with Client(streamable_http_client(${quote(url)}, http_client=http)) as client:`,
            PYTHON_CALL,
          ].join("\n")
        : ["from mcp import Client", `async with Client(${quote(url)}) as client:`, PYTHON_CALL].join("\n"),
    stdio: (_, { command, args }) =>
      [
        "from mcp import Client, StdioServerParameters",
        `async with Client(StdioServerParameters(command=${quote(command)}, args=${quoteAll(args)})) as client:`,
        PYTHON_CALL,
      ].join("\n"),
  },
};

/** Reference to an environment variable that most clients substitute. */
const TOKEN = "${CAIRN_TOKEN}";
const INSPECTOR = ["npx", "@modelcontextprotocol/inspector@latest", "--cli"];
const TYPESCRIPT_CLIENT =
  'const client = new Client({ name: "my-app", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });';
const PYTHON_CALL = "    print(await client.list_tools())";

function toHeaders(hasToken: boolean, reference: string) {
  return hasToken ? { headers: { Authorization: `Bearer ${reference}` } } : {};
}

function toJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

/** JSON's strings are strings of TOML, TypeScript and Python as well. */
function quote(text: string): string {
  return JSON.stringify(text);
}

function quoteAll(texts: readonly string[]): string {
  return `[${texts.map(quote).join(", ")}]`;
}

function toShell(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoteShell(word))).join(" ");
}
