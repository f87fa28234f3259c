import type { Context } from "../../../server/host-api.ts";
import type { Layer } from "./layer.ts";

/** All there ever is: what no principal has is in the treasury. */
const TOTAL = 1_000_000_000_000;

/** Origin of an entry: a principal's transfer, a price, or the treasurer. */
type Kind = "transfer" | "payment" | "issue";

/** An entry of the lineage. `from` is absent where it came from the treasury. */
export interface Movement {
  readonly kind: Kind;
  readonly from?: string;
  readonly to: string;
  readonly amount: number;
  /** Balances of both afterwards. */
  readonly balances: { readonly from: number; readonly to: number };
  /** The artifact whose price was paid. */
  readonly artifact?: string;
}

const TREASURY = ["treasury"];
const toAccount = (principal: string) => ["account", principal];

export async function loadBalance(layer: Layer, principal: string): Promise<number> {
  return (await layer.get<number>(toAccount(principal))) ?? 0;
}

async function loadTreasury(layer: Layer): Promise<number> {
  return (await layer.get<number>(TREASURY)) ?? TOTAL;
}

interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly amount: number;
  readonly artifact?: string;
}

/** Moves an amount from one principal to another; CONFLICT when there is not so much, BAD_REQUEST when they are one. */
export async function transfer(
  { fail }: Pick<Context, "fail">,
  layer: Layer,
  { from, to, amount, artifact }: Transfer,
): Promise<Movement> {
  if (from === to) throw fail("BAD_REQUEST", "`to` must be somebody else than who pays.");
  assertAmount(fail, amount);
  const [has, gets] = [await loadBalance(layer, from), await loadBalance(layer, to)];
  if (has < amount) {
    const what = artifact === undefined ? "" : `, the price of \`${artifact}\``;
    throw fail("CONFLICT", `\`${from}\` has ${has} and cannot pay ${amount}${what}.`, { balance: has, needed: amount });
  }
  const balances = { from: has - amount, to: gets + amount };
  await layer.set(toAccount(from), balances.from);
  await layer.set(toAccount(to), balances.to);
  const movement =
    artifact === undefined
      ? ({ kind: "transfer", from, to, amount, balances } as const)
      : ({ kind: "payment", from, to, amount, balances, artifact } as const);
  await layer.append(movement);
  return movement;
}

/** Gives out what the treasury holds; CONFLICT when it has not so much. */
export async function issue(
  { fail }: Pick<Context, "fail">,
  layer: Layer,
  { to, amount }: Pick<Transfer, "to" | "amount">,
): Promise<Movement> {
  assertAmount(fail, amount);
  const [has, gets] = [await loadTreasury(layer), await loadBalance(layer, to)];
  if (has < amount) throw fail("CONFLICT", `The treasury has ${has}, which is less than ${amount}.`);
  const balances = { from: has - amount, to: gets + amount };
  await layer.set(TREASURY, balances.from);
  await layer.set(toAccount(to), balances.to);
  const movement = { kind: "issue", to, amount, balances } as const;
  await layer.append(movement);
  return movement;
}

function assertAmount(fail: Context["fail"], amount: number): void {
  if (!Number.isSafeInteger(amount) || amount < 1) throw fail("BAD_REQUEST", "`amount` must be a whole number from 1.");
}
