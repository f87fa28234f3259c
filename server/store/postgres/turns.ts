/** Milliseconds for which transactions are remembered: longer than any can be in doubt. */
export const TURNS_KEPT_MS = 60 * 60 * 1_000;
