import { CairnError } from "../errors.ts";
import type { Execute, Outcome } from "./execute.ts";
import { keepLease } from "./keep-lease.ts";
import type { Sleep } from "./sleep.ts";
import type { WorkClient } from "./work-client.ts";
import type { ClaimedTask } from "./work-tools.ts";
import type { WorkerEvent } from "./worker-event.ts";

export interface AttendOptions {
  readonly client: WorkClient;
  readonly workerId: string;
  readonly execute: Execute;
  /** Milliseconds; absent: a third of the lease. */
  readonly heartbeatInterval?: number | undefined;
  readonly clock: () => number;
  readonly sleep: Sleep;
  readonly onEvent: (event: WorkerEvent) => void;
  /** Says that the worker cannot wait any longer: the task is given back. */
  readonly giveUp: AbortSignal;
}

/** Characters of a summary that the service takes. */
const SUMMARY_LENGTH = 10_000;

/** Does one task under its lease and tells the service how it came out, and then the caller. Never rejects. */
export async function attend(
  claimed: ClaimedTask,
  claimedAt: number,
  options: AttendOptions,
): Promise<Outcome["status"] | "lost"> {
  const { client, workerId, execute, clock, sleep, onEvent, giveUp } = options;
  const { task_id, run_id, title } = claimed;
  const held = { run_id, worker_id: workerId };
  const tell = (kind: WorkerEvent["kind"], message: string) => onEvent({ kind, task_id, run_id, message });
  const leaseMs = claimed.lease_seconds * 1000;
  const over = new AbortController();
  const loss = new AbortController();
  const signal = AbortSignal.any([loss.signal, giveUp]);
  tell("claimed", title);
  const lease = keepLease({
    beat: (beatSignal) => client.taskHeartbeat(held, { signal: beatSignal }),
    intervalMs: options.heartbeatInterval ?? leaseMs / 3,
    leaseMs,
    claimedAt,
    clock,
    sleep,
    signal: over.signal,
    onTrouble: (error) => tell("trouble", toMessage(error)),
  }).then((reason) => {
    if (reason !== undefined) loss.abort(reason);
  });
  try {
    const outcome = await untilAborted(signal, (async () => execute(claimed, { client, signal, tell: progress }))());
    if (loss.signal.aborted) return lose(String(loss.signal.reason));
    // A lease that is needed until the end is known is kept until then.
    return await finish(outcome ?? { status: "released", summary: "The worker stops." });
  } catch (error) {
    return lose(toMessage(error));
  } finally {
    over.abort();
    await lease;
  }

  function progress(message: string): void {
    tell("progress", message);
  }

  function lose(message: string): "lost" {
    tell("lost", message);
    return "lost";
  }

  async function finish({ status, summary, ...outcome }: Outcome): Promise<Outcome["status"]> {
    const result_summary = summary.slice(0, SUMMARY_LENGTH);
    if (status === "released") {
      const isGivenBack = "isGivenBack" in outcome && outcome.isGivenBack === true;
      if (!isGivenBack) await client.taskRelease({ ...held, reason: result_summary });
    } else if (status === "failed") await client.taskComplete({ ...held, task_id, status, result_summary });
    else if (status === "completed") {
      try {
        await client.taskComplete({ ...held, task_id, status, result_summary });
      } catch (error) {
        // Its evidence may be missing: then the attempt has failed. If the lease is lost, this is refused as well.
        if (!(error instanceof CairnError) || error.name !== "CONFLICT") throw error;
        return finish({ status: "failed", summary: error.message });
      }
    }
    tell(status, result_summary);
    return status;
  }
}

/** Returns the outcome of the work or of its failure; undefined as soon as the signal aborts, however the work ends then. */
async function untilAborted(signal: AbortSignal, work: Promise<Outcome>): Promise<Outcome | undefined> {
  const settled = work.catch(toOutcome);
  if (signal.aborted) return undefined;
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
    void settled.then(resolve);
  });
}

/** Outcome of work that was rejected. A limit says nothing about the task: it is given back, and no attempt is lost. */
function toOutcome(error: unknown): Outcome {
  const isLimited = error instanceof CairnError && error.name === "RATE_LIMITED";
  return { status: isLimited ? "released" : "failed", summary: toMessage(error) };
}

function toMessage(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
