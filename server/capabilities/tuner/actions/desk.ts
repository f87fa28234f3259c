import { CairnError } from "../../../errors.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import type { Json } from "../../../store/store.ts";
import type { Version } from "../../../versions/version.ts";
import type { Ledger } from "../ledger.ts";
import type { Ledgers } from "../ledgers.ts";
import { foldEvent } from "../state/fold-event.ts";
import type { TunedSet } from "../state/tuned-set.ts";
import type { TuningEvent } from "../state/tuning-event.ts";
import type { TuningState } from "../state/tuning-state.ts";

/** A transaction of tuning: who tunes in it, and which version's experiments. */
export interface Desk extends Pick<Transaction, "get" | "set" | "append"> {
  readonly version: Version;
  readonly tenant: string;
  readonly actor: string;
  /** Names what the call hands out. */
  readonly callId: string;
  readonly now: number;
  readonly ledgers: Ledgers;
  /** Resolves once the records of all calls that were answered are written. */
  settled(): Promise<void>;
}

/** A desk at which conversations are rewarded. */
export interface RewardDesk extends Desk {
  /** Finds the record of a call with the version, outside of the transaction: such records never change. */
  findCall(id: string): Promise<Json | undefined>;
}

/** An experiment as one call sees and moves it. */
export interface Book {
  readonly ledger: Ledger;
  readonly set: TunedSet;
  /** With what it begins with, and with what the call has entered so far. */
  state(): TuningState;
  /** Stages an event. The first of all events has what the experiment begins with before it. */
  enter(event: TuningEvent): void;
  /** Counts an event that is staged already. */
  count(event: TuningEvent): void;
}

/** @throws NOT_FOUND naming the experiments that there are. */
export async function openExperiment({ ledgers, tenant, version }: Desk, name: string): Promise<Ledger> {
  const ledger = await ledgers.open(tenant, version, name);
  if (ledger !== undefined) return ledger;
  const names = experimentsOf(version).map((one) => `\`${one}\``);
  const known = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
  throw new CairnError("NOT_FOUND", `Version ${version.semver} has no experiment \`${name.slice(0, 64)}\`; ${known}.`);
}

/** @throws NOT_FOUND naming the experiments that there are. */
export async function openBook(desk: Desk, name: string): Promise<Book> {
  const ledger = await openExperiment(desk, name);
  const { set } = ledger;
  const recorded = await ledger.readRecorded();
  let opening = ledger.hasBegun() ? undefined : await ledger.prepareOpening();
  let state = opening === undefined ? recorded : foldEvent(set, recorded, opening);
  return {
    ledger,
    set,
    state: () => state,
    enter(event) {
      if (opening !== undefined) record(desk, ledger, opening);
      opening = undefined;
      record(desk, ledger, event);
      state = foldEvent(set, state, event);
    },
    count: (event) => void (state = foldEvent(set, state, event)),
  };
}

/** Names of the parameter sets that are tuned, in order. */
export function experimentsOf({ parameters }: Version): readonly string[] {
  return [...parameters.values()]
    .filter(({ experiment }) => experiment !== undefined)
    .map(({ name }) => name)
    .sort();
}

export function record(desk: Desk, ledger: Ledger, event: TuningEvent): void {
  desk.append(ledger.log, () => event as unknown as Json);
}
