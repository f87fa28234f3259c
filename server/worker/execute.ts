import type { WorkClient } from "./work-client.ts";
import type { ClaimedTask } from "./work-tools.ts";

/** Outcome of the work on a task. `blocked`: its run waits for an approval, and the lease is gone already. */
export type Outcome =
  | { readonly status: "completed" | "failed"; readonly summary: string }
  | { readonly status: "blocked"; readonly summary: string }
  /** Given back, for others to do; `isGivenBack` where the service has done that already. */
  | { readonly status: "released"; readonly summary: string; readonly isGivenBack?: boolean };

export interface ExecuteContext {
  readonly client: WorkClient;
  /** Aborted when the lease is lost or the worker has to stop: whatever is still written then is refused. */
  readonly signal: AbortSignal;
  /** Tells whoever listens to the worker how far it is. */
  readonly tell: (message: string) => void;
}

/** Does a task; a rejection means that it failed. */
export type Execute = (claimed: ClaimedTask, context: ExecuteContext) => Promise<Outcome>;

/** Has the service do the steps of the task's workflow, one after the other. */
export const executeSteps: Execute = async ({ run_id, workflow }, { client, signal, tell }) => {
  // The run itself keeps what each step said.
  let last: string | undefined;
  for (;;) {
    const { state, step = "", message } = await client.runAdvance({ run_id }, { signal });
    if (step !== "") {
      const line = message === undefined ? step : `${step}: ${message}`;
      last = line;
      tell(line);
    }
    if (state === "step") continue;
    if (last === undefined) {
      return { status: "failed", summary: `The workflow \`${workflow}\` has no steps, so nothing was done.` };
    }
    if (state === "released") return { status: state, summary: last, isGivenBack: true };
    return { status: state === "done" ? "completed" : state, summary: last };
  }
};
