import { CairnError } from "../../errors.ts";
import { findBreak, type Link } from "../hash-chain.ts";
import { decodeKey, describeKey, splitKey } from "../key-codec.ts";
import { isClaimable } from "./entries.ts";
import type { Environment, Row, Tables } from "./environment.ts";
import { isCallersKey, keyOfClaimRow, keyOfExpiryRow, REV_COUNTER, toClaimRow, toExpiryRow } from "./layout.ts";
import { readLogRow } from "./log.ts";
import { pages } from "./pages.ts";
import { decodeRecord, readValue, type StoredRecord } from "../stored-record.ts";

/** A ruined file has a finding for every record; this many say enough. */
const MAX_FINDINGS = 1_000;

/** Reads everything, page by page beside the normal work, and says what is wrong with it. */
export async function checkEnvironment(environment: Environment): Promise<readonly string[]> {
  const { tables } = environment;
  const checks = {
    entries: (row: Row) => checkEntry(tables, row),
    logs: createChainCheck(),
    expiry: ({ key: row }: Row) => {
      const key = keyOfExpiryRow(row);
      return checkIndexRow(row, findIntact(tables, key), ({ expiresAt }) => toExpiryRow(expiresAt, key));
    },
    claims: ({ key: row }: Row) => {
      const key = keyOfClaimRow(row);
      return checkIndexRow(row, findIntact(tables, key), ({ leasedUntil }) => toClaimRow(key, leasedUntil));
    },
  };
  const findings: string[] = [];
  for (const table of ["entries", "logs", "expiry", "claims"] as const) {
    const visit = (row: Row) => {
      const finding = findDamage(() => checks[table](row));
      return finding === undefined ? undefined : `${table}: \`${describeKey(row.key)}\` ${finding}`;
    };
    for await (const page of pages(environment, table, EVERYTHING, visit)) {
      findings.push(...page.filter((finding) => finding !== undefined));
      if (findings.length >= MAX_FINDINGS) return findings.slice(0, MAX_FINDINGS);
    }
  }
  return findings;
}

const EVERYTHING = { start: Buffer.of(0), end: Buffer.of(0xff) };

function checkEntry(tables: Tables, { key, value }: Row): string | undefined {
  const record = decodeRecord(key, value);
  if (record === undefined) return "is damaged";
  if (record.expiresAt !== 0 && tables.expiry.get(toExpiryRow(record.expiresAt, key)) === undefined) {
    return "would never be purged";
  }
  if (!isCallersKey(key)) return undefined;
  if (record.rev > (findIntact(tables, REV_COUNTER)?.rev ?? 0)) return "has a revision that was never given";
  if (isClaimable(tables, key) && tables.claims.get(toClaimRow(key, record.leasedUntil)) === undefined) {
    return "could not be claimed";
  }
  readValue(record);
  decodeKey(key);
  return undefined;
}

function createChainCheck(): (row: Row) => string | undefined {
  let log: Buffer | undefined;
  // The last link of this log; null after a damaged one, of which no successor can be judged.
  let head: Link | undefined | null;
  return (row) => {
    const { parent } = splitKey(row.key);
    if (log === undefined || !parent.equals(log)) head = undefined;
    log = parent;
    const link = decodeRecord(row.key, row.value) === undefined ? null : readLogRow(row);
    const finding = link === null ? "is damaged" : head === null ? undefined : findBreak(head, link);
    head = link;
    return finding;
  };
}

function checkIndexRow(
  row: Buffer,
  record: StoredRecord | undefined,
  toRow: (record: StoredRecord) => Buffer,
): string | undefined {
  return record !== undefined && toRow(record).equals(row) ? undefined : "belongs to no record";
}

function findIntact(tables: Tables, key: Buffer): StoredRecord | undefined {
  const bytes = tables.entries.get(key);
  return bytes && decodeRecord(key, bytes);
}

/** Runs a check and returns its finding, or the error that stopped it. */
function findDamage(check: () => string | undefined): string | undefined {
  try {
    return check();
  } catch (error) {
    if (error instanceof CairnError) return error.message;
    throw error;
  }
}
