import { CairnError } from "../../errors.ts";
import type { Invoke, Result } from "../../invoke/call.ts";
import { holds, type Principal } from "../../principal.ts";
import type { Server, Tool, Version } from "../../versions/version.ts";
import { failWith, type Methods } from "../method.ts";
import { createPages } from "../pages.ts";

/** `tools/list` and `tools/call` of one server of one version. */
export function createToolMethods(version: Version, server: Server, invoke: Invoke): Methods {
  const byName = new Map(server.tools.map((tool) => [tool.name, tool]));
  const listAll = createPages("tools", server.tools.map(toDefinition));
  return {
    "tools/list"(params, { principal }) {
      const usable = server.tools.filter((tool) => mayUse(principal, tool));
      const list = usable.length === server.tools.length ? listAll : createPages("tools", usable.map(toDefinition));
      return list(params);
    },
    async "tools/call"({ name, arguments: input = {} }, { principal, signal }) {
      if (typeof name !== "string") throw new CairnError("BAD_REQUEST", "`name` must be a string: the tool to call.");
      const tool = byName.get(name);
      if (!tool) {
        const known = [...byName.keys()].slice(0, 20).join(", ") || "none";
        throw new CairnError(
          "INVALID_TOOL",
          `There is no tool \`${name.slice(0, 100)}\` on \`${server.name}\` of version ${version.semver}; it has: ${known}.`,
        );
      }
      const result = await invoke({ version, tool, input, principal, ...(signal === undefined ? {} : { signal }) });
      return !result.ok && server.errors === "protocol" ? failWith(result.error) : toCallResult(result);
    },
  };
}

function mayUse(principal: Principal, tool: Tool): boolean {
  return tool.requiredCapabilities.every((capability) => holds(principal, capability));
}

function toDefinition(tool: Tool) {
  return {
    name: tool.name,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    description: tool.description,
    inputSchema: tool.input,
    outputSchema: tool.output,
    annotations: {
      readOnlyHint: !tool.sideEffect,
      idempotentHint: tool.idempotent,
      openWorldHint: tool.uses.has("fetch") || tool.uses.has("model.generate"),
    },
    _meta: { "cairn/version": tool.version, ...(tool.examples.length > 0 ? { "cairn/examples": tool.examples } : {}) },
  };
}

function toCallResult(result: Result) {
  const handle = { "cairn/conversation_id": result.conversationId, "cairn/logs_uri": result.logsUri };
  if (result.ok) {
    return {
      content: [{ type: "text", text: JSON.stringify(result.output) }],
      structuredContent: result.output,
      _meta: handle,
    };
  }
  // Not as structuredContent: clients check that against the tool's output schema and would report a schema error instead.
  return {
    content: [{ type: "text", text: JSON.stringify(result.error) }],
    isError: true,
    _meta: { ...handle, "cairn/error": result.error },
  };
}
