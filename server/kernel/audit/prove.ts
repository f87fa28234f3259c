import { toSplit } from "./verify/merkle.ts";

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
