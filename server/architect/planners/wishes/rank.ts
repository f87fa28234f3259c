import { draftAccess } from "./access-drafts.ts";
import type { Clause } from "./clause.ts";
import { type Draft, matchThing, unexplained } from "./draft.ts";
import { draftExamples } from "./example-drafts.ts";
import { draftLabels } from "./label-drafts.ts";
import { draftLists } from "./list-drafts.ts";
import type { Places } from "./places.ts";
import { draftScalars } from "./scalar-drafts.ts";
import { draftThings } from "./thing-drafts.ts";
import { draftTuning } from "./tuning-drafts.ts";

export interface Ranked extends Draft {
  /** What speaks against it: each word that it leaves unexplained counts 1. */
  readonly cost: number;
  /** Words of the clause that it leaves unexplained. */
  readonly open: readonly number[];
}

/** A word that only the description of a thing explains. */
const SOFT = 0.15;
/** A word that was read as another, for a typing error. */
const CORRECTED = 0.1;

/** Everything that a clause may ask for, the likeliest first; of drafts that would do one thing, the best. */
export function rankDrafts(clause: Clause, places: Places): readonly Ranked[] {
  const matches = places.things.flatMap((thing) => matchThing(clause, thing, places) ?? []);
  const drafts = [
    ...matches.flatMap((match) => {
      const own = places.placesOf.get(match.thing) ?? [];
      return [
        ...draftScalars(clause, match, own),
        ...draftLists(clause, match, own, places),
        ...draftThings(clause, match, places),
      ];
    }),
    ...draftAccess(clause, places),
    ...draftTuning(clause, places),
    ...draftLabels(clause, places),
    ...draftExamples(clause, places),
  ];
  const best = new Map<string, Ranked>();
  for (const draft of drafts) {
    const open = unexplained(clause, draft);
    const soft = [...draft.soft].filter((at) => !draft.explained.has(at)).length;
    const cost = open.length + soft * SOFT + draft.doubt + clause.corrections.size * CORRECTED;
    const ranked = { ...draft, open, cost };
    if ((best.get(draft.name)?.cost ?? Infinity) > cost) best.set(draft.name, ranked);
  }
  return [...best.values()].sort((one, other) => one.cost - other.cost);
}
