import { type Assigner, createAssigner } from "./assigner.ts";
import { createLedgers, type Ledgers, type LedgersOptions } from "./ledgers.ts";

/** What a service needs to tune parameters. */
export function createTuning(options: LedgersOptions): { readonly ledgers: Ledgers; readonly assigner: Assigner } {
  const ledgers = createLedgers(options);
  return { ledgers, assigner: createAssigner({ ledgers, now: options.now }) };
}
