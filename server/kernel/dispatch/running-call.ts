import type { Context } from "@opentelemetry/api";
import type { CallInfo, ClientAbilities } from "../../host-api.ts";
import type { Principal } from "../../principal.ts";
import type { Redactor } from "../../log/redact.ts";
import type { Json } from "../../store/store.ts";
import type { Tool, Version } from "../../versions/version.ts";
import type { Effects, LogLevel } from "../transaction.ts";
import type { Question } from "../../capabilities/interaction/question.ts";

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
  /** Calls another tool of the version as the same principal; rejects with its error. */
  readonly callTool: (tool: Tool, input: unknown) => Promise<Json>;
  /** What the caller can be asked, and what it has answered, unchecked, by the questions' keys. */
  readonly client: ClientAbilities;
  readonly answers: ReadonlyMap<string, Json>;
  /** Ends this run of the call; it begins anew once there is an answer. Settles only if that cannot be. */
  readonly ask: (question: Question) => Promise<never>;
  /** The span around it; absent: nobody traces. */
  readonly span?: Context;
  readonly onLog?: (line: { level: LogLevel; message: string; data?: Json }) => void;
  readonly onProgress?: (report: { progress: number; total?: number; message?: string }) => void;
}
