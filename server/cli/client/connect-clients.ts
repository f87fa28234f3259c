import { quoteShell } from "../../text/quote-shell.ts";
import { CLIENT_FILES, type ClientFile, type Launch } from "./connect/client-files.ts";
import { toToml } from "./connect/edit-toml.ts";
import type { Entry } from "./connect/entry-edit.ts";
import type { ConnectTarget } from "./connect-target.ts";

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
  /** File that the text belongs in; absent for commands and code. */
  readonly file?: ClientFile;
}

/** Clients by the name of `--client`, each as its own documentation has it. */
export const CLIENTS: Readonly<Record<string, ClientFormat>> = {
  "claude-desktop": inFile(
    CLIENT_FILES["claude-desktop"],
    "Claude Desktop",
    "claude_desktop_config.json (Settings > Developer > Edit Config)",
  ),
  "claude-code": {
    title: "Claude Code",
    where: "a command for the terminal",
    http: ({ name, url, hasToken }) => {
      const header = hasToken ? ["--header", `Authorization: Bearer ${TOKEN}`] : [];
      return toShell(["claude", "mcp", "add", "--transport", "http", name, url, ...header]);
    },
    stdio: ({ name }, { command, args }) => toShell(["claude", "mcp", "add", name, "--", command, ...args]),
  },
  cursor: inFile(CLIENT_FILES.cursor, "Cursor", ".cursor/mcp.json in a project, ~/.cursor/mcp.json for all"),
  vscode: inFile(CLIENT_FILES.vscode, "VS Code", ".vscode/mcp.json"),
  "vscode-insiders": inFile(CLIENT_FILES["vscode-insiders"], "VS Code Insiders", ".vscode/mcp.json"),
  codex: inFile(CLIENT_FILES.codex, "Codex CLI", "~/.codex/config.toml"),
  gemini: inFile(CLIENT_FILES.gemini, "Gemini CLI", "~/.gemini/settings.json"),
  windsurf: inFile(CLIENT_FILES.windsurf, "Windsurf", "~/.codeium/windsurf/mcp_config.json"),
  zed: {
    ...inFile(CLIENT_FILES.zed, "Zed", "settings.json (the action `zed: open settings file`)"),
    holdsSecrets: true,
  },
  lmstudio: { ...inFile(CLIENT_FILES.lmstudio, "LM Studio", "~/.lmstudio/mcp.json"), holdsSecrets: true },
  kiro: inFile(CLIENT_FILES.kiro, "Kiro", ".kiro/settings/mcp.json in a project, ~/.kiro/settings/mcp.json for all"),
  goose: {
    title: "Goose",
    where: "~/.config/goose/config.yaml, within `extensions`",
    http: ({ name, url }) =>
      toYaml(name, [
        ["type", "streamable_http"],
        ["uri", url],
      ]),
    holdsSecrets: true,
    stdio: ({ name }, { command, args }) =>
      toYaml(name, [
        ["type", "stdio"],
        ["cmd", command],
        ["args", args],
      ]),
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

function inFile(file: ClientFile, title: string, where: string): ClientFormat {
  const { format, section, http, stdio, inputs } = file;
  const write = (name: string, entry: Entry, asked: readonly Entry[] = []) =>
    format === "toml"
      ? toToml(section, name, entry)
      : JSON.stringify({ ...(asked.length > 0 ? { inputs: asked } : {}), [section]: { [name]: entry } }, undefined, 2);
  return {
    title,
    where,
    file,
    stdio: ({ name }, launch) => write(name, stdio(launch)),
    ...(http === undefined ? {} : { http: (target) => write(target.name, http(target), inputs?.(target)) }),
  };
}

/** An extension of Goose; strings and lists of YAML may be those of JSON. */
function toYaml(name: string, members: readonly (readonly [string, unknown])[]): string {
  const all = [["name", name], ["enabled", true], ...members, ["timeout", 300]] as const;
  return [`${name}:`, ...all.map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`)].join("\n");
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
