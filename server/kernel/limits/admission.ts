import type { Allowance, Ceilings } from "../../config/allowance.ts";
import { CairnError } from "../../errors.ts";
import type { Principal } from "../../principal.ts";
import type { Tool, Version } from "../../versions/version.ts";
import { type Allowances, createAllowances, rateLimited } from "./allowances.ts";
import { type BudgetOptions, type Charge, createBudgets } from "./budgets.ts";
import type { Call } from "../call.ts";
import { type Counted, createMeter, type Taken } from "./meter.ts";
import { createSharedMeter } from "./shared-meter.ts";

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

/** Limits of one party, each with its use. An absent member is unlimited. */
export interface LimitUse {
  /** Calls a minute, and those that are left at this moment. */
  readonly rate?: { readonly allowed: number; readonly left: number };
  /** Calls at once, and those that run. */
  readonly concurrency?: { readonly allowed: number; readonly running: number };
  /** Sum of the costs of a day (UTC), and of the costs of today. */
  readonly dailyCost?: { readonly allowed: number; readonly spent: number };
}

/** Limits of the calls of one caller in one version. */
export interface Limits {
  readonly tenant: LimitUse;
  readonly actor: LimitUse;
  /** Tools that have a limit of their own, by name. */
  readonly tools: Readonly<Record<string, LimitUse>>;
}

/** Admission of calls, and the end of what it holds in the store. */
export interface Admission {
  readonly admit: Admit;
  /** Looks at the limits of a caller's calls of some tools of a version. It counts nothing. */
  look(version: Version, tools: readonly Tool[], principal: Principal): Promise<Limits>;
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

  const toUse = async (key: readonly string[], allowance: Allowance, spent = 0): Promise<LimitUse> => {
    const { rate, concurrency, dailyCost } = allowance;
    const { left = 0, running } = await meter.look({ key: JSON.stringify(key), allowance });
    return {
      ...(rate === undefined ? {} : { rate: { allowed: rate, left } }),
      ...(concurrency === undefined ? {} : { concurrency: { allowed: concurrency, running } }),
      ...(dailyCost === undefined ? {} : { dailyCost: { allowed: dailyCost, spent } }),
    };
  };

  return Object.freeze<Admission>({
    admit,
    async look(version, tools, { tenant, actor }) {
      const found = tools.map((tool) => [tool.name, allowancesOf(version, tool)] as const);
      const common = found.find(([, allowances]) => allowances !== undefined)?.[1];
      const [ofTenant, ofActor] = await budgets.spent(tenant, actor);
      const own = await Promise.all(
        found.map(
          async ([name, allowances]) => [name, await toUse(toKey.tool(tenant, name), allowances?.tool ?? {})] as const,
        ),
      );
      return {
        tenant: await toUse(toKey.tenant(tenant), common?.tenant ?? {}, ofTenant),
        actor: await toUse(toKey.actor(tenant, actor), common?.actor ?? {}, ofActor),
        tools: Object.fromEntries(own.filter(([, use]) => Object.keys(use).length > 0)),
      };
    },
    close: async () => shared?.close(),
  });
}

/** Names of counters. */
const toKey = {
  tenant: (tenant: string) => [tenant],
  actor: (tenant: string, actor: string) => [tenant, "actor", actor],
  tool: (tenant: string, tool: string) => [tenant, "tool", tool],
} as const;

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
    count("tenant", tenant, toKey.tenant(tenant));
    count("actor", actor, toKey.actor(tenant, actor));
  }
  count("tool", tool.name, toKey.tool(tenant, tool.name));
  return all;
}
