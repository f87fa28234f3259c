import type { Cancellation } from "../../cancellation.ts";
import type { ClientAbilities } from "../../host-api.ts";
import type { Json } from "../../store/store.ts";
import type { Limits, Program } from "../../versions/version.ts";

/** One call of one handler, as the sandbox needs it. */
export interface SandboxCall {
  readonly program: Program;
  /** One object for all calls of a tool: an isolate hears of it once. */
  readonly tool: ToolFacts;
  readonly input: Json;
  /** The input as JSON text; absent where nobody has written it yet. */
  readonly inputText?: string;
  readonly conversationId: string;
  /** `NO_PARAMETERS`, or experiment to parameter to value. */
  readonly params: Json;
  /** Questions that the caller can be asked. */
  readonly client: ClientAbilities;
  /** Makes `ctx.random()` reproducible: 32 hexadecimal digits. */
  readonly seed: string;
  readonly limits: Limits;
  /** Another call may be waiting for it, so it must not wait for the end of that one. */
  readonly isNested: boolean;
  /** Carries out what the handler asked of `ctx`; a CairnError reaches the handler as one, with name and message. */
  readonly syscall: (name: string, args: Json) => Promise<Json | undefined>;
  /**
   * True when something of it cannot be undone. Such a call enters an isolate by itself; when it is lost through no fault of
   * its own all the same, it ends as UNAVAILABLE.
   */
  readonly isFinal: () => boolean;
  /** Forgets what the call has staged: it was lost through no fault of its own, and runs again. */
  readonly restart: () => void;
  /** The time that the handler sees, in milliseconds since 1970, asked at its start and with each answer; absent: that of the entry. */
  readonly clock?: () => number;
  readonly signal?: Cancellation;
}

/** The `params` of calls of tools that read no parameters. */
export const NO_PARAMETERS: { readonly [experiment: string]: Json } = Object.freeze({});

/** Facts of a tool that all its calls share. */
export interface ToolFacts {
  /** Module of the program whose default export is called. */
  readonly handler: string;
  readonly server: string;
  readonly name: string;
  readonly version: string;
  readonly commit: string;
  /** With the conversation's id behind it, the address of its logs. */
  readonly logsPrefix: string;
  /** Parts of `ctx` that exist; the host side of each checks again. */
  readonly clock: boolean;
  readonly random: boolean;
  readonly model: boolean;
  /** True where nothing can refuse writes to `ctx.state`, so that they need no answer. */
  readonly stages: boolean;
}

/** The result of a handler: its output and, where it says so, content that clients are shown instead of the output's JSON. */
export interface Returned {
  readonly output: Json | undefined;
  /** Unchecked. */
  readonly content?: Json;
}

/**
 * Runs handlers without ambient authority, in V8 isolates inside a process of their own, so that the worst a handler
 * can do is to end its own call. `run` resolves with the handler's result, or rejects with a CairnError: what the
 * handler raised by `ctx.fail` or a syscall by failing, or TIME_LIMIT, CPU_LIMIT, MEMORY_LIMIT, NEVER_SETTLES,
 * RESULT_TOO_LARGE, OUTPUT_INVALID (JSON cannot carry the result), CANCELLED, UNAVAILABLE (closed, or not to be run),
 * HANDLER_ERROR (any other throw; `cause` has the handler's error text and stack), INTERNAL_ERROR (its isolate crashed).
 */
export interface Sandbox {
  run(call: SandboxCall): Promise<Returned>;
  /** Loads a program ahead of its first call; rejects when a handler does not compile, link or evaluate. */
  warm(program: Program): Promise<void>;
  stats(): SandboxStats;
  close(): Promise<void>;
}

export interface SandboxStats {
  readonly processes: number;
  readonly isolates: number;
  readonly running: number;
  /** Isolates and processes that had to be replaced since the start. */
  readonly replaced: number;
  /** Those whose calls run one at a time, in processes apart, and how many of their calls wait. */
  readonly offenders: readonly Offender[];
  readonly waiting: number;
  /** Number of new or extended entries since the start. */
  readonly strikes: Readonly<Record<LossReason, number>>;
}

/** A version's handlers, for one tenant, or one caller's artifacts, that took isolates down lately. */
export interface Offender {
  readonly tenant?: string;
  /** The tool that struck last; absent when it was the program itself, while it was loaded. */
  readonly tool?: string;
  readonly version?: string;
  readonly commit?: string;
  readonly reason: LossReason;
  readonly strikes: number;
  /** Milliseconds until its calls run beside others again. */
  readonly left: number;
}

/**
 * Reasons for the loss of isolates: too much processor time, memory or wall time, a silent process, or an unforeseen end.
 */
export type LossReason = "cpu" | "memory" | "clock" | "silence" | "crash";
