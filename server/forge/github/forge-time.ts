/** What waiting is done by. */
export interface ForgeTime {
  /** Milliseconds, as `Date.now`. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** From 0 up to but not 1. */
  random(): number;
}
