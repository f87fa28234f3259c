import type { Clause } from "../clause.ts";
import type { Place } from "../places/places.ts";
import { applyStep, toNumber } from "../words/values.ts";
import type { Given } from "./draft.ts";

/** What a number is to be read for: what may be set, what it is now, and the stems that it is called by. */
interface Counted extends Pick<Place, "accepts" | "now"> {
  readonly names: ReadonlySet<string>;
}

/** Finds the number that a clause gives for something. */
export function findNumber({ amounts, actions }: Clause, { accepts, now, names }: Counted): Given | undefined {
  if (accepts.kind !== "number") return undefined;
  const read = amounts.map((amount) => ({ amount, number: toNumber(amount, accepts, names) }));
  const others = read.filter(
    ({ amount, number }) => amount.role !== "from" && (amount.role !== "to" || number?.value !== now),
  );
  const wanted = others.length > 0 ? others : read.filter(({ amount }) => amount.role !== "from");
  const [only, ...more] = wanted;
  if (only === undefined || more.length > 0) return undefined;
  const stale = read.flatMap(({ amount, number }) =>
    amount !== only.amount && number?.value === now ? amount.tokens : [],
  );
  const from = read.find(({ amount }) => amount.role === "from");
  // A present value without a unit has the unit of the wanted one.
  const present =
    from === undefined
      ? undefined
      : toNumber({ ...from.amount, unit: from.amount.unit ?? only.amount.unit ?? "units" }, accepts, names)?.value;
  const isOther = from !== undefined && now !== present && now !== from.number?.value && now !== from.amount.value;
  const tokens = [...only.amount.tokens, ...(from?.amount.tokens ?? []), ...stale];
  if (only.amount.role === "factor" || only.amount.role === "by") {
    const { goes, role } = only.amount;
    const isUp = goes === undefined ? actions.has("raise") || !actions.has("lower") : goes === "up";
    const isOpen = goes === "open" || (goes === undefined && actions.has("raise") === actions.has("lower"));
    if (typeof now !== "number" || (role === "by" && isOpen)) return undefined;
    const step = applyStep(now, only.amount, { isUp, size: only.number?.value, accepts });
    if (step === undefined) return undefined;
    const isUnsure = role === "by" && (only.number?.isGuess === true || step.isOpen);
    return { value: step.value, tokens, doubt: (isOther ? 1.5 : 0) + (isUnsure ? 1 : 0) };
  }
  if (only.number === undefined) return undefined;
  const { value, isGuess } = only.number;
  const isBroken = accepts.whole === true && !Number.isInteger(value);
  return { value, tokens, doubt: (isGuess ? 1 : 0) + (isOther ? 1.5 : 0) + (isBroken ? 1 : 0) };
}
