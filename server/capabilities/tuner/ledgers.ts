import { LRUCache } from "lru-cache";
import { tuningLog } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import type { Version } from "../../versions/version.ts";
import { type Ancestor, type Ledger, openLedger } from "./ledger.ts";
import { toTunedSet } from "./state/tuned-set.ts";

/** Experiments kept in memory. */
const LEDGER_LIMIT = 1000;
/** Ancestors that are looked at: beyond as many releases that a tenant never used, evidence is old. */
const ANCESTOR_LIMIT = 32;

export interface Ledgers {
  /** Undefined where the version has no such experiment. */
  open(tenant: string, version: Version, name: string): Promise<Ledger> | Ledger | undefined;
}

/** The nearest served version that a version was made from; undefined where there is none. */
export type FindParent = (version: Version) => Promise<Version | undefined>;

export interface LedgersOptions {
  readonly store: Store;
  readonly now: () => number;
  /** Absent: every version begins anew. */
  readonly findParent?: FindParent | undefined;
}

/** The states of experiments, each a fold of its log. Nothing but the log is needed to have them. */
export function createLedgers({ store, now, findParent = async () => undefined }: LedgersOptions): Ledgers {
  const ledgers = new LRUCache<string, Ledger | Promise<Ledger>>({ max: LEDGER_LIMIT });

  function open(tenant: string, version: Version, name: string): Promise<Ledger> | Ledger | undefined {
    const key = tuningLog(tenant, version.commit, name);
    const known = ledgers.get(key);
    if (known !== undefined) return known;
    const parameters = version.parameters.get(name);
    const set = parameters && toTunedSet(parameters, tenant, version.commit);
    if (set === undefined) return undefined;
    const findAncestor = () => findTuned(tenant, version, name);
    const opening = openLedger({ store, now, findAncestor }, { tenant, commit: version.commit, set });
    ledgers.set(key, opening);
    opening.then(
      (ledger) => ledgers.set(key, ledger),
      () => ledgers.delete(key),
    );
    return opening;
  }

  /** The nearest ancestor where this experiment has events, as far as every one in between has the experiment, too. */
  async function findTuned(tenant: string, version: Version, name: string): Promise<Ancestor | undefined> {
    let parent = await findParent(version);
    for (let steps = 0; parent !== undefined && steps < ANCESTOR_LIMIT; steps += 1) {
      const ledger = await open(tenant, parent, name);
      if (ledger === undefined) return undefined;
      const recorded = await ledger.readRecorded();
      if (recorded.seq >= 0) return { ledger, state: recorded, version: parent.semver, commit: parent.commit };
      parent = await findParent(parent);
    }
    return undefined;
  }

  return { open };
}
