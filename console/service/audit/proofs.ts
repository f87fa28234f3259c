import { type Bytes, isSame, sha256 } from "./bytes.ts";

/** The Merkle tree of RFC 6962 §2.1: how many leaves it has, and its root. */
export interface Head {
  readonly size: number;
  readonly root: Bytes;
}

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export function toLeafHash(bytes: Bytes): Promise<Bytes> {
  return sha256(LEAF, bytes);
}

/** Checks that `leaf` is number `seq` of the tree (RFC 9162 §2.1.3.2). */
export async function isIncluded(leaf: Bytes, seq: number, head: Head, proof: readonly Bytes[]): Promise<boolean> {
  if (seq >= head.size) return false;
  let [place, last, node] = [seq, head.size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      node = await sha256(NODE, sibling, node);
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      node = await sha256(NODE, node, sibling);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && isSame(node, head.root);
}

/** Checks that the tree of `newer` begins with the leaves of `older` (RFC 9162 §2.1.4.2). */
export async function isConsistent(older: Head, newer: Head, proof: readonly Bytes[]): Promise<boolean> {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && isSame(older.root, newer.root);
  if (older.size === 0) return proof.length === 0;
  const isPerfect = 2 ** Math.round(Math.log2(older.size)) === older.size;
  const [first, ...rest] = isPerfect ? [older.root, ...proof] : proof;
  if (first === undefined) return false;
  let [place, last] = [older.size - 1, newer.size - 1];
  while (place % 2 === 1) [place, last] = [half(place), half(last)];
  let [olderRoot, newerRoot] = [first, first];
  for (const node of rest) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      [olderRoot, newerRoot] = [await sha256(NODE, node, olderRoot), await sha256(NODE, node, newerRoot)];
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      newerRoot = await sha256(NODE, newerRoot, node);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && isSame(olderRoot, older.root) && isSame(newerRoot, newer.root);
}

/** Sizes may be beyond the 32 bits that `>>` knows. */
function half(number: number): number {
  return Math.floor(number / 2);
}
