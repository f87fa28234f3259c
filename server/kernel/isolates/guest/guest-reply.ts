import { deepFreeze, toJson } from "./guest-json.ts";

/** Argument of `ctx.reply`; `content` is JSON text. */
interface Reply {
  readonly output: unknown;
  readonly content: string;
}

const replies = new WeakMap<object, Reply>();

/** Stands for an output and what clients are shown of it; only the handler's own return of it means anything. */
export function createReply<Output>(output: Output, content: unknown): Output {
  const stand = Object.freeze({});
  replies.set(stand, { output, content: toJson(content, "`content` of `ctx.reply`") });
  return stand as Output;
}

/** Answer of an upstream as it comes from the main process; without `content` that of the output is meant. */
export interface McpAnswer {
  readonly output: object;
  readonly content?: unknown;
}

/** Freezes the output of an upstream, and has the handler that returns this very object reply with its content. */
export function withContent({ output, content }: McpAnswer): object {
  deepFreeze(output);
  const shown = content ?? (output as { readonly content?: unknown }).content;
  replies.set(output, { output, content: toJson(shown, "`content` of the upstream") });
  return output;
}

export function findReply(result: unknown): Reply | undefined {
  return typeof result === "object" && result !== null ? replies.get(result) : undefined;
}
