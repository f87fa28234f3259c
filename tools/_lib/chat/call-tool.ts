import type { Context } from "../../../server/host-api.ts";
import type { Arguments } from "../fill/draft.ts";
import { renderResult } from "./render-result.ts";
import type { Reply } from "./reply.ts";

/** Characters of JSON up to which a result is passed on whole; a larger one is only told of. */
const RESULT_LIMIT = 200_000;

/** Calls the tool and puts what comes of it into words; a failed call is a reply too. */
export async function callTool(ctx: Context, tool: string, values: Arguments): Promise<Reply> {
  const call = { via: "pipeline", tool, arguments: values } as const;
  try {
    const result: unknown = await ctx.tools.call(tool, values);
    const whole = JSON.stringify(result ?? null).length <= RESULT_LIMIT;
    const note = whole ? "" : "\n(The full result is too large to repeat here.)";
    return { text: renderResult(result) + note, kind: "answer", ...call, ...(whole ? { result } : {}) };
  } catch (error) {
    const { name, message } = readError(error);
    ctx.log.info(`${tool} failed: ${name}`, { message });
    return { text: explainFailure(tool, name, message), kind: "failure", ...call };
  }
}

export function readError(error: unknown): { name: string; message: string } {
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: "Error", message: String(error) };
}

/** Explains a failure, with a remedy. */
export function explainFailure(tool: string, name: string, message: string): string {
  const told = message.replace(/\s*$/, "").replace(/([^.!?])$/, "$1.");
  switch (name) {
    case "BAD_REQUEST":
    case "UNPROCESSABLE":
      return `${tool} cannot do that: ${told} Change it and I try again, or ask "help with ${tool}".`;
    case "NOT_FOUND":
    case "NODE_NOT_FOUND":
      return `${tool} found nothing: ${told}`;
    case "FORBIDDEN":
    case "UNAUTHENTICATED":
      return `You may not use ${tool} for that: ${told} Someone who administers this agent can allow it.`;
    case "RATE_LIMITED":
    case "UPSTREAM_ERROR":
    case "UPSTREAM_TIMEOUT":
    case "UNAVAILABLE":
    case "TIME_LIMIT":
      return `${tool} is not available at the moment: ${told} Say "again" in a while to repeat it.`;
    case "CONFLICT":
      return `${tool} met another change: ${told} Say "again" to repeat it.`;
    default:
      return `${tool} failed (${name}): ${told}`;
  }
}
