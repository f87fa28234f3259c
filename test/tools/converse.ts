import type { Model } from "../../server/host-api.ts";
import type { Reply } from "../../tools/_lib/chat/reply.ts";
import chat from "../../tools/runner/chat.ts";
import { createFakeContext, type FakeContext, type FakeTool } from "../helpers/fake-context.ts";
import { FIXTURE_TOOLS } from "./fixture-tools.ts";

export interface Conversation {
  readonly ctx: FakeContext;
  say(message: string, metadata?: Record<string, unknown>): Promise<Reply>;
}

/** A conversation with the handler of `runner.chat` itself, at noon of Wednesday, 1 July 2026. */
export function converse(options: { tools?: readonly FakeTool[]; model?: Model } = {}): Conversation {
  const { tools = FIXTURE_TOOLS, model } = options;
  const ctx = createFakeContext({ tools, ...(model ? { model } : {}) });
  return {
    ctx,
    async say(message, metadata) {
      const { reply } = await chat({ message, ...(metadata ? { metadata } : {}) }, ctx);
      return reply;
    },
  };
}

/** What a conversation comes to, message by message: the call that was made, or the kind of reply. */
export async function replay(messages: readonly string[]): Promise<unknown[]> {
  const { say } = converse();
  const steps: unknown[] = [];
  for (const message of messages) {
    const { kind, tool, arguments: values } = await say(message);
    steps.push(kind === "answer" && tool ? { [tool]: values } : kind);
  }
  return steps;
}
