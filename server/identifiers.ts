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
    const bytes = Buffer.alloc(16);
    bytes.writeUIntBE(last, 0, 6);
    bytes.writeUInt16BE(0x7000 | sequence, 6);
    bytes.set(randomBytes(8), 8);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    const hex = bytes.toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  };
}

/** Whether `text` has the form of a UUID, of any version, in lower case as Cairn writes it. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);
}
