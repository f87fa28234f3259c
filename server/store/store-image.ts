import type { Link } from "./hash-chain.ts";
import type { StoredRecord } from "./stored-record.ts";
import type { CommitResult } from "./store.ts";

/** One item of a store at rest, as every engine keeps it. Keys, names of logs and ids are bytes. */
export type ImageItem =
  | { readonly kind: "entry"; readonly key: Buffer; readonly record: StoredRecord }
  /** Links of a log come in their order. */
  | { readonly kind: "link"; readonly log: Buffer; readonly link: Link }
  | { readonly kind: "result"; readonly id: Buffer; readonly result: CommitResult; readonly until: number };

/** A store at rest, which nobody else uses meanwhile. */
export interface StoreImage {
  /** Everything in it, also what its time is over. */
  items(): AsyncIterable<ImageItem>;
  /** A revision that is at least that of every entry there has been. */
  lastRev(): Promise<number>;
  /** Writes items that are not there yet. */
  put(items: readonly ImageItem[]): Promise<void>;
  /** Makes all further revisions greater. */
  setRev(rev: number): Promise<void>;
  /** Makes it a store that can be opened, once everything is written. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
