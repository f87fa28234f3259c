import { CairnError } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import { spentKey } from "../../store/keys.ts";
import type { Key, Store } from "../../store/store.ts";
import type { CommitPart } from "../transaction.ts";
import { type Allowances, rateLimited } from "./allowances.ts";
import type { Call } from "../call.ts";
import { DAY_MS } from "../../text/duration.ts";

/** The cost of one call, set aside until it is written with the call's record. */
export interface Charge {
  /** `max` guards the budget in the store as well; the record of a call that failed must not fail on it. */
  toAdds(guarded: boolean): NonNullable<CommitPart["add"]>;
  /** Once the record is written, or nothing is owed. */
  release(): void;
}

/** Sums of costs by UTC day, of tenants and their actors, shared by all versions. */
export interface Budgets {
  /**
   * Sets the cost of a call aside, or rejects with RATE_LIMITED; undefined when no budget counts it. When the store cannot
   * say what was spent, a call with side effects is UNAVAILABLE, and one without goes on.
   */
  charge(call: Call, allowances: Allowances): Promise<Charge | undefined>;
  /** Loads the costs of today, of a tenant and of one of its actors. */
  spent(tenant: string, actor: string): Promise<readonly [ofTenant: number, ofActor: number]>;
}

interface Account {
  readonly of: "tenant" | "actor";
  readonly name: string;
  readonly key: Key;
  readonly max: number;
}

export interface BudgetOptions {
  readonly store: Store;
  readonly now: () => number;
  readonly log: Log;
  /** Milliseconds since 1970 as the store counts them, where other nodes use it as well; absent: none does. */
  readonly sharedTime?: () => number;
}

export function createBudgets({ store, now, log, sharedTime }: BudgetOptions): Budgets {
  /** By key; only of calls that are under way. */
  const aside = new Map<string, number>();
  const change = ({ key }: Account, units: number) => {
    const id = JSON.stringify(key);
    const sum = (aside.get(id) ?? 0) + units;
    if (sum > 0) aside.set(id, sum);
    else aside.delete(id);
    return sum;
  };

  async function load(keys: readonly Key[]): Promise<readonly number[]> {
    const entries = await store.getMany(keys);
    return entries.map((entry) => (typeof entry?.value === "number" ? entry.value : 0));
  }

  return {
    async spent(tenant, actor) {
      const day = toDay(now());
      const [ofTenant = 0, ofActor = 0] = await load([spentKey(tenant, day), spentKey(tenant, day, actor)]);
      return [ofTenant, ofActor];
    },
    async charge(call, allowances) {
      const { units } = call.tool.cost;
      const moment = now();
      const accounts = units > 0 ? toAccounts(call, allowances, moment) : [];
      if (accounts.length === 0) return undefined;
      if (sharedTime !== undefined) return chargeShared(store, log, call, accounts, DAY_MS - (moment % DAY_MS));
      // Set aside before the store is asked: whoever asks meanwhile counts it.
      const sums = accounts.map((account) => change(account, units));
      const release = () => {
        for (const account of accounts.splice(0)) change(account, -units);
      };
      try {
        const before = await load(accounts.map(({ key }) => key));
        for (const [index, { of, name, max }] of accounts.entries()) {
          if ((before[index] ?? 0) + (sums[index] ?? 0) <= max) continue;
          throw rateLimited({ limit: "dailyCost", of, name, allowed: max, retryMs: DAY_MS - (moment % DAY_MS) });
        }
      } catch (error) {
        if (error instanceof CairnError && error.name === "RATE_LIMITED") {
          release();
          throw error;
        }
        if (call.tool.sideEffect) release();
        assertHarmless(call, error, log);
      }
      return {
        release,
        toAdds: (guarded) => accounts.map(({ key, max }) => ({ key, delta: units, ...(guarded ? { max } : {}) })),
      };
    },
  };
}

/** Goes on with a call without side effects when the budget cannot be asked. @throws UNAVAILABLE for any other */
function assertHarmless({ tool }: Call, error: unknown, log: Log): void {
  if (tool.sideEffect) {
    const message = "What was spent today cannot be found out now, and so nothing with side effects is done.";
    throw new CairnError("UNAVAILABLE", message, { cause: error });
  }
  log.error({ err: error, tool: tool.name }, "budget could not be asked; the call has no side effects");
}

/** Writes the cost before the call runs, where other nodes spend from the same budget, and takes it back where nothing is owed. */
async function chargeShared(
  store: Store,
  log: Log,
  call: Call,
  accounts: readonly Account[],
  retryMs: number,
): Promise<Charge | undefined> {
  const { units } = call.tool.cost;
  try {
    const result = await store.commit({ add: accounts.map(({ key, max }) => ({ key, delta: units, max })) });
    if (!result.ok) {
      const id = JSON.stringify(result.conflict);
      for (const { of, name, key, max } of accounts) {
        if (JSON.stringify(key) === id) throw rateLimited({ limit: "dailyCost", of, name, allowed: max, retryMs });
      }
    }
  } catch (error) {
    if (error instanceof CairnError && error.name === "RATE_LIMITED") throw error;
    assertHarmless(call, error, log);
    return undefined;
  }
  let isOwed = false;
  return {
    toAdds() {
      isOwed = true;
      return [];
    },
    release() {
      if (isOwed) return;
      isOwed = true;
      store.commit({ add: accounts.map(({ key }) => ({ key, delta: -units })) }).catch((error: unknown) => {
        log.error({ err: error, tool: call.tool.name }, "cost of a call that owes nothing stays counted");
      });
    },
  };
}

function toDay(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

function toAccounts({ principal }: Call, { tenant, actor }: Allowances, moment: number): Account[] {
  const day = toDay(moment);
  const accounts: Account[] = [];
  if (tenant.dailyCost !== undefined) {
    accounts.push({
      of: "tenant",
      name: principal.tenant,
      key: spentKey(principal.tenant, day),
      max: tenant.dailyCost,
    });
  }
  if (actor.dailyCost !== undefined) {
    const key = spentKey(principal.tenant, day, principal.actor);
    accounts.push({ of: "actor", name: principal.actor, key, max: actor.dailyCost });
  }
  return accounts;
}
