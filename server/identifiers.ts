import { randomBytes as secureRandomBytes } from "node:crypto";

export type RandomBytes = (size: number) => Uint8Array;

/**
 * UUID version 7 (RFC 9562 §5.7): sorts by time of creation, so that records keyed by it are written in sequence.
 * Within one millisecond the 12 bits behind the time count up (method 1 of §6.2); 62 bits stay random, so that nobody
 * can guess another caller's id.
 */
export function createIdentifiers(now: () => number, randomBytes: RandomBytes = secureRandomBytes): () => string {
  let last = 0;
  let sequence = 0;
  return () => {
    const moment = now();
    if (moment > last) {
      last = moment;
      sequence = 0;
    } else if (++sequence > 0xfff) {
      last += 1;
      sequence = 0;
    }
    const bytes = randomBytes(8);
    bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x80;
    const random = toHex(bytes);
    const time = last.toString(16).padStart(12, "0");
    const count = sequence.toString(16).padStart(3, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${random.slice(0, 4)}-${random.slice(4)}`;
  };
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Two lower-case digits for each byte. */
export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** Checks that `text` has the form of a UUID, of any version, in lower case as Cairn writes it. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);
}

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
