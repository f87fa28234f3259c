import { CairnError } from "../../errors.ts";
import { readJson } from "../../json/read-json.ts";
import type { Link } from "../hash-chain.ts";
import { describeKey } from "../key-codec.ts";
import type { StoredRecord } from "../stored-record.ts";
import type { CommitResult } from "../store.ts";
import type { Head, KeptResult } from "./group-state.ts";

type Row = Readonly<Record<string, unknown>>;

/** Reads a row of entries. @throws INTERNAL_ERROR */
export function readEntryRow({ key, rev, expires_at, leased_until, body = "" }: Row): StoredRecord & { key: Buffer } {
  const bytes = readBytes(key);
  const [revision, expiresAt, leasedUntil] = [Number(rev), Number(expires_at), Number(leased_until)];
  if (![revision, expiresAt, leasedUntil].every((number) => number >= 0) || typeof body !== "string") {
    throw new CairnError("INTERNAL_ERROR", `The stored record \`${describeKey(bytes)}\` is damaged; restore a backup.`);
  }
  return { key: bytes, rev: revision, expiresAt, leasedUntil, body: Buffer.from(body) };
}

export function readHeadRow({ name, seq, hash }: Row): Head & { name: Buffer } {
  return { name: readBytes(name), seq: Number(seq), hash: readBytes(hash).toString("hex") };
}

export function readLinkRow({ seq, hash, bytes }: Row): Link {
  return { seq: Number(seq), hash: readBytes(hash).toString("hex"), bytes: Buffer.from(String(bytes)) };
}

export function readResultRow({ id, result, expires_at }: Row): KeptResult & { id: Buffer } {
  return { id: readBytes(id), result: readJson(String(result)) as CommitResult, until: Number(expires_at) };
}

/** Reads a column of bytes. @throws INTERNAL_ERROR */
export function readBytes(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value;
  throw new CairnError("INTERNAL_ERROR", "A row of the store has no key; restore a backup.");
}
