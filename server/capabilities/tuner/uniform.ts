import { hash } from "node:crypto";

const TWO_TO_21 = 0x20_0000;
const TWO_TO_53 = 0x20_0000_0000_0000;

/**
 * Draw `index` (0, 1, ...) of the stream `key`: uniform on [0, 1), a multiple of 2^-53.
 *
 * Counter mode, so that a draw needs no state, any draw can be made again in any order, and streams of different keys
 * are independent whatever the keys look like. The bytes hashed by SHA-256 are the key in UTF-8 and then the index as a
 * big-endian unsigned 64-bit integer; the draw is the first 53 bits of the digest, most significant first.
 */
export function uniformAt(key: string, index: number): number {
  const length = Buffer.byteLength(key);
  const message = Buffer.allocUnsafe(length + 8);
  message.write(key, 0);
  message.writeBigUInt64BE(BigInt(index), length);
  const digest = hash("sha256", message, "buffer");
  return (digest.readUInt32BE(0) * TWO_TO_21 + (digest.readUInt32BE(4) >>> 11)) / TWO_TO_53;
}
