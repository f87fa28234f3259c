import { setImmediate } from "node:timers/promises";

/** Characters of JSON text from which on the stages of work on it take turns with the work of others. */
const LARGE = 64 * 1024;

/**
 * Waits, after a stage of work on JSON text of this length, until others have had their turn, who would else wait for all
 * stages together; undefined for what is no large text, of which all of them are short.
 */
export function pauseAfterLarge(length: number): Promise<void> | undefined {
  return length < LARGE ? undefined : pause();
}

async function pause(): Promise<void> {
  await setImmediate();
  // What arrived meanwhile is only heard before the second.
  await setImmediate();
}
