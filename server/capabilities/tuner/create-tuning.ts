import { type Assigner, type AssignerOptions, createAssigner } from "./assigner.ts";
import { createLedgers, type Ledgers, type LedgersOptions } from "./ledgers.ts";

/** What a service needs to tune parameters. */
export function createTuning({ onError, ...options }: LedgersOptions & Pick<AssignerOptions, "onError">): {
  readonly ledgers: Ledgers;
  readonly assigner: Assigner;
} {
  const ledgers = createLedgers(options);
  return { ledgers, assigner: createAssigner({ ledgers, now: options.now, onError }) };
}
