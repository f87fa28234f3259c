import { toNodeHash } from "./merkle.ts";

export interface Head {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Checks that the tree of `newer` begins with the leaves of `older` (RFC 9162 §2.1.4.2). */
export function isConsistent(older: Head, newer: Head, proof: readonly Uint8Array[]): boolean {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && isEqual(older.root, newer.root);
  if (older.size === 0) return proof.length === 0;
  const isPerfect = Number.isInteger(Math.log2(older.size)) && 2 ** Math.log2(older.size) === older.size;
  const [first, ...rest] = isPerfect ? [older.root, ...proof] : proof;
  if (first === undefined) return false;
  let [fn, sn] = [older.size - 1, newer.size - 1];
  while (fn % 2 === 1) [fn, sn] = [half(fn), half(sn)];
  let [fr, sr] = [first, first];
  for (const node of rest) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      [fr, sr] = [toNodeHash(node, fr), toNodeHash(node, sr)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else {
      sr = toNodeHash(sr, node);
    }
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && isEqual(fr, older.root) && isEqual(sr, newer.root);
}

/** Checks that `leaf` is the one with this sequence number in the tree (RFC 9162 §2.1.3.2). */
export function isIncluded(leaf: Uint8Array, seq: number, head: Head, proof: readonly Uint8Array[]): boolean {
  if (seq >= head.size) return false;
  let [fn, sn, node] = [seq, head.size - 1, leaf];
  for (const sibling of proof) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      node = toNodeHash(sibling, node);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else {
      node = toNodeHash(node, sibling);
    }
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && isEqual(node, head.root);
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

/** Sizes may be beyond the 32 bits that `>>` knows. */
function half(number: number): number {
  return Math.floor(number / 2);
}
