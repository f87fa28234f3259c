import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createSubtreeReader,
  EMPTY_TREE,
  growTree,
  proveConsistency,
  proveInclusion,
  toRoot,
} from "../../../../server/kernel/audit/merkle-tree.ts";
import { createFrontier, toLeafHash } from "../../../../server/kernel/audit/verify/merkle.ts";
import { isConsistent, isIncluded } from "../../../../server/kernel/audit/verify/proofs.ts";
import { openTestStore } from "../../../helpers/store.ts";

/** More than one tile of the second level. */
const SIZE = 256 * 256 + 300;
const leaves = Array.from({ length: SIZE }, (_, seq) => toLeafHash(Buffer.from(String(seq))));
const roots = (() => {
  const frontier = createFrontier();
  return [
    frontier.root(),
    ...leaves.map((leaf) => {
      frontier.append(leaf);
      return frontier.root();
    }),
  ];
})();
const headOf = (size: number) => ({ size, root: roots[size] ?? Buffer.alloc(0) });

/** The whole tree, grown in steps and kept in a store. */
async function growAll() {
  const store = await openTestStore();
  let tree = EMPTY_TREE;
  for (let at = 0; at < SIZE; at += 5_000) {
    const grown = growTree("t", tree, leaves.slice(at, at + 5_000), "");
    await store.commit({ set: grown.tiles });
    tree = grown.tree;
    expect(toRoot(tree)).toEqual(roots[tree.size]);
  }
  return createSubtreeReader(store, "t", tree);
}

describe("proofs out of stored tiles", () => {
  const sizes = fc.tuple(fc.nat(SIZE), fc.nat(SIZE)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

  test("show that one tree is the beginning of another, and no other one is", async () => {
    const root = await growAll();
    await fc.assert(
      fc.asyncProperty(sizes, async ([from, to]) => {
        const proof = await proveConsistency(root, from, to);
        expect(isConsistent(headOf(from), headOf(to), proof)).toBe(true);
        if (from === 0) return;
        expect(isConsistent({ size: from, root: toLeafHash(Buffer.of(1)) }, headOf(to), proof)).toBe(false);
        expect(isConsistent(headOf(from), { size: to, root: toLeafHash(Buffer.of(1)) }, proof)).toBe(false);
        if (from === to) return;
        expect(isConsistent(headOf(to), headOf(from), proof)).toBe(false);
        expect(isConsistent(headOf(from), headOf(to), proof.slice(1))).toBe(false);
      }),
      { numRuns: 150 },
    );
    for (let to = 1; to < 40; to += 1) {
      for (let from = 1; from <= to; from += 1) {
        expect(isConsistent(headOf(from), headOf(to), await proveConsistency(root, from, to))).toBe(true);
      }
    }
  });

  test("show that a leaf is in the tree, and no other one is", async () => {
    const root = await growAll();
    await fc.assert(
      fc.asyncProperty(sizes, async ([seq, more]) => {
        const size = Math.min(SIZE, Math.max(more, seq + 1));
        if (seq >= size) return;
        const [leaf = Buffer.alloc(0), other = Buffer.alloc(0)] = [leaves[seq], leaves[(seq + 1) % SIZE]];
        const proof = await proveInclusion(root, seq, size);
        expect(isIncluded(leaf, seq, headOf(size), proof)).toBe(true);
        expect(isIncluded(other, seq, headOf(size), proof)).toBe(false);
        expect(isIncluded(leaf, size, headOf(size), proof)).toBe(false);
        expect(isIncluded(leaf, seq, headOf(size), [...proof, leaf])).toBe(false);
      }),
      { numRuns: 150 },
    );
  });
});
