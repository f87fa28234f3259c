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
    const time = now();
    if (time > last) {
      last = time;
      sequence = 0;
    } else if (++sequence > 0xfff) {
      last += 1;
      sequence = 0;
    }
    const random = randomBytes(8);
    const time48 = last.toString(16).padStart(12, "0");
    const variant = (((random[0] ?? 0) & 0x3f) | 0x80).toString(16);
    const tail = `${variant}${toHex(random[1])}`;
    const node =
      toHex(random[2]) + toHex(random[3]) + toHex(random[4]) + toHex(random[5]) + toHex(random[6]) + toHex(random[7]);
    return `${time48.slice(0, 8)}-${time48.slice(8)}-7${sequence.toString(16).padStart(3, "0")}-${tail}-${node}`;
  };
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function toHex(byte = 0): string {
  return HEX[byte] ?? "";
}

/** Whether `text` has the form of a UUID, of any version, in lower case as Cairn writes it. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);
}
