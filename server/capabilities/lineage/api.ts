import type { Declarations, Grant } from "../declaration.ts";

/**
 * A log of this MCP server, apart for each tenant, whose entries each name the hash of the one before. Nothing in it can
 * be changed or taken out. Servers that share state share it, too. Reads need `lineage.read`, `append` needs
 * `lineage.write`, `export` needs `lineage.export`.
 */
export interface Lineage {
  /** Adds an entry in the call's own transaction: it is there when the call succeeds, together with its state, else not at all. */
  append(entry: unknown): Promise<void>;
  /** The newest entry; what this call has appended is not in the log yet. Rejects with INVARIANT_VIOLATION if it is damaged. */
  head<Entry = unknown>(): Promise<LineageEntry<Entry> | undefined>;
  /** Entries in order. Each is held against its hash and its predecessor; what does not fit rejects with INVARIANT_VIOLATION. */
  read<Entry = unknown>(page?: LineagePage): Promise<readonly LineageEntry<Entry>[]>;
  /**
   * Writes the log as JSON into a file of this name in the server's export area, whole or not at all: number, checksum
   * and time of each entry, and nothing of what it says. Verifies as it reads. Rejects with BAD_REQUEST for a name that
   * leads elsewhere.
   */
  export(name: string): Promise<LineageExport>;
}

export interface LineagePage {
  /** Number of the first entry, 0 unless told; -1 is the newest, -2 the one before. */
  readonly from?: number;
  /** At most 1,000, which is also the default. */
  readonly limit?: number;
}

export interface LineageEntry<Entry = unknown> {
  /** 0 is the first. */
  readonly seq: number;
  /** SHA-256 in hexadecimal over the entry and the checksum of the one before. */
  readonly checksum: string;
  /** Time of the append, in milliseconds since 1970. */
  readonly at: number;
  readonly entry: Entry;
}

export interface LineageExport {
  /** SHA-256 of the file, in hexadecimal. */
  readonly checksum: string;
  readonly entries: number;
}

export const LINEAGE_GRANTS = {
  "lineage.read": { breaks: ["deterministic", "no tenant"] },
  "lineage.write": { breaks: ["deterministic", "no side effect", "no tenant"] },
  "lineage.export": { breaks: ["deterministic", "no side effect", "no tenant"] },
} as const satisfies Readonly<Record<string, Grant>>;

/** `ctx.lineage`. */
export const LINEAGE = {
  append: { name: "lineage.append", takes: ["entry"], needs: "lineage.write", mutates: true, inPreviews: true },
  head: { name: "lineage.head", needs: "lineage.read", inPreviews: true },
  read: { name: "lineage.read", takes: [["from?", "limit?"]], needs: "lineage.read", inPreviews: true },
  export: { name: "lineage.export", takes: ["name"], needs: "lineage.export", mutates: true },
} as const satisfies Declarations<Lineage, keyof typeof LINEAGE_GRANTS>;
