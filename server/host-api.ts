import type { Artifacts } from "./capabilities/artifacts/api.ts";
import type { FetchInit, FetchResponse } from "./capabilities/fetch/api.ts";
import type {
  ClientAbilities,
  Content,
  Form,
  FormReply,
  Root,
  SampleReply,
  SampleRequest,
} from "./capabilities/interaction/api.ts";
import type { Repository } from "./capabilities/knowledge/api.ts";
import type { Lineage } from "./capabilities/lineage/api.ts";
import type { Log } from "./capabilities/log/api.ts";
import type { Mcp } from "./capabilities/mcp/api.ts";
import type { Model } from "./capabilities/model/api.ts";
import type { CallingPrincipal } from "./capabilities/principal/api.ts";
import type { Schemas } from "./capabilities/schema/api.ts";
import type { Session } from "./capabilities/session/api.ts";
import type { State } from "./capabilities/state/api.ts";
import type { Tools } from "./capabilities/tools/api.ts";
import type { Tuner } from "./capabilities/tuner/api.ts";
import type { Work } from "./capabilities/work/api.ts";
import type { Execution, FileSystem, Git } from "./capabilities/workspace/api.ts";

export type * from "./capabilities/artifacts/api.ts";
export type * from "./capabilities/fetch/api.ts";
export type * from "./capabilities/interaction/api.ts";
export type * from "./capabilities/knowledge/api.ts";
export type * from "./capabilities/lineage/api.ts";
export type * from "./capabilities/log/api.ts";
export type * from "./capabilities/mcp/api.ts";
export type * from "./capabilities/model/api.ts";
export type * from "./capabilities/principal/api.ts";
export type * from "./capabilities/schema/api.ts";
export type * from "./capabilities/session/api.ts";
export type * from "./capabilities/state/api.ts";
export type * from "./capabilities/tools/api.ts";
export type * from "./capabilities/work/api.ts";
export type * from "./capabilities/workspace/api.ts";

/**
 * Version of the host API, the types that a handler may import; they are erased before it runs. A handler is the default
 * export of `tools/<server>/<tool>.ts`. Its input already matches its manifest, and its output must match it. It reaches
 * the outside world only through `ctx`, as far as the manifest's `uses` allows.
 */
export const HOST_API_VERSION = "1.7.0";

export type Handler<Input = unknown, Output = unknown> = (input: Input, ctx: Context) => Output | Promise<Output>;

export interface Context {
  /** The call that runs: its tool, its version and its conversation. */
  readonly call: CallInfo;
  /** The values of the experiments that the manifest names under `parameters`: `ctx.params.<experiment>.<parameter>`. */
  readonly params: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>;
  /** Lines of the call's own log, which its `logs_uri` leads to. */
  readonly log: Log;
  /** Reports to the caller how far the call is; `progress` must grow from one report to the next. */
  progress(progress: number, total?: number, message?: string): void;
  /**
   * Waits within the call's time limit, of which it is a part; a replay does not wait. Rejects with TIME_LIMIT at once when
   * the limit would come first.
   */
  sleep(milliseconds: number): Promise<void>;
  /**
   * Milliseconds since 1970, as `Date.now()` would say; stands still until something has been awaited. Needs `clock`;
   * `Date.now()` itself is not there.
   */
  now(): number;
  /** A number in [0, 1), reproducible from the call's record. Needs `random`; `Math.random()` itself is not there. */
  random(): number;
  readonly session: Session;
  readonly state: State;
  readonly lineage: Lineage;
  readonly artifacts: Artifacts;
  readonly schema: Schemas;
  /** Returns the caller. Needs `principal`. */
  principal(): Promise<CallingPrincipal>;
  /**
   * HTTPS to the hosts under `egress`. Needs `fetch`. Rejects with UPSTREAM_ERROR, UPSTREAM_TIMEOUT or EGRESS_DENIED.
   * Follows up to 5 redirects, to hosts under `egress` alone. As in browsers, a POST continues as a GET after 301 and 302, and
   * every method after 303: compare `status` with what the API answers when it has done what was asked.
   */
  fetch(url: string, init?: FetchInit): Promise<FetchResponse>;
  /** Tools of MCP servers of others. */
  readonly mcp: Mcp;
  /** The other tools of this version. */
  readonly tools: Tools;
  readonly model: Model;
  readonly tuner: Tuner;
  /** Tasks, and the runs that do them. */
  readonly work: Work;
  /** Files in the workspace of a run. Reads need `workspace.read`, writes `workspace.write`. */
  readonly fs: FileSystem;
  /** Commands in the workspace of a run, in a sandbox and as far as the policies allow. Needs `workspace.exec`. */
  readonly exec: Execution;
  /** Git of a run: its changes need `workspace.read`, a commit `workspace.write`. */
  readonly git: Git;
  /** Knowledge of the repository. Needs `repository.read`. */
  readonly repository: Repository;
  /** Signal that the caller no longer waits. After an abort no effect of the handler is kept. */
  readonly signal: Signal;
  /** Questions that the caller's side can answer. A call by REST or by another tool cannot ask any. */
  readonly client: ClientAbilities;
  /**
   * Asks the person behind the caller to fill in a form. Needs `elicit`. The first time a question is reached, the call
   * ends and nothing of it is kept; with the answer at hand the handler runs again from the start, and this resolves at
   * once. So ask before anything that cannot be undone. `key` names the question within the call. Rejects with
   * MISSING_CLIENT_CAPABILITY where the caller has no way to ask.
   */
  elicit<Filled = Readonly<Record<string, unknown>>>(key: string, form: Form): Promise<FormReply<Filled>>;
  /** Asks the caller's own model, in the same way. Needs `sample`. */
  sample(key: string, request: SampleRequest): Promise<SampleReply>;
  /** The folders that the caller works in, asked for in the same way. Needs `roots`. */
  roots(key?: string): Promise<readonly Root[]>;
  /**
   * Returns `output` with content for MCP clients in place of its JSON: text, images, audio, resources. Other protocols
   * get the output alone.
   */
  reply<Output>(output: Output, content: readonly Content[]): Output;
  /** An error to throw whose name and message reach the caller; anything else that is thrown is kept from them. */
  fail(name: FailName, message: string, details?: unknown): Error;
}

export interface CallInfo {
  /** UUID made by the server: for a stateful tool the session, for any tool the handle for feedback and logs. */
  readonly conversationId: string;
  /** Address of the conversation's log, as the output's `logs_uri` has it. */
  readonly logsUri: string;
  /** Name of the MCP server that the tool belongs to. */
  readonly server: string;
  /** Name of the tool. */
  readonly tool: string;
  /** Version that runs, such as `1.2.0`. */
  readonly version: string;
  /** Commit that the version is, 40 hexadecimal digits. */
  readonly commit: string;
}

export interface Signal {
  /** True once the caller cancelled the call, or its time was over. */
  readonly aborted: boolean;
  /** Runs `listener` when the call ends early: its time is over, or the caller has gone. */
  onAbort(listener: () => void): void;
  /** Throws once `aborted` is true, and otherwise does nothing. */
  throwIfAborted(): void;
}

/** The errors of Cairn's closed table that a handler may raise itself. */
export type FailName =
  | "BAD_REQUEST"
  | "CONFLICT"
  | "CONVERSATION_NOT_FOUND"
  | "FORBIDDEN"
  | "INVARIANT_VIOLATION"
  | "NODE_NOT_FOUND"
  | "NOT_FOUND"
  | "UNPROCESSABLE"
  | "UPSTREAM_ERROR";
