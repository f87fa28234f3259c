import { describe, expect, test } from "vitest";
import { CairnError, errorRow, toErrorBody } from "../../../../server/errors.ts";
import { authorise } from "../../../../server/kernel/stages/authorise.ts";
import type { Call, Invoke } from "../../../../server/kernel/call.ts";
import { createToolRegistry, type InvocationContext } from "../../../../server/kernel/tools/tool-registry.ts";
import { createLog } from "../../../../server/log/log.ts";
import { createSingleDirectory } from "../../../helpers/single-directory.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

const CONTEXT: InvocationContext = {
  tenantId: "tenant_123",
  actorId: "agent_456",
  requestId: "req_789",
  capabilities: ["tool:my_tool"],
  environment: "production",
};

/** A registry of one version, whose calls take 7 ms and give their input back. */
function setUp(fail?: unknown) {
  const version = createTestVersion({
    tools: [
      { name: "my_tool", server: "s", version: "1.2.0", requiredCapabilities: ["tool:my_tool"] },
      { name: "open_tool", server: "s" },
    ],
  });
  const directory = createSingleDirectory(version, 0, fail);
  let time = 1000;
  const calls: Call[] = [];
  const invoke: Invoke = async (call) => {
    calls.push(call);
    time += 7;
    const handle = { conversationId: "c", logsUri: "logs://c", durationMs: 7 };
    try {
      authorise(call.tool, call.principal);
      return { ok: true, output: { got: call.input as string }, ...handle };
    } catch (error) {
      return { ok: false, error: toErrorBody(error, "i"), row: errorRow(error), ...handle };
    }
  };
  const logged: string[] = [];
  const log = createLog("info", { write: (line) => void logged.push(line) });
  return {
    calls,
    logged,
    ...createToolRegistry({ directory, invoke, createId: () => "incident", now: () => time, log }),
  };
}

describe("the registry in code", () => {
  test("[G6] calls a tool with tenant, actor, request, capabilities and environment", async () => {
    const { invokeTool, calls } = setUp();
    expect(await invokeTool(CONTEXT, "my_tool", { param: "value" })).toEqual({
      success: true,
      output: { got: { param: "value" } },
      latencyMs: 7,
    });
    expect(calls).toMatchObject([
      {
        principal: { tenant: "tenant_123", actor: "agent_456", capabilities: new Set(["tool:my_tool"]) },
        origin: { requestId: "req_789", environment: "production" },
        tool: { name: "my_tool" },
        input: { param: "value" },
      },
    ]);
  });

  test("[G6] tells what went wrong instead of rejecting", async () => {
    const { invokeTool } = setUp();
    expect(await invokeTool({ ...CONTEXT, capabilities: [] }, "my_tool", {})).toEqual({
      success: false,
      error: {
        code: 2101,
        name: "FORBIDDEN",
        message: "`my_tool` requires `tool:my_tool`, which `agent_456` does not hold.",
      },
      latencyMs: 7,
    });
    expect(await invokeTool(CONTEXT, "my_tol", {})).toEqual({
      success: false,
      error: {
        code: 3000,
        name: "INVALID_TOOL",
        message: "There is no tool `my_tol`. There are `my_tool`.",
        details: { suggestions: ["my_tool"] },
      },
      latencyMs: 0,
    });
    expect(await invokeTool(CONTEXT, "my_tool", {}, { version: "^2" })).toMatchObject({
      success: false,
      error: { name: "INVALID_TOOL", message: "No version of `my_tool` fits `^2`; there are 1.2.0." },
    });
    for (const version of ["", "latest", "x".repeat(200)]) {
      expect(await invokeTool(CONTEXT, "my_tool", {}, { version })).toMatchObject({ error: { name: "BAD_REQUEST" } });
    }
  });

  test("keeps to itself what failed unforeseen, and writes it to the log with the request", async () => {
    const { invokeTool, logged } = setUp(new Error("the disk is full of secrets"));
    const result = await invokeTool(CONTEXT, "my_tool", {});
    expect(result).toMatchObject({ success: false, error: { name: "INTERNAL_ERROR" } });
    expect(JSON.stringify(result)).not.toContain("secrets");
    expect(JSON.parse(logged[0] ?? "")).toMatchObject({ incident: "incident", requestId: "req_789", tool: "my_tool" });
    const away = setUp(new CairnError("UNAVAILABLE", "Not now."));
    expect(await away.invokeTool(CONTEXT, "my_tool", {})).toMatchObject({ error: { name: "UNAVAILABLE" } });
    expect(away.logged).toEqual([]);
  });

  test("[G5] gives definitions: of one tool, and of all that capabilities allow", async () => {
    const { getTool, listTools } = setUp();
    expect(await getTool("my_tool")).toMatchObject({ name: "my_tool", version: "1.2.0", tenantScoped: true });
    expect(await getTool("my_tool", { version: "^1" })).toMatchObject({ version: "1.2.0" });
    expect(await getTool("my_tool", { version: "^2" })).toBeUndefined();
    expect(await getTool("none")).toBeUndefined();
    expect((await listTools()).map(({ name }) => name)).toEqual(["my_tool", "open_tool"]);
    expect((await listTools([])).map(({ name }) => name)).toEqual(["open_tool"]);
  });

  test("suggests no tool that the caller may not use", async () => {
    const { invokeTool } = setUp();
    expect(await invokeTool({ ...CONTEXT, capabilities: [] }, "my_tol", {})).toMatchObject({
      error: { details: { suggestions: ["open_tool"] } },
    });
  });
});
