import { toJson } from "./guest-json.ts";

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

export function findReply(result: unknown): Reply | undefined {
  return typeof result === "object" && result !== null ? replies.get(result) : undefined;
}
