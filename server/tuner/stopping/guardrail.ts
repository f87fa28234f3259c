import { CairnError } from "../../errors.ts";
import type { Interval } from "./interval.ts";

/**
 * What a confidence sequence of a guarded metric says of its limit: `breached` when the mean is above it, `kept` when it
 * is not, both up to the sequence's alpha, and `open` while either may be. It may be asked after every value.
 */
export function checkGuardrail({ low, high }: Interval, max: number): "breached" | "kept" | "open" {
  if (!Number.isFinite(max)) throw new CairnError("BAD_REQUEST", `The limit is \`${max}\`; it must be a number.`);
  if (low > max) return "breached";
  return high <= max ? "kept" : "open";
}
