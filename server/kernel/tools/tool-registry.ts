import { type ErrorBody, CairnError, toErrorBody } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import { holdsAll, type Principal } from "../../principal.ts";
import type { Json } from "../../store/store.ts";
import type { ToolDirectory } from "../../versions/registry/tools/tool-directory.ts";
import type { Invoke } from "../call.ts";
import { findServedTool, listServedTools, type MayUse } from "./served-tools.ts";
import { type ToolDefinition, toToolDefinition } from "./tool-definition.ts";

/** The tool registry for code that embeds Cairn; `docs/registry.md` says how it differs from one that code fills. */
export interface ToolRegistry {
  /** The highest version of a tool, of those in `version` if given (a semver or a range); absent: there is none. */
  getTool(name: string, options?: ToolOptions): Promise<ToolDefinition | undefined>;
  /** The highest version of every tool that the capabilities allow to use; all of them without capabilities given. */
  listTools(capabilities?: readonly string[]): Promise<readonly ToolDefinition[]>;
  /** Calls a tool. Never rejects; what goes wrong is in the result. */
  invokeTool(ctx: InvocationContext, name: string, input: unknown, options?: ToolOptions): Promise<InvocationResult>;
}

export interface ToolOptions {
  readonly version?: string;
}

/** Caller for the policy gate, and the means to find the call again; trusted, so it must not come from a caller. */
export interface InvocationContext {
  readonly tenantId: string;
  readonly actorId: string;
  readonly requestId: string;
  readonly capabilities: readonly string[];
  readonly environment: string;
}

export interface InvocationResult {
  readonly success: boolean;
  readonly output?: Json;
  readonly error?: ErrorBody;
  readonly latencyMs: number;
}

const EVERYTHING = ["*"];
const NOBODY: Principal = Object.freeze({ tenant: "", actor: "", capabilities: new Set<string>() });

export function createToolRegistry(given: {
  readonly directory: ToolDirectory;
  readonly invoke: Invoke;
  readonly createId: () => string;
  readonly now: () => number;
  readonly log: Log;
}): ToolRegistry {
  const { directory, invoke, createId, now, log } = given;

  async function getTool(name: string, { version }: ToolOptions = {}): Promise<ToolDefinition | undefined> {
    try {
      const { tool } = await findServedTool(directory, name, version, () => false);
      return toToolDefinition(tool);
    } catch (error) {
      if (error instanceof CairnError && error.name === "INVALID_TOOL") return undefined;
      throw error;
    }
  }

  async function listTools(capabilities: readonly string[] = EVERYTHING): Promise<readonly ToolDefinition[]> {
    const principal = { ...NOBODY, capabilities: new Set(capabilities) };
    const { tools } = await listServedTools(directory, toMayUse(principal), false);
    return tools.map(({ tool }) => toToolDefinition(tool));
  }

  async function invokeTool(
    ctx: InvocationContext,
    name: string,
    input: unknown,
    { version: wanted }: ToolOptions = {},
  ): Promise<InvocationResult> {
    const startedAt = now();
    const { tenantId, actorId, requestId, environment } = ctx;
    const principal = { tenant: tenantId, actor: actorId, capabilities: new Set(ctx.capabilities) };
    try {
      const { version, tool } = await findServedTool(directory, name, wanted, toMayUse(principal));
      const result = await invoke({ version, tool, input, principal, origin: { requestId, environment } });
      const latencyMs = now() - startedAt;
      if (result.ok) return { success: true, output: result.output, latencyMs };
      return { success: false, error: result.error, latencyMs };
    } catch (error) {
      const incident = createId();
      if (!(error instanceof CairnError)) log.error({ err: error, incident, requestId, tool: name }, "call failed");
      return { success: false, error: toErrorBody(error, incident), latencyMs: now() - startedAt };
    }
  }

  return Object.freeze({ getTool, listTools, invokeTool });
}

function toMayUse(principal: Principal): MayUse {
  return ({ tool }) => holdsAll(principal, tool.requiredCapabilities);
}
