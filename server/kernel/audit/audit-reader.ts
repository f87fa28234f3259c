import { CairnError } from "../../errors.ts";
import type { Store } from "../../store/store.ts";
import { loadTree, scanCheckpoints } from "./checkpoints.ts";
import { createSubtreeReader, proveConsistency, proveInclusion } from "./merkle-tree.ts";
import { readEntries, readWithRecords, type Stretch, toRecordLine } from "./read-log.ts";

/** Entries of one page, and bytes after which it ends early. */
const PAGE_ENTRIES = 1_000;
const PAGE_BYTES = 4 * 1024 * 1024;

export interface Page {
  readonly text: string;
  /** Sequence number that the next page begins with; absent after the last one. */
  readonly next?: number;
}

/** Reader of audit logs: of each no more than its checkpoint covers. */
export interface AuditReader {
  checkpoint(tenant: string): Promise<string>;
  /** JSON Lines, as are entries and records. */
  checkpoints(tenant: string, stretch: Partial<Stretch>): Promise<Page>;
  entries(tenant: string, stretch: Partial<Stretch>): Promise<Page>;
  records(tenant: string, stretch: Partial<Stretch>): Promise<Page>;
  /** Hashes in base64. BAD_REQUEST when the log has not been of such a size yet. */
  consistency(tenant: string, from: number, to: number | undefined): Promise<Proof>;
  inclusion(tenant: string, seq: number, size: number | undefined): Promise<Proof>;
}

export interface Proof {
  readonly size: number;
  readonly hashes: readonly string[];
}

export function createAuditReader(store: Store): AuditReader {
  /** Lines for a stretch of the log, as many as go on a page. */
  async function toPage(
    tenant: string,
    { from = 0, to = Number.MAX_SAFE_INTEGER }: Partial<Stretch>,
    lines: (stretch: Stretch) => AsyncIterable<readonly [seq: number, text: string]>,
  ): Promise<Page> {
    const end = Math.min(to, (await loadTree(store, tenant)).size);
    let [text, next] = ["", from];
    for await (const [seq, line] of lines({ from, to: Math.min(end, from + PAGE_ENTRIES) })) {
      text += line;
      next = seq + 1;
      if (text.length >= PAGE_BYTES) break;
    }
    return next < end && next > from ? { text, next } : { text };
  }

  async function open(tenant: string, size: number | undefined) {
    const tree = await loadTree(store, tenant);
    if ((size ?? 0) > tree.size) {
      throw new CairnError("BAD_REQUEST", `The checkpoint vouches for ${tree.size} entries, not for ${size}.`);
    }
    return { size: size ?? tree.size, root: createSubtreeReader(store, tenant, tree) };
  }

  return Object.freeze<AuditReader>({
    async checkpoint(tenant) {
      const { checkpoint } = await loadTree(store, tenant);
      if (checkpoint !== "") return checkpoint;
      throw new CairnError("NOT_FOUND", "This log has no checkpoint yet; the first one follows the first entry.");
    },
    async checkpoints(tenant, { to = Number.MAX_SAFE_INTEGER }) {
      let text = "";
      // One for each thousand entries: even those of ten million entries are few enough for one answer.
      for await (const note of scanCheckpoints(store, tenant)) {
        if (Number(note.split("\n")[1]) <= to) text += `${JSON.stringify(note)}\n`;
      }
      return { text };
    },
    entries: (tenant, stretch) =>
      toPage(tenant, stretch, async function* (part) {
        for await (const { seq, bytes } of readEntries(store, tenant, part)) {
          yield [seq, `${Buffer.from(bytes).toString()}\n`];
        }
      }),
    records: (tenant, stretch) =>
      toPage(tenant, stretch, async function* (part) {
        for await (const { seq, records } of readWithRecords(store, tenant, part)) {
          yield [seq, records.map((record) => `${toRecordLine(record)}\n`).join("")];
        }
      }),
    async consistency(tenant, from, to) {
      const { size, root } = await open(tenant, to);
      if (from > size) throw new CairnError("BAD_REQUEST", `\`from\` is ${from}, more than \`to\`, which is ${size}.`);
      return { size, hashes: (await proveConsistency(root, from, size)).map(toText) };
    },
    async inclusion(tenant, seq, size) {
      const tree = await open(tenant, size);
      if (seq >= tree.size) {
        throw new CairnError("BAD_REQUEST", `\`seq\` is ${seq}; the tree has entries 0 to ${tree.size - 1}.`);
      }
      return { size: tree.size, hashes: (await proveInclusion(tree.root, seq, tree.size)).map(toText) };
    },
  });
}

function toText(hash: Uint8Array): string {
  return Buffer.from(hash).toString("base64");
}
