import { hash } from "node:crypto";

/** The Merkle tree of RFC 6962 §2.1, over SHA-256. */

/** Root of the tree without leaves. */
export const EMPTY_ROOT = hash("sha256", "", "buffer");
export const HASH_BYTES = 32;

const LEAF = Buffer.of(0);

/** A leaf and a node are hashed behind different bytes, so that none can be passed off as the other. */
export function toLeafHash(bytes: Uint8Array): Buffer {
  return sha256(Buffer.concat([LEAF, bytes]));
}

export function toNodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(1 + 2 * HASH_BYTES);
  bytes[0] = 1;
  bytes.set(left, 1);
  bytes.set(right, 1 + HASH_BYTES);
  return sha256(bytes);
}

/** The root of a perfect tree over 2^n hashes. */
export function toPerfectRoot(hashes: readonly Uint8Array[]): Uint8Array {
  const [first = EMPTY_ROOT] = hashes;
  if (hashes.length < 2) return first;
  const parents = [];
  for (let at = 0; at < hashes.length; at += 2) {
    parents.push(toNodeHash(hashes[at] ?? EMPTY_ROOT, hashes[at + 1] ?? EMPTY_ROOT));
  }
  return toPerfectRoot(parents);
}

/** A tree that only grows, of which nothing is kept but the roots of its perfect subtrees. */
export interface Frontier {
  append(leaf: Uint8Array): void;
  root(): Uint8Array;
}

export function createFrontier(): Frontier {
  const peaks: Uint8Array[] = [];
  let size = 0;
  return Object.freeze({
    append(leaf: Uint8Array) {
      let node = leaf;
      for (let left = size; left % 2 === 1; left = Math.floor(left / 2)) {
        node = toNodeHash(peaks.pop() ?? EMPTY_ROOT, node);
      }
      peaks.push(node);
      size += 1;
    },
    root: () => (size === 0 ? EMPTY_ROOT : peaks.reduceRight((right, left) => toNodeHash(left, right))),
  });
}

/** By way of text, which Node makes faster than a buffer. */
function sha256(bytes: Uint8Array): Buffer {
  return Buffer.from(hash("sha256", bytes, "binary"), "binary");
}

/** The largest power of two below `size`, which is at least 2: where RFC 6962 parts a tree. */
export function toSplit(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}
