import { toTime } from "../../../text/to-time.ts";
import type { Ledger } from "../ledger.ts";
import type { TuningEvent } from "../state/tuning-event.ts";

/** One line of `eval://micro_results.jsonl`: a reward, and what is needed to judge other strategies by it. */
export interface MicroResult {
  readonly experiment: string;
  readonly seq: number;
  readonly kind: "rewarded" | "observed" | "told" | "failed";
  readonly conversation_id?: string;
  readonly arm?: string;
  readonly candidate?: string;
  readonly propensities?: Readonly<Record<string, number>>;
  /** As it was sent. */
  readonly reward?: number;
  /** On [0, 1], where 1 is best; null for a candidate that failed. */
  readonly scaled: number | null;
  readonly assigned_at?: string;
  readonly at: string;
}

/** The results of one experiment from event `from` on, oldest first. */
export async function* readResults({ set, events }: Ledger, from: number): AsyncIterable<MicroResult> {
  for await (const { seq, event } of events(from)) {
    const result = toResult(event);
    if (result !== undefined) yield { experiment: set.name, seq, ...result };
  }
}

function toResult(event: TuningEvent): Omit<MicroResult, "experiment" | "seq"> | undefined {
  const { kind } = event;
  if (kind !== "rewarded" && kind !== "observed" && kind !== "told" && kind !== "failed") return undefined;
  const at = toTime(event.at);
  switch (kind) {
    case "observed":
      return { kind, arm: event.arm, reward: event.reward, scaled: event.scaled, at };
    case "told":
      return { kind, candidate: event.candidate, scaled: event.scaled, at };
    default: {
      const { conversation, arm, candidate, propensities } = event;
      return {
        kind,
        conversation_id: conversation,
        ...(arm === undefined ? {} : { arm }),
        ...(candidate === undefined ? {} : { candidate }),
        ...(propensities === undefined ? {} : { propensities }),
        ...(kind === "rewarded"
          ? { reward: event.reward, scaled: event.scaled, assigned_at: toTime(event.assignedAt) }
          : { scaled: 0 }),
        at,
      };
    }
  }
}
