import { setTimeout } from "node:timers/promises";

/** Resolves after so many milliseconds, or as soon as the signal says so. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

export const sleep: Sleep = async (ms, signal) => {
  await setTimeout(ms, undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
    if (signal?.aborted !== true) throw error;
  });
};
