import type { Context } from "@opentelemetry/api";
import type { Cancellation } from "../cancellation.ts";
import type { ErrorBody, ErrorRow } from "../errors.ts";
import type { CallInfo, ClientAbilities } from "../host-api.ts";
import type { Redactor } from "../log/redact.ts";
import type { Principal } from "../principal.ts";
import type { Json } from "../store/store.ts";
import type { Transaction } from "./transaction.ts";
import type { Tool, Version } from "../versions/version.ts";
import type { Origin } from "./origin.ts";

export type LogLevel = "debug" | "info" | "warning" | "error";

export interface LogLine {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly data?: Json;
}

/** One request to call one tool, whichever protocol it came by. */
export interface Call {
  readonly version: Version;
  readonly tool: Tool;
  /** Unchecked. */
  readonly input: unknown;
  readonly principal: Principal;
  /** A call that is repeated under its key is done once; see `docs/limits.md`. */
  readonly idempotencyKey?: string;
  readonly signal?: Cancellation;
  /** Absent: the caller can be asked nothing. */
  readonly interaction?: Interaction;
  readonly onLog?: (line: { level: LogLevel; message: string; data?: Json }) => void;
  readonly onProgress?: (report: { progress: number; total?: number; message?: string }) => void;
  /** Absent: no request brought it. */
  readonly origin?: Origin;
  /** The span around it; absent: nobody traces. */
  readonly span?: Context;
  /** Set by the service alone, for a call that somebody has approved. */
  readonly approved?: Approved;
  /** Set when a handler calls another tool. */
  readonly parent?: { readonly callId: string; readonly depth: number; readonly deadline: number };
}

/** An approval that a call runs with. */
export interface Approved {
  readonly taskId: string;
  /** The actor that gave it. */
  readonly by: string;
  /** False: it may have run before, so only its kept answer is looked for. */
  readonly mayRun: boolean;
}

/** Questions that the caller's side can be asked, and its answers so far. */
export interface Interaction {
  readonly client: ClientAbilities;
  /** Unchecked, by the questions' keys. */
  readonly answers: ReadonlyMap<string, Json>;
  /** State with which a call goes on that a question had ended. */
  readonly resume?: Resume;
}

/** Values that a call keeps when it begins anew with an answer. */
export interface Resume {
  readonly conversationId: string;
  readonly seed: string;
}

interface Handle {
  /** Names the call for feedback, logs and, with stateful tools, the session. */
  readonly conversationId: string;
  readonly logsUri: string;
  readonly durationMs: number;
}

/** Result of a call; protocols turn it into their own form. */
export type Result = Handle &
  (
    | {
        readonly ok: true;
        readonly output: Json;
        /** The output as JSON text; absent where nobody has written it yet. */
        readonly outputText?: string;
        /** MCP content blocks to show instead of the output's JSON. */
        readonly content?: readonly Json[];
      }
    | {
        readonly ok: false;
        readonly error: ErrorBody;
        readonly row: ErrorRow;
        /** Of a call by another tool: frames of the handlers that the error came up in, which `error` does not have. */
        readonly frames?: readonly string[];
        /** With INPUT_REQUIRED: what to ask, and what to come back with. */
        readonly pending?: { readonly questions: readonly Question[]; readonly resume: Resume };
      }
  );

/** One question that only the caller's side can answer, as MCP words it. */
export interface Question {
  /** Names it within the call; the answer comes under the same key. */
  readonly key: string;
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: Json;
}

export type Invoke = (call: Call) => Promise<Result>;

/** The effects of one run of a handler: its transaction, its lines of log, and whether it reached outside for good. */
export interface Effects extends Transaction {
  readonly logs: LogLine[];
  /** Notes that something happened outside which no repetition can take back. */
  markIrreversible(): void;
  isIrreversible(): boolean;
}

/** One run of one handler, as the syscalls see it. */
export interface RunningCall {
  readonly version: Version;
  readonly tool: Tool;
  readonly principal: Principal;
  readonly info: CallInfo;
  readonly effects: Effects;
  /** Masks what must reach neither logs nor records. */
  readonly redactor: Redactor;
  /** Milliseconds since 1970 by which the call must have answered. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Resolves once the records of all calls that were answered are written. */
  readonly settled: () => Promise<void>;
  /** Calls another tool of the version as the same principal; rejects with its error. */
  readonly callTool: (tool: Tool, input: unknown) => Promise<Json>;
  /** Questions that the caller can be asked; its answers, unchecked, by the questions' keys. */
  readonly client: ClientAbilities;
  readonly answers: ReadonlyMap<string, Json>;
  /** Ends this run of the call; it begins anew once there is an answer. Settles only if that cannot be. */
  readonly ask: (question: Question) => Promise<never>;
  /** The span around it; absent: nobody traces. */
  readonly span?: Context;
  readonly onLog?: (line: { level: LogLevel; message: string; data?: Json }) => void;
  readonly onProgress?: (report: { progress: number; total?: number; message?: string }) => void;
}
