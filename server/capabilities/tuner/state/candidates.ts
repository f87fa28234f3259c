import { ask } from "../cma/ask.ts";
import type { CmaSearch } from "../cma/search.ts";
import type { RandomSource } from "../cma/restarts.ts";
import { normalAt } from "../normal.ts";
import { uniformAt } from "../uniform.ts";

export interface Evolution {
  readonly kind: "evolution";
  readonly search: CmaSearch;
  /** Time when the open generation was handed out, in milliseconds since 1970; 0 before the first event. */
  readonly openedAt: number;
}

/** All candidates of the open generation are handed out at once: any conversation may be given any of them. */
export function openAll(search: CmaSearch, openedAt: number, at: number): Evolution {
  if (search.stopped !== null) return { kind: "evolution", search, openedAt };
  const isNew = search.open === null;
  const { search: opened } = ask(search, Number.MAX_SAFE_INTEGER, RANDOM);
  return { kind: "evolution", search: opened, openedAt: isNew ? at : openedAt };
}

/** The candidates whose result is still waited for, in order. */
export function openCandidates({ open, late }: CmaSearch) {
  const isOpen = ({ asked, outcome }: { asked: boolean; outcome: unknown }) => asked && outcome === null;
  return { current: [...(open?.candidates ?? []), ...(open?.again ?? [])].filter(isOpen), late: late.filter(isOpen) };
}

/** Numbers that depend on their place alone, so that a fold of events needs no state of a generator. */
const RANDOM: RandomSource = Object.freeze({ uniform: uniformAt, normal: normalAt });
