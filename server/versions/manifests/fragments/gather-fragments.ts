import { type Fragment, FRAGMENT_KINDS, type FragmentKind } from "./read-fragment.ts";

/** Sum of all changes since the last release. */
export interface Gathered {
  /** The largest bump that one of them claims; absent: there is none. */
  readonly kind?: FragmentKind;
  /** Each sentence once: of larger bumps first, then by the names of the files. */
  readonly changes: readonly string[];
}

/** Joins change fragments; their order plays no part. */
export function gatherFragments(fragments: readonly Fragment[]): Gathered {
  const sorted = fragments.toSorted((a, b) => weigh(b) - weigh(a) || (a.file < b.file ? -1 : 1));
  const changes = [...new Set(sorted.flatMap((fragment) => fragment.changes))];
  const [largest] = sorted;
  return { ...(largest && { kind: largest.kind }), changes };
}

function weigh({ kind }: Fragment): number {
  return FRAGMENT_KINDS.indexOf(kind);
}
