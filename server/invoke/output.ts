import { assertJson } from "../canonical-json.ts";
import { CairnError } from "../errors.ts";
import type { Json } from "../store/store.ts";
import type { Tool } from "../versions/version.ts";
import { toSentence } from "./check-input.ts";

/**
 * The handler's result as the caller gets it. Where the output schema has them, `conversation_id` and `logs_uri` are the
 * server's own: a handler can neither forget nor forge them.
 */
export function finishOutput(tool: Tool, result: Json | undefined, conversationId: string, logsUri: string): Json {
  const properties = (tool.output["properties"] ?? {}) as Record<string, unknown>;
  const output =
    typeof result === "object" && result !== null && !Array.isArray(result)
      ? {
          ...result,
          ...("conversation_id" in properties ? { conversation_id: conversationId } : {}),
          ...("logs_uri" in properties ? { logs_uri: logsUri } : {}),
        }
      : (result ?? null);
  assertDepth(tool, output);
  const violations = tool.checkOutput(output);
  if (violations.length > 0) {
    throw invalid(tool, toSentence(violations));
  }
  return output;
}

/** An isolate can write JSON that nests deeper than this process could digest, log or send. */
function assertDepth(tool: Tool, output: Json): void {
  try {
    assertJson(output);
  } catch (error) {
    throw invalid(tool, error instanceof CairnError ? error.message : "it cannot be written as JSON.");
  }
}

function invalid(tool: Tool, reason: string): CairnError {
  return new CairnError("OUTPUT_INVALID", `The output of \`${tool.name}\` is wrong: ${reason}`);
}
