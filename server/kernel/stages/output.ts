import { writeJson, type WrittenJson } from "../../json/canonical-json.ts";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import type { Redactor } from "../../log/redact.ts";
import type { Json } from "../../store/store.ts";
import type { Tool } from "../../versions/version.ts";
import { toSentence } from "./check-input.ts";
import { findRedactedValues } from "./redacted-values.ts";

/** The output of a tool, as its schema has it. */
export interface FinishedOutput {
  readonly output: Json;
  readonly json: WrittenJson;
}

/**
 * The handler's result as the caller gets it, without members that the output schema does not declare. Where that declares
 * them, `conversation_id` and `logs_uri` are the server's own: a handler can neither forget nor forge them.
 */
export function finishOutput(
  tool: Tool,
  result: Json | undefined,
  conversationId: string,
  logsUri: string,
  redactor: Redactor,
): FinishedOutput {
  const output = withHandle(tool, tool.stripUndeclared(result ?? null), conversationId, logsUri);
  const json = toJson(tool, output);
  const violations = tool.checkOutput(output);
  if (violations.length > 0) {
    throw invalid(tool, redactor.with(findRedactedValues(tool, output)).text(toSentence(violations)));
  }
  return { output, json };
}

function withHandle(tool: Tool, result: Json, conversationId: string, logsUri: string): Json {
  const properties = (tool.output["properties"] ?? {}) as Record<string, unknown>;
  if (!isObject(result) || !("conversation_id" in properties || "logs_uri" in properties)) return result;
  return {
    ...result,
    ...("conversation_id" in properties ? { conversation_id: conversationId } : {}),
    ...("logs_uri" in properties ? { logs_uri: logsUri } : {}),
  };
}

/** @throws OUTPUT_INVALID: an isolate can write JSON that nests deeper than this process could digest, log or send. */
function toJson(tool: Tool, output: Json): WrittenJson {
  try {
    return writeJson(output);
  } catch (error) {
    throw invalid(tool, error instanceof CairnError ? error.message : "it cannot be written as JSON.");
  }
}

function invalid(tool: Tool, reason: string): CairnError {
  return new CairnError("OUTPUT_INVALID", `The output of \`${tool.name}\` is wrong: ${reason}`);
}
