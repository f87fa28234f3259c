import { expect, test } from "vitest";
import { isConsistent, isIncluded, toLeafHash } from "../../../../console/service/audit/proofs.ts";
import { proveConsistency, proveInclusion } from "../../../../server/kernel/audit/merkle-tree.ts";
import { EMPTY_ROOT, toNodeHash, toSplit } from "../../../../server/kernel/audit/verify/merkle.ts";

type Bytes = Uint8Array<ArrayBuffer>;
const MOST = 17;
const toOwn = (bytes: Uint8Array): Bytes => new Uint8Array(bytes);
const leaves = await Promise.all(
  Array.from({ length: MOST }, (_, at) => toLeafHash(new TextEncoder().encode(`entry ${at}`))),
);

function rootOf(from: number, to: number): Uint8Array {
  if (to - from < 2) return leaves[from] ?? EMPTY_ROOT;
  const middle = from + toSplit(to - from);
  return toNodeHash(rootOf(from, middle), rootOf(middle, to));
}

const subtree = async (from: number, to: number) => Buffer.from(rootOf(from, to));
const headOf = (size: number) => ({ size, root: toOwn(rootOf(0, size)) });

/** Proofs that lie: a hash less, a hash more, and each hash changed in a bit. */
function* forged(proof: readonly Bytes[]) {
  yield proof.slice(1);
  yield [...proof, new Uint8Array(32)];
  for (const at of proof.keys()) yield proof.map((hash, place) => (place === at ? hash.map((byte) => byte ^ 1) : hash));
}

test("the browser takes each proof that an entry is in the tree, and no other", async () => {
  for (let size = 1; size <= MOST; size++) {
    for (let seq = 0; seq < size; seq++) {
      const leaf = leaves[seq] ?? new Uint8Array();
      const proof = (await proveInclusion(subtree, seq, size)).map(toOwn);
      expect(await isIncluded(leaf, seq, headOf(size), proof)).toBe(true);
      expect(await isIncluded(leaf, seq + 1, headOf(size), proof)).toBe(false);
      for (const other of forged(proof)) {
        const isSame = other.length === proof.length && proof.length === 0;
        expect(isSame || (await isIncluded(leaf, seq, headOf(size), other))).toBe(isSame);
      }
    }
  }
});

test("the browser takes each proof that a log has only grown, and no other", async () => {
  for (let size = 2; size <= MOST; size++) {
    for (let before = 1; before < size; before++) {
      const proof = (await proveConsistency(subtree, before, size)).map(toOwn);
      expect(await isConsistent(headOf(before), headOf(size), proof)).toBe(true);
      expect(await isConsistent({ size: before, root: headOf(size).root }, headOf(size), proof)).toBe(false);
      for (const other of forged(proof)) expect(await isConsistent(headOf(before), headOf(size), other)).toBe(false);
    }
    expect(await isConsistent(headOf(size), headOf(size - 1), [])).toBe(false);
    expect(await isConsistent(headOf(size), headOf(size), [])).toBe(true);
  }
});
