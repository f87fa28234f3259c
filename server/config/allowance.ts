/** Limits of one user of the service; an absent member is unlimited. */
export interface Allowance {
  /** Calls a minute, all of which may come at once. */
  readonly rate?: number;
  /** Calls that run at the same time. */
  readonly concurrency?: number;
  /** Sum of the `cost.units` of a day's calls. */
  readonly dailyCost?: number;
}

/** Limits on what callers may take of a version: each tenant, each of its actors, and each tool within a tenant, by its name. */
export interface CallLimits {
  readonly tenant?: Allowance;
  readonly actor?: Allowance;
  readonly tools?: Readonly<Record<string, Omit<Allowance, "dailyCost">>>;
}

/** Allowances that no version can raise: of each tenant, of each of its actors, and of each tool within a tenant. */
export interface Ceilings {
  readonly tenant: Allowance;
  readonly actor: Allowance;
  readonly tool: Omit<Allowance, "dailyCost">;
}

export const NO_CEILINGS: Ceilings = Object.freeze({ tenant: {}, actor: {}, tool: {} });

const NAMES = ["rate", "concurrency", "dailyCost"] as const;

/** Unites limits: of each number the lowest holds. */
export function lowest(allowances: readonly (Allowance | undefined)[]): Allowance {
  const all: Record<string, number> = {};
  for (const name of NAMES) {
    const numbers = allowances.flatMap((allowance) => allowance?.[name] ?? []);
    if (numbers.length > 0) all[name] = Math.min(...numbers);
  }
  return all;
}

/** Reads `tenant.rate=600` and the like; `wrong` hears of what is none of it. */
export function readCeilings(pairs: readonly string[], wrong: (expected: string) => void): Ceilings {
  const ceilings: Record<keyof Ceilings, Record<string, number>> = { tenant: {}, actor: {}, tool: {} };
  for (const pair of pairs) {
    const [, scope, name = "", digits] =
      /^(tenant|actor|tool)\.(rate|concurrency|dailyCost)=(\d{1,12})$/.exec(pair) ?? [];
    const isKnown = scope === "tenant" || scope === "actor" || (scope === "tool" && name !== "dailyCost");
    if (isKnown && Number(digits) >= 1) ceilings[scope][name] = Number(digits);
    else {
      wrong(
        `\`${pair}\` must be \`tenant\`, \`actor\` or \`tool\`, a dot, \`rate\`, \`concurrency\` or (not of a tool) \`dailyCost\`, and \`=\` with a whole number from 1`,
      );
    }
  }
  return ceilings;
}
