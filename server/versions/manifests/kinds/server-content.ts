import type { JsonSchema, StateKey } from "../../../host-api.ts";
import type { LiveTools } from "../../live-tools.ts";

/** A server's manifest, as its schema allows it. */
export interface ServerContent {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly instructions?: string;
  readonly errors?: "tool" | "protocol";
  readonly state?:
    | string
    | {
        readonly scope: "shared" | "version";
        readonly name?: string;
        readonly values?: readonly { readonly key: StateKey; readonly schema: JsonSchema }[];
      };
  readonly liveTools?: LiveTools;
  readonly resources?: readonly ResourceContent[];
  readonly prompts?: readonly PromptContent[];
}

/** Has one of `uri` and `uriTemplate`, and one of `provider`, `text`, `blob` and `link`. */
export interface ResourceContent {
  readonly uri?: string;
  readonly uriTemplate?: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly provider?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly link?: true;
  readonly suggestions?: Readonly<Record<string, readonly string[]>>;
}

export interface PromptContent {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly ArgumentContent[];
  readonly messages: readonly MessageContent[];
}

export interface ArgumentContent {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly ask?: string;
  readonly suggestions?: readonly string[];
}

export type MessageContent = { readonly role: "user" | "assistant" } & (
  | { readonly text: string }
  | { readonly image: MediaContent }
  | { readonly audio: MediaContent }
  | { readonly resource: EmbeddedContent }
  | { readonly provider: string }
);

interface MediaContent {
  readonly data: string;
  readonly mimeType: string;
}

type EmbeddedContent = { readonly uri: string; readonly mimeType?: string } & (
  { readonly text: string } | { readonly blob: string }
);
