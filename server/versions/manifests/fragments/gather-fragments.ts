import { type Fragment, type FragmentBreak, FRAGMENT_KINDS, type FragmentKind } from "./read-fragment.ts";

/** Sum of all changes since the last release. */
export interface Gathered {
  /** The largest bump that one of them claims; absent: there is none. */
  readonly kind?: FragmentKind;
  /** Each sentence once: of larger bumps first, then by the names of the files. */
  readonly changes: readonly string[];
  /** Breaks that are accepted, each once, with the fragment that says so first. */
  readonly accepts: readonly GatheredBreak[];
}

export interface GatheredBreak {
  readonly entry: FragmentBreak;
  readonly fragment: Fragment;
}

/** Joins change fragments; their order plays no part. */
export function gatherFragments(fragments: readonly Fragment[]): Gathered {
  const sorted = fragments.toSorted((a, b) => weigh(b) - weigh(a) || (a.file < b.file ? -1 : 1));
  const changes = [...new Set(sorted.flatMap((fragment) => fragment.changes))];
  const [largest] = sorted;
  const accepts = new Map<string, GatheredBreak>();
  for (const fragment of sorted) {
    for (const entry of fragment.accepts ?? []) {
      const { finding, of, member, how, from } = entry;
      const key = JSON.stringify([finding, of, member, how, from]);
      if (!accepts.has(key)) accepts.set(key, { entry, fragment });
    }
  }
  return { ...(largest && { kind: largest.kind }), changes, accepts: [...accepts.values()] };
}

function weigh({ kind }: Fragment): number {
  return FRAGMENT_KINDS.indexOf(kind);
}
