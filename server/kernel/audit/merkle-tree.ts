import { createRecordReader } from "../../json/stored.ts";
import { auditTile } from "../../store/keys.ts";
import type { Store, Write } from "../../store/store.ts";
import { EMPTY_ROOT, HASH_BYTES, toNodeHash, toPerfectRoot, toSplit } from "./verify/merkle.ts";

/** Hashes of one tile, as in https://c2sp.org/tlog-tiles; so many levels of the tree lie within one. */
const TILE_WIDTH = 256;
const TILE_LEVELS = 8;

/** A tree's right edge: everything that it still needs to grow by. */
export interface Tree {
  readonly schemaVersion: 1;
  readonly size: number;
  /** Hash of the newest entry in the tree, in hexadecimal; empty while there is none. */
  readonly head: string;
  /** For each level of tiles the hashes behind the last full tile, in base64. */
  readonly edge: readonly string[];
  /** The signed note that vouches for it; empty while there is none. */
  readonly checkpoint: string;
}

export const EMPTY_TREE: Tree = Object.freeze({ schemaVersion: 1, size: 0, head: "", edge: [], checkpoint: "" });

export const readTree = createRecordReader<Tree>("audit-tree");

/** The tree with more leaves, and the tiles that became full. */
export function growTree(
  tenant: string,
  tree: Tree,
  leaves: readonly Uint8Array[],
  head: string,
): { readonly tree: Tree; readonly tiles: readonly Write[] } {
  const rows = tree.edge.map(readHashes);
  const tiles: Write[] = [];
  let grown = tree.size;
  for (const leaf of leaves) {
    grown += 1;
    let node = leaf;
    for (let level = 0; ; level += 1) {
      const row = (rows[level] ??= []);
      row.push(node);
      if (row.length < TILE_WIDTH) break;
      const index = grown / TILE_WIDTH ** (level + 1) - 1;
      tiles.push({ key: auditTile(tenant, level, index), value: writeHashes(row) });
      node = toPerfectRoot(row);
      rows[level] = [];
    }
  }
  return { tree: { ...tree, size: grown, head, edge: rows.map(writeHashes) }, tiles };
}

/** The root of the whole tree, for which its edge is enough. */
export function toRoot({ size, edge }: Tree): Uint8Array {
  if (size === 0) return EMPTY_ROOT;
  const peaks = edge.map(readHashes).toReversed().flatMap(toPeaks);
  return peaks.reduceRight((right, left) => toNodeHash(left, right));
}

/** Roots of any stretch of a stored tree, out of its tiles: as many of them are read as the stretch has edges. */
export function createSubtreeReader(store: Store, tenant: string, { size, edge }: Tree) {
  async function readTile(level: number, index: number): Promise<readonly Uint8Array[]> {
    const full = Math.floor(size / TILE_WIDTH ** (level + 1));
    if (index >= full) return readHashes(edge[level] ?? "");
    const tile = await store.get(auditTile(tenant, level, index));
    return readHashes(String(tile?.value ?? ""));
  }

  /** The hash that RFC 6962 §2.1 gives the leaves from `start` up to but without `end`. */
  return async function toSubtreeRoot(start: number, end: number): Promise<Uint8Array> {
    const width = end - start;
    const level = Math.log2(width);
    if (!Number.isInteger(level) || start % width !== 0) {
      const middle = start + toSplit(width);
      return toNodeHash(await toSubtreeRoot(start, middle), await toSubtreeRoot(middle, end));
    }
    const tileLevel = Math.floor(level / TILE_LEVELS);
    const unit = TILE_WIDTH ** tileLevel;
    const [first, count] = [start / unit, width / unit];
    const tile = await readTile(tileLevel, Math.floor(first / TILE_WIDTH));
    return toPerfectRoot(tile.slice(first % TILE_WIDTH, (first % TILE_WIDTH) + count));
  };
}

/** The perfect subtrees of a row, largest first. */
function toPeaks(row: readonly Uint8Array[]): Uint8Array[] {
  const peaks = [];
  let at = 0;
  for (let width = TILE_WIDTH / 2; width >= 1; width /= 2) {
    if (row.length - at < width) continue;
    peaks.push(toPerfectRoot(row.slice(at, at + width)));
    at += width;
  }
  return peaks;
}

function readHashes(text: string): Uint8Array[] {
  const bytes = Buffer.from(text, "base64");
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, index) =>
    bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  );
}

function writeHashes(hashes: readonly Uint8Array[]): string {
  return Buffer.concat(hashes).toString("base64");
}

type SubtreeRoot = (start: number, end: number) => Promise<Uint8Array>;

/** The hashes that show a leaf to be in the tree of this size (RFC 6962 §2.1.1), lowest first. */
export async function proveInclusion(root: SubtreeRoot, seq: number, size: number): Promise<readonly Uint8Array[]> {
  return path(seq, 0, size);

  async function path(leaf: number, start: number, end: number): Promise<Uint8Array[]> {
    if (end - start < 2) return [];
    const middle = start + toSplit(end - start);
    return leaf < middle
      ? [...(await path(leaf, start, middle)), await root(middle, end)]
      : [...(await path(leaf, middle, end)), await root(start, middle)];
  }
}

/** The hashes that show the tree of size `from` to be the beginning of that of size `to` (RFC 6962 §2.1.2). */
export async function proveConsistency(root: SubtreeRoot, from: number, to: number): Promise<readonly Uint8Array[]> {
  return from === 0 ? [] : path(from, 0, to, true);

  /** `isWhole`: the verifier knows the root of the stretch, as it is all of the older tree. */
  async function path(older: number, start: number, end: number, isWhole: boolean): Promise<Uint8Array[]> {
    if (older === end) return isWhole ? [] : [await root(start, end)];
    const middle = start + toSplit(end - start);
    return older <= middle
      ? [...(await path(older, start, middle, isWhole)), await root(middle, end)]
      : [...(await path(older, middle, end, false)), await root(start, middle)];
  }
}
