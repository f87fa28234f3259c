import type { RunningCall } from "../../kernel/call.ts";
import { createMemberCheck } from "../../kernel/arguments.ts";
import type { Json } from "../../store/store.ts";
import type { Revoked } from "../../versions/policy.ts";
import type { Ledgers } from "../tuner/ledgers.ts";
import type { Owned, WorkDesk } from "../work/desk.ts";
import type { Run } from "../work/run.ts";
import type { WorkDeskOptions } from "../work/work-desk.ts";
import type { RunWorkspaceOptions } from "./nodes/open-run-workspace.ts";
import type { RunWorkspace } from "./nodes/run-workspace.ts";
import type { PlanObjective } from "./workspace.ts";

export interface WorkspaceSyscallOptions extends WorkDeskOptions, RunWorkspaceOptions {
  /** Reads what no version may use any more, as of now; absent: nothing. */
  readonly revoked?: () => Revoked;
  /** Plans objectives in words. */
  readonly plan?: PlanObjective;
  /** Records of experiments, for plans by evidence. */
  readonly ledgers: Ledgers;
  /** Milliseconds since 1970, as deadlines of calls count them. */
  readonly now: () => number;
}

/** Schema of the id of a run. */
export const RUN = { type: "string", minLength: 1, maxLength: 64 };

export const runArguments = (name: string) => createMemberCheck<{ runId: string }>(name, ["runId"], { runId: RUN });

/** The outcome of one syscall in the workspace of a run; `details` go into the journal. */
export interface Outcome {
  readonly answer: unknown;
  readonly details?: Readonly<Record<string, Json>>;
}

export interface InRun {
  readonly desk: WorkDesk;
  readonly run: Owned<Run>;
  readonly workspace: RunWorkspace;
  readonly call: RunningCall;
  readonly options: WorkspaceSyscallOptions;
}

/** Reads the arguments of one syscall, and gives the run that they name with what is to be done in it. */
export type Prepare = (args: unknown) => { readonly runId: string; readonly act: (inRun: InRun) => Promise<Outcome> };

export function prepare<Arguments extends { readonly runId: string }>(
  check: (args: unknown) => Arguments,
  act: (inRun: InRun, args: Arguments) => Promise<Outcome>,
): Prepare {
  return (unchecked) => {
    const args = check(unchecked);
    return { runId: args.runId, act: (inRun) => act(inRun, args) };
  };
}
