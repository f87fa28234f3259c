import type { RandomBytes } from "../identifiers.ts";

/** Bytes asked for at once: asking costs more than the bytes. */
const POOL_BYTES = 8192;

/** Random bytes from a supply; each is given out once, and nothing that was is kept. */
export function createRandomPool(randomBytes: RandomBytes): RandomBytes {
  let pool = new Uint8Array(0);
  let used = 0;
  return (size) => {
    if (size > POOL_BYTES) return randomBytes(size);
    if (used + size > pool.length) {
      pool = Uint8Array.from(randomBytes(POOL_BYTES));
      used = 0;
    }
    const bytes = pool.slice(used, used + size);
    pool.fill(0, used, used + size);
    used += size;
    return bytes;
  };
}
