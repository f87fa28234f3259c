import type { Json } from "../../store/store.ts";
import type { Syscall } from "../../versions/version.ts";
import type { RunningCall } from "./running-call.ts";

/** One entry of the table of what handlers may ask for. */
export interface SyscallDefinition {
  /** The name under `uses` that grants it; absent: every handler may. */
  readonly needs?: Syscall;
  /** Whether it changes anything that outlives the call; refused to tools with `sideEffect: false`. */
  readonly mutates?: boolean;
  /** Takes unchecked arguments from the handler and answers with what crosses back to it. */
  readonly run: (call: RunningCall, args: unknown) => Promise<Json | undefined> | Json | undefined;
}

export type SyscallTable = Readonly<Record<string, SyscallDefinition>>;
