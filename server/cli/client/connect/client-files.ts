import { posix, win32 } from "node:path";
import type { Environment } from "../../../config/config.ts";
import { REMOTE_ENTRIES, type RemoteServer, toHeaders, TOKEN_INPUT } from "../../../http/install/remote-entries.ts";
import type { Entry } from "./entry-edit.ts";

/** Command that starts `cairn stdio` for a target. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** Facts of a computer that decide where clients have their files. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly environment: Environment;
}

/** File that a client reads its servers from. */
export interface ClientFile {
  readonly format: "json" | "toml";
  /** Member or table that lists servers. */
  readonly section: string;
  /** Absent for clients that only start servers themselves. */
  readonly http?: (server: RemoteServer) => Entry;
  readonly stdio: (launch: Launch) => Entry;
  /** Questions that entries over HTTP refer to. */
  readonly inputs?: (server: RemoteServer) => readonly Entry[];
  /** Path of the user's file. */
  readonly toPath: (machine: Machine) => string;
  /** Path in a project; absent where the client reads none. */
  readonly inProject?: string;
}

/** Clients with a file that servers are added to, each as its own documentation has it. */
export const CLIENT_FILES = {
  "claude-desktop": {
    format: "json",
    section: "mcpServers",
    stdio: toLaunch,
    toPath: (machine) => inApplications(machine, "Claude", "claude_desktop_config.json"),
  },
  cursor: {
    format: "json",
    section: "mcpServers",
    http: REMOTE_ENTRIES.cursor,
    stdio: toLaunch,
    toPath: (machine) => inHome(machine, ".cursor", "mcp.json"),
    inProject: ".cursor/mcp.json",
  },
  vscode: {
    format: "json",
    section: "servers",
    http: REMOTE_ENTRIES.vscode,
    stdio: (launch) => ({ type: "stdio", ...launch }),
    inputs: toInputs,
    toPath: (machine) => inApplications(machine, "Code", "User", "mcp.json"),
    inProject: ".vscode/mcp.json",
  },
  "vscode-insiders": {
    format: "json",
    section: "servers",
    http: REMOTE_ENTRIES.vscode,
    stdio: (launch) => ({ type: "stdio", ...launch }),
    inputs: toInputs,
    toPath: (machine) => inApplications(machine, "Code - Insiders", "User", "mcp.json"),
    inProject: ".vscode/mcp.json",
  },
  codex: {
    format: "toml",
    section: "mcp_servers",
    http: ({ url, hasToken }) => ({ url, ...(hasToken ? { bearer_token_env_var: "CAIRN_TOKEN" } : {}) }),
    stdio: toLaunch,
    toPath: (machine) => {
      const folder = machine.environment["CODEX_HOME"] || inHome(machine, ".codex");
      return pathsOf(machine).join(folder, "config.toml");
    },
    inProject: ".codex/config.toml",
  },
  gemini: {
    format: "json",
    section: "mcpServers",
    http: ({ url, hasToken }) => ({ httpUrl: url, ...toHeaders(hasToken, "${CAIRN_TOKEN}") }),
    stdio: toLaunch,
    toPath: (machine) => inHome(machine, ".gemini", "settings.json"),
    inProject: ".gemini/settings.json",
  },
  windsurf: {
    format: "json",
    section: "mcpServers",
    http: ({ url, hasToken }) => ({ serverUrl: url, ...toHeaders(hasToken, "${env:CAIRN_TOKEN}") }),
    stdio: toLaunch,
    toPath: (machine) => inHome(machine, ".codeium", "windsurf", "mcp_config.json"),
  },
  zed: {
    format: "json",
    section: "context_servers",
    http: ({ url }) => ({ url }),
    stdio: toLaunch,
    toPath: (machine) =>
      machine.platform === "win32"
        ? inApplications(machine, "Zed", "settings.json")
        : inSettings(machine, "zed", "settings.json"),
  },
  lmstudio: {
    format: "json",
    section: "mcpServers",
    http: REMOTE_ENTRIES.lmstudio,
    stdio: toLaunch,
    toPath: (machine) => inHome(machine, ".lmstudio", "mcp.json"),
  },
  kiro: {
    format: "json",
    section: "mcpServers",
    http: REMOTE_ENTRIES.kiro,
    stdio: toLaunch,
    toPath: (machine) => inHome(machine, ".kiro", "settings", "mcp.json"),
    inProject: ".kiro/settings/mcp.json",
  },
} as const satisfies Readonly<Record<string, ClientFile>>;

function toLaunch({ command, args }: Launch): Entry {
  return { command, args };
}

function toInputs({ hasToken }: RemoteServer): readonly Entry[] {
  return hasToken ? [TOKEN_INPUT] : [];
}

function pathsOf({ platform }: Machine) {
  return platform === "win32" ? win32 : posix;
}

function inHome(machine: Machine, ...parts: readonly string[]): string {
  return pathsOf(machine).join(machine.home, ...parts);
}

/** In the user's folder of settings, as the XDG Base Directory Specification has it. */
function inSettings(machine: Machine, ...parts: readonly string[]): string {
  const folder = machine.environment["XDG_CONFIG_HOME"] || inHome(machine, ".config");
  return pathsOf(machine).join(folder, ...parts);
}

/** In the folder that desktop applications keep their settings in. */
function inApplications(machine: Machine, ...parts: readonly string[]): string {
  const { platform, environment } = machine;
  if (platform === "darwin") return inHome(machine, "Library", "Application Support", ...parts);
  if (platform !== "win32") return inSettings(machine, ...parts);
  return win32.join(environment["APPDATA"] || inHome(machine, "AppData", "Roaming"), ...parts);
}
