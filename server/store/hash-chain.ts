import { hash } from "node:crypto";

/** Predecessor that the first entry of every log names. */
export const GENESIS_HASH = "0".repeat(64);

export interface Link {
  readonly seq: number;
  /** The exact bytes that `hash` is the SHA-256 of. */
  readonly bytes: Buffer;
  /** Lower-case hexadecimal. */
  readonly hash: string;
}

/** The entry behind `head`, from the canonical JSON of what it says. */
export function toLink(head: { readonly seq: number; readonly hash: string } | undefined, entry: string): Link {
  const seq = head === undefined ? 0 : head.seq + 1;
  // Canonical JSON of the whole: its member names are sorted, and the entry is canonical already.
  const bytes = Buffer.from(`{"entry":${entry},"prev":"${head?.hash ?? GENESIS_HASH}","seq":${seq}}`);
  return { seq, bytes, hash: hash("sha256", bytes) };
}

/** Finds what is wrong with `link` as the successor of an entry with `hash` (undefined = it must be the first). */
export function findBreak(
  head: { readonly seq: number; readonly hash: string } | undefined,
  link: Link,
): string | undefined {
  if (hash("sha256", link.bytes) !== link.hash) return "its bytes do not have its hash";
  const { seq, prev } = readLink(link.bytes);
  if (seq !== link.seq) return `its bytes carry the sequence number ${String(seq)}`;
  if (seq !== (head?.seq ?? -1) + 1) return `it follows ${head === undefined ? "nothing" : head.seq}`;
  if (prev !== (head?.hash ?? GENESIS_HASH)) return "it does not name the hash of its predecessor";
  return undefined;
}

function readLink(bytes: Buffer): { readonly seq?: unknown; readonly prev?: unknown } {
  try {
    const link: unknown = JSON.parse(bytes.toString());
    return typeof link === "object" && link !== null ? link : {};
  } catch {
    return {};
  }
}
