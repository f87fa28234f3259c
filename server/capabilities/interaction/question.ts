import type { Json } from "../../store/store.ts";

/** Something that only the caller's side can answer, as MCP words it. */
export interface Question {
  /** Names it within the call; the answer comes under the same key. */
  readonly key: string;
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: Json;
}
