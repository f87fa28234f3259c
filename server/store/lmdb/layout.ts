import { encodeNumber, endOfPrefix, FIRST_KEY_BYTE, NUMBER_BYTES, splitKey } from "../key-codec.ts";

// Which bytes lie where. The table `entries` holds records: callers' under the bytes of their keys, the store's own
// under keys whose first byte no caller's key has. `logs` holds records as well, `expiry` and `claims` only keys.

/** The record whose revision is the newest that any entry has been given. */
export const REV_COUNTER = Buffer.of(1);

/** First byte of the keys of results. */
export const ID_BYTE = 2;

/** The result of the commit with this id. */
export function toIdKey(id: Buffer): Buffer {
  return Buffer.concat([Buffer.of(ID_BYTE), id]);
}

/** Exists when somebody has claimed under `queue`: from then on its entries have rows in `claims`. */
export function toQueueKey(queue: Buffer): Buffer {
  return Buffer.concat([Buffer.of(3), queue]);
}

export function isCallersKey(key: Buffer): boolean {
  return (key[0] ?? 0) >= FIRST_KEY_BYTE;
}

/** All callers' keys that start with `prefix`. */
export function toKeyRange(prefix: Buffer): { readonly start: Buffer; readonly end: Buffer } {
  return { start: prefix.length === 0 ? Buffer.of(FIRST_KEY_BYTE) : prefix, end: endOfPrefix(prefix) };
}

/** `expiry`: by time, so that what is due comes first. */
export function toExpiryRow(expiresAt: number, key: Buffer): Buffer {
  return Buffer.concat([encodeNumber(expiresAt), key]);
}

export function keyOfExpiryRow(row: Buffer): Buffer {
  return row.subarray(NUMBER_BYTES);
}

/** `expiry`: what is due by `now`. */
export function toDueRange(now: number): { readonly start: Buffer; readonly end: Buffer } {
  return { start: encodeNumber(0), end: endOfPrefix(encodeNumber(now)) };
}

/** `claims`: by queue, then by the end of the lease, free entries having none: what can be claimed comes first. */
export function toClaimRow(key: Buffer, leasedUntil: number): Buffer {
  const { parent, last } = splitKey(key);
  return Buffer.concat([toClaimPrefix(parent), encodeNumber(leasedUntil), last]);
}

export function keyOfClaimRow(row: Buffer): Buffer {
  const endOfQueue = LENGTH_BYTES + row.readUInt16BE(0);
  return Buffer.concat([row.subarray(LENGTH_BYTES, endOfQueue), row.subarray(endOfQueue + NUMBER_BYTES)]);
}

/** `claims`: the free entries of a queue, and those whose lease ran out by `now`. */
export function toClaimRanges(queue: Buffer, now: number) {
  const prefix = toClaimPrefix(queue);
  const free = Buffer.concat([prefix, encodeNumber(0)]);
  const ranOut = Buffer.concat([prefix, encodeNumber(now)]);
  return {
    free: { start: free, end: endOfPrefix(free) },
    ranOut: { start: endOfPrefix(free), end: endOfPrefix(ranOut) },
  };
}

const LENGTH_BYTES = 2;

/** The length keeps the rows of a queue apart from those of queues whose keys go on with a number. */
function toClaimPrefix(queue: Buffer): Buffer {
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt16BE(queue.length);
  return Buffer.concat([length, queue]);
}
