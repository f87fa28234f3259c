import type { TuningProposal } from "../../server/architect/planners/planner.ts";
import { propose } from "../../server/capabilities/tuner/actions/propose.ts";
import type { Ledger } from "../../server/capabilities/tuner/ledger.ts";
import { foldEvent } from "../../server/capabilities/tuner/state/fold-event.ts";
import { toTunedSet } from "../../server/capabilities/tuner/state/tuned-set.ts";
import type { TuningEvent } from "../../server/capabilities/tuner/state/tuning-event.ts";
import { createTuningState } from "../../server/capabilities/tuner/state/tuning-state.ts";
import type { Version } from "../../server/versions/version.ts";

export type Events = Readonly<Record<string, readonly TuningEvent[]>>;

/** What `tuner.propose` says of a version after some events, by experiment. */
export function proposeAfter(version: Version, events: Events): (experiment: string) => Promise<TuningProposal> {
  const open = (name: string): Ledger | undefined => {
    const parameters = version.parameters.get(name);
    const set = parameters && toTunedSet(parameters, "acme", version.commit);
    if (set === undefined) return undefined;
    const list = events[name] ?? [];
    const state = list.reduce((now, event) => foldEvent(set, now, event), createTuningState(set));
    return {
      set,
      log: name,
      isFresh: () => true,
      latest: () => state,
      refresh: async () => undefined,
      hasBegun: () => true,
      read: async () => state,
      readRecorded: async () => state,
      prepareOpening: async () => ({ kind: "opened", rules: 2, at: 0 }),
      begin: async () => undefined,
      anticipate: () => undefined,
      async *events(from) {
        for (const [seq, event] of list.entries()) if (seq >= from) yield { seq, hash: `hash-${seq}`, event };
      },
    };
  };
  return (experiment) =>
    propose(
      {
        version,
        tenant: "acme",
        actor: "architect",
        callId: "call",
        now: 0,
        ledgers: { open: (_tenant, _version, name) => open(name) },
        get: async () => undefined,
        set: () => undefined,
        append: () => undefined,
        settled: async () => undefined,
      },
      { experiment },
    );
}

/** So many rewards of an arm, 1 or 0, with a mean in tenths. */
export function rewardsOf(arm: string, mean: number, count: number): readonly TuningEvent[] {
  return Array.from({ length: count }, (_, at) => {
    const reward = (at * 7) % 10 < mean * 10 ? 1 : 0;
    return { kind: "observed", arm, reward, scaled: reward, at } as const;
  });
}
