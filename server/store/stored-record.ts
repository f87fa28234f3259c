import type { Json } from "../json/types.ts";
import { crc32 } from "node:zlib";
import type { Entry, Key } from "./store.ts";
import { readJson } from "../json/read-json.ts";

/** Record of an engine for each key, beside the key. */
export interface StoredRecord {
  readonly rev: number;
  /** Milliseconds since 1970; 0 = never. */
  readonly expiresAt: number;
  /** Milliseconds since 1970; 0 = nobody has claimed it. */
  readonly leasedUntil: number;
  readonly body: Buffer;
}

/**
 * One record as bytes: format, checksum, revision, times, body. The checksum covers the key as well, so neither a
 * flipped bit nor a record that turns up under another key is taken for data; a storage engine need not notice either.
 */
export function encodeRecord(key: Uint8Array, record: StoredRecord): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + record.body.length);
  bytes[0] = FORMAT;
  bytes.writeDoubleBE(record.rev, REV_AT);
  bytes.writeDoubleBE(record.expiresAt, EXPIRES_AT);
  bytes.writeDoubleBE(record.leasedUntil, LEASED_UNTIL_AT);
  bytes.set(record.body, HEADER_BYTES);
  bytes.writeUInt32BE(checksum(key, bytes), CHECKSUM_AT);
  return bytes;
}

/** `undefined` when the bytes are not what was stored under `key`. */
export function decodeRecord(key: Uint8Array, bytes: Buffer): StoredRecord | undefined {
  if (bytes.length < HEADER_BYTES || bytes[0] !== FORMAT) return undefined;
  if (bytes.readUInt32BE(CHECKSUM_AT) !== checksum(key, bytes)) return undefined;
  return {
    rev: bytes.readDoubleBE(REV_AT),
    expiresAt: bytes.readDoubleBE(EXPIRES_AT),
    leasedUntil: bytes.readDoubleBE(LEASED_UNTIL_AT),
    body: bytes.subarray(HEADER_BYTES),
  };
}

export function toEntry(key: Key, record: StoredRecord): Entry {
  return { key, value: readValue(record), rev: record.rev };
}

export function readValue({ body }: StoredRecord): Json {
  return readJson(body.toString()) as Json;
}

const FORMAT = 1;
const CHECKSUM_AT = 1;
const REV_AT = 5;
const EXPIRES_AT = 13;
const LEASED_UNTIL_AT = 21;
const HEADER_BYTES = 29;

function checksum(key: Uint8Array, bytes: Buffer): number {
  return crc32(key, crc32(bytes.subarray(REV_AT)));
}
