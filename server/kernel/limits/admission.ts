import type { Ceilings } from "../../config/allowance.ts";
import { CairnError } from "../../errors.ts";
import { type Allowances, createAllowances } from "./allowances.ts";
import { type BudgetOptions, type Charge, createBudgets } from "./budgets.ts";
import type { Call } from "../call.ts";
import { type Counted, createMeter, type Taken } from "./meter.ts";
import { createSharedMeter } from "./shared-meter.ts";
import { rateLimited } from "./rate-limited.ts";

/** A call that may go on. Absent: nothing limits it. */
export interface Place {
  /** Sets aside what the call costs, once it is to run; see `Budgets`. */
  charge(): Promise<Charge | undefined>;
  leave(): void;
}

/** RATE_LIMITED when a rate or a number of calls at once is used up. A promise where other nodes count as well. */
export type Admit = (call: Call) => Place | undefined | Promise<Place>;

export interface AdmissionOptions extends BudgetOptions {
  readonly ceilings: Ceilings;
  /** Milliseconds that nobody sets back. */
  readonly elapsed: () => number;
}

/** Admission of calls, and the end of what it holds in the store. */
export interface Admission {
  readonly admit: Admit;
  close(): Promise<void>;
}

/**
 * Holds calls to what their version's policies and the operator allow, before anything is done for them. Calls that
 * handlers make count for their tools and their cost only: whoever holds a place must not need another to go on.
 */
export function createAdmission({ ceilings, elapsed, ...options }: AdmissionOptions): Admission {
  const { store, sharedTime } = options;
  const allowancesOf = createAllowances(ceilings);
  const shared = sharedTime && createSharedMeter(store, sharedTime);
  const meter = shared ?? createMeter(elapsed);
  const budgets = createBudgets(options);

  function toPlace(call: Call, allowances: Allowances, counted: readonly CountedParty[], taken: Taken): Place {
    if (taken.ok) return { charge: () => budgets.charge(call, allowances), leave: taken.release };
    const { index, limit, retryMs } = taken;
    const met = counted[index];
    if (limit === "counters" || met === undefined) {
      throw new CairnError("UNAVAILABLE", "More callers are limited at once than can be counted; try again later.");
    }
    throw rateLimited({ limit, of: met.of, name: met.name, allowed: met.allowance[limit] ?? 0, retryMs });
  }

  const admit: Admit = (call) => {
    const allowances = allowancesOf(call.version, call.tool);
    if (allowances === undefined) return undefined;
    const counted = toCounted(call, allowances);
    const taken = meter.take(counted);
    if (!(taken instanceof Promise)) return toPlace(call, allowances, counted, taken);
    return taken.then((later) => toPlace(call, allowances, counted, later));
  };

  return { admit, close: async () => shared?.close() };
}

type CountedParty = Counted & { readonly of: "tenant" | "actor" | "tool"; readonly name: string };

function toCounted({ principal, tool, parent }: Call, allowances: Allowances): readonly CountedParty[] {
  const { tenant, actor } = principal;
  const all: CountedParty[] = [];
  const count = (of: CountedParty["of"], name: string, key: readonly string[]) => {
    const allowance = allowances[of];
    if (allowance.rate === undefined && allowance.concurrency === undefined) return;
    all.push({ of, name, key: JSON.stringify(key), allowance });
  };
  if (parent === undefined) {
    count("tenant", tenant, [tenant]);
    count("actor", actor, [tenant, "actor", actor]);
  }
  count("tool", tool.name, [tenant, "tool", tool.name]);
  return all;
}
