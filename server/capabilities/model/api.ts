import type { Declarations, Grant } from "../declaration.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The configured model endpoint. Needs `model.generate`. */
export interface Model {
  /** True if a model endpoint is configured; without one `generate` fails with UNAVAILABLE. */
  readonly available: boolean;
  /** Sends messages, with tools that the model may ask for, and resolves with its answer. The tools it asks for are not called. */
  generate(request: ModelRequest): Promise<ModelReply>;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly { readonly name: string; readonly description: string; readonly input: JsonSchema }[];
  readonly temperature?: number;
  readonly maxTokens?: number;
  /** Milliseconds, 30,000 unless given; never longer than the call has left. */
  readonly timeout?: number;
}

export type ModelMessage =
  | { readonly role: "system" | "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text?: string; readonly toolCalls?: readonly ModelToolCall[] }
  | { readonly role: "tool"; readonly id: string; readonly name: string; readonly output: unknown };

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Text that some models want back with their call. */
  readonly signature?: string;
}

export interface ModelReply {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

export const MODEL_GRANTS = {
  "model.generate": { breaks: ["deterministic"] },
} as const satisfies Readonly<Record<string, Grant>>;

/** `ctx.model`. */
export const MODEL = {
  generate: {
    name: "model.generate",
    takes: [["messages", "tools?", "temperature?", "maxTokens?", "timeout?"]],
    needs: "model.generate",
  },
} as const satisfies Declarations<Pick<Model, "generate">, keyof typeof MODEL_GRANTS>;
