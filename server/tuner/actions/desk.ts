import { CairnError } from "../../errors.ts";
import type { Json, Key } from "../../store/store.ts";
import type { Version } from "../../versions/version.ts";
import type { Ledger, Ledgers } from "../ledgers.ts";
import type { TuningEvent } from "../state/tuning-event.ts";

/** Where tuning is done: one call of one tool, whose reads and writes are one transaction. */
export interface Desk {
  readonly version: Version;
  readonly tenant: string;
  readonly actor: string;
  /** Names what the call hands out. */
  readonly callId: string;
  readonly now: number;
  readonly ledgers: Ledgers;
  get(key: Key): Promise<Json | undefined>;
  set(key: Key, value: Json): void;
  append(log: string, entry: Json): void;
  /** Resolves once the records of all calls that were answered are written. */
  settled(): Promise<void>;
}

/** @throws NOT_FOUND naming the experiments that there are. */
export async function openExperiment({ ledgers, tenant, version }: Desk, name: string): Promise<Ledger> {
  const ledger = await ledgers.open(tenant, version, name);
  if (ledger !== undefined) return ledger;
  const names = experimentsOf(version).map((one) => `\`${one}\``);
  const known = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
  throw new CairnError("NOT_FOUND", `Version ${version.semver} has no experiment \`${name.slice(0, 64)}\`; ${known}.`);
}

/** Names of the parameter sets that are tuned, in order. */
export function experimentsOf({ parameters }: Version): readonly string[] {
  return [...parameters.values()]
    .filter(({ experiment }) => experiment !== undefined)
    .map(({ name }) => name)
    .sort();
}

export function record(desk: Desk, ledger: Ledger, event: TuningEvent): void {
  desk.append(ledger.log, event as unknown as Json);
}
