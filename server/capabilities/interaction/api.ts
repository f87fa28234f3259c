import type { Grant, SyscallDeclaration } from "../declaration.ts";
import type { JsonSchema } from "../model/api.ts";

export interface ClientAbilities {
  /** True if a person can fill in a form. */
  readonly elicit: boolean;
  /** True if the caller's model can be asked. */
  readonly sample: boolean;
  /** True if the caller can name its folders. */
  readonly roots: boolean;
}

export interface Form {
  readonly message: string;
  /** JSON Schema of an object whose properties are strings, numbers, integers, booleans or choices (MCP elicitation). */
  readonly schema: JsonSchema;
}

/** `accept` comes with content that matches the form's schema. */
export type FormReply<Filled> =
  { readonly action: "accept"; readonly content: Filled } | { readonly action: "decline" | "cancel" };

export interface SampleRequest {
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: Content }[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
}

export interface SampleReply {
  readonly role: "user" | "assistant";
  readonly content: Content | readonly Content[];
  readonly model: string;
  readonly stopReason?: string;
}

export interface Root {
  readonly uri: string;
  readonly name?: string;
}

/** A part of what an MCP client is shown. `data` and `blob` are base64. */
export type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "resource";
      readonly resource: { readonly uri: string; readonly mimeType?: string } & (
        { readonly text: string } | { readonly blob: string }
      );
    }
  | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly description?: string;
      readonly mimeType?: string;
    };

export const INTERACTION_GRANTS = {
  elicit: { breaks: ["deterministic"], asks: true },
  sample: { breaks: ["deterministic"], asks: true },
  roots: { breaks: ["deterministic"], asks: true },
} as const satisfies Readonly<Record<string, Grant>>;

/** `ctx.elicit`. */
export const ELICIT = {
  name: "elicit",
  takes: ["key", ["message", "schema"]],
  needs: "elicit",
  inPreviews: true,
} as const satisfies SyscallDeclaration<keyof typeof INTERACTION_GRANTS>;

/** `ctx.sample`. */
export const SAMPLE = {
  name: "sample",
  takes: ["key", ["messages", "maxTokens", "systemPrompt?", "temperature?", "stopSequences?"]],
  needs: "sample",
  inPreviews: true,
} as const satisfies SyscallDeclaration<keyof typeof INTERACTION_GRANTS>;

/** `ctx.roots`. */
export const ROOTS = {
  name: "roots",
  takes: ["key"],
  needs: "roots",
  inPreviews: true,
} as const satisfies SyscallDeclaration<keyof typeof INTERACTION_GRANTS>;
