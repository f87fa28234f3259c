import type { Problem } from "../problem.ts";
import type { ServerFile } from "./kinds/read-server.ts";
import type { ToolFile } from "./kinds/read-tool.ts";
import { suggest } from "../../text/suggest.ts";

/** Whether a server's live tools are listed and called by tools of its own. `names`: of all tools, also of those that cannot be read. */
export function checkLiveTools(
  { name: server, liveTools, problem }: ServerFile,
  tools: readonly ToolFile[],
  names: readonly string[],
): readonly Problem[] {
  if (liveTools === undefined) return [];
  return (["list", "call"] as const).flatMap((key) => {
    const name = liveTools[key];
    const elsewhere = tools.some(({ tool }) => tool.name === name && tool.server !== server);
    if (names.includes(name) && !elsewhere) return [];
    const own = tools.filter(({ tool }) => tool.server === server).map(({ tool }) => tool.name);
    const meant = suggest(name, own);
    const fix = `${meant ? `Did you mean \`${meant}\`? ` : ""}Name a tool of this server as its manifest does.`;
    return [problem("unknown-tool", ["liveTools", key], `\`${server}\` has no tool \`${name}\`.`, fix)];
  });
}
