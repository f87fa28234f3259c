import type { ErrorBody, ErrorRow } from "../errors.ts";
import type { Principal } from "../principal.ts";
import type { Json } from "../store/store.ts";
import type { Tool, Version } from "../versions/version.ts";

/** One wish to have one tool called, whichever protocol it came by. */
export interface Call {
  readonly version: Version;
  readonly tool: Tool;
  /** Unchecked. */
  readonly input: unknown;
  readonly principal: Principal;
  readonly signal?: AbortSignal;
  readonly onLog?: (line: { level: string; message: string; data?: Json }) => void;
  readonly onProgress?: (report: { progress: number; total?: number; message?: string }) => void;
  /** Set when a handler calls another tool. */
  readonly parent?: { readonly callId: string; readonly depth: number; readonly deadline: number };
}

interface Handle {
  /** Names the call for feedback, logs and, with stateful tools, the session. */
  readonly conversationId: string;
  readonly logsUri: string;
  readonly durationMs: number;
}

/** How a call ended; protocols turn it into their own form. */
export type Result = Handle &
  (
    | { readonly ok: true; readonly output: Json }
    | { readonly ok: false; readonly error: ErrorBody; readonly row: ErrorRow }
  );

export type Invoke = (call: Call) => Promise<Result>;
