import { expect, test } from "vitest";
import { CLIENT_FILES, type Machine } from "../../../../../server/cli/client/connect/client-files.ts";

const toPaths = (machine: Machine) =>
  Object.fromEntries(Object.entries(CLIENT_FILES).map(([client, { toPath }]) => [client, toPath(machine)]));

test("clients have their files where their documentation says, on each system", () => {
  const everywhere = (home: string, slash: string) => {
    const at = (...parts: string[]) => [home, ...parts].join(slash);
    return {
      cursor: at(".cursor", "mcp.json"),
      codex: at(".codex", "config.toml"),
      gemini: at(".gemini", "settings.json"),
      windsurf: at(".codeium", "windsurf", "mcp_config.json"),
      lmstudio: at(".lmstudio", "mcp.json"),
      kiro: at(".kiro", "settings", "mcp.json"),
    };
  };
  expect(toPaths({ platform: "linux", home: "/home/ann", environment: {} })).toEqual({
    ...everywhere("/home/ann", "/"),
    "claude-desktop": "/home/ann/.config/Claude/claude_desktop_config.json",
    vscode: "/home/ann/.config/Code/User/mcp.json",
    "vscode-insiders": "/home/ann/.config/Code - Insiders/User/mcp.json",
    zed: "/home/ann/.config/zed/settings.json",
  });
  const support = "/Users/ann/Library/Application Support";
  expect(toPaths({ platform: "darwin", home: "/Users/ann", environment: {} })).toEqual({
    ...everywhere("/Users/ann", "/"),
    "claude-desktop": `${support}/Claude/claude_desktop_config.json`,
    vscode: `${support}/Code/User/mcp.json`,
    "vscode-insiders": `${support}/Code - Insiders/User/mcp.json`,
    zed: "/Users/ann/.config/zed/settings.json",
  });
  const roaming = String.raw`C:\Users\ann\AppData\Roaming`;
  expect(toPaths({ platform: "win32", home: String.raw`C:\Users\ann`, environment: { APPDATA: roaming } })).toEqual({
    ...everywhere(String.raw`C:\Users\ann`, "\\"),
    "claude-desktop": String.raw`${roaming}\Claude\claude_desktop_config.json`,
    vscode: String.raw`${roaming}\Code\User\mcp.json`,
    "vscode-insiders": String.raw`${roaming}\Code - Insiders\User\mcp.json`,
    zed: String.raw`${roaming}\Zed\settings.json`,
  });
});

test("variables that move them are followed", () => {
  const environment = { CODEX_HOME: "/opt/codex", XDG_CONFIG_HOME: "/opt/config" };
  const paths = toPaths({ platform: "linux", home: "/home/ann", environment });
  expect([paths["codex"], paths["vscode"]]).toEqual(["/opt/codex/config.toml", "/opt/config/Code/User/mcp.json"]);
});
