import { draftAccess } from "./drafts/access-drafts.ts";
import type { Clause } from "./clause.ts";
import { judgeRights } from "./contrary/against-rights.ts";
import { toContrary, toMistaken } from "./contrary/is-contrary.ts";
import { type Draft, matchThing, unexplained } from "./drafts/draft.ts";
import { draftExamples } from "./drafts/example-drafts.ts";
import { draftLabels } from "./drafts/label-drafts.ts";
import { draftLists } from "./drafts/list-drafts.ts";
import { givesToAll } from "./drafts/gives-to-all.ts";
import { draftProtection } from "./drafts/protection-drafts.ts";
import { draftPage, draftRange } from "./drafts/range-drafts.ts";
import { draftRedaction } from "./drafts/redaction-drafts.ts";
import { draftResources } from "./drafts/resource-drafts.ts";
import type { Places, Thing } from "./places/places.ts";
import { draftScalars } from "./drafts/scalar-drafts.ts";
import { draftSettings } from "./drafts/setting-drafts.ts";
import { draftThings } from "./drafts/thing-drafts.ts";
import { draftTuning } from "./drafts/tuning-drafts.ts";
import { draftWritten } from "./drafts/written-drafts.ts";

export interface Ranked extends Draft {
  /** Words that it leaves unexplained, and doubts, summed up. */
  readonly cost: number;
  /** Words of the clause that it leaves unexplained. */
  readonly open: readonly number[];
  /** True: something that the clause says speaks against it, so that it is never clear. */
  readonly isContrary: boolean;
}

/** A word that only the description of a thing explains. */
const SOFT = 0.06;
/** Cost of a draft that leaves hardly a word aside. */
const SURE = 0.3;
/** A word that was read as another, for a typing error. */
const CORRECTED = 0.1;

/** The things that a word of the clause may name. */
function findNear({ tokens }: Clause, { byStem }: Places): readonly Thing[] {
  const stems = tokens.flatMap(({ stems: own, lower, value }) => [
    ...own,
    lower,
    ...(value === undefined ? [] : [String(value)]),
  ]);
  return [...new Set(stems.flatMap((stem) => byStem.get(stem) ?? []))];
}

/** Everything that a clause may ask for, the likeliest first; of drafts that would do one thing, the best. */
export function rankDrafts(clause: Clause, places: Places): readonly Ranked[] {
  const matches = findNear(clause, places).flatMap((thing) => matchThing(clause, thing, places) ?? []);
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
    ...draftRange(clause, places),
    ...draftPage(clause, places),
    ...draftRedaction(clause, places),
    ...draftProtection(clause, places),
    ...draftResources(clause, places),
    ...draftWritten(clause, places),
    ...draftSettings(clause, places),
  ];
  const isAboutExample = clause.tokens.some(({ lower }) =>
    /^(?:examples?|beispiele?|ejemplos?|exemples?)$/.test(lower),
  );
  const rights = judgeRights(clause, places);
  const isContrary = toContrary(clause, places, rights);
  const isMistaken = toMistaken(clause, places);
  const best = new Map<string, Ranked>();
  for (const draft of drafts) {
    if (isMistaken(draft.name)) continue;
    const open = unexplained(clause, draft);
    const soft = [...draft.soft].filter((at) => !draft.explained.has(at)).length;
    const left = open.reduce((sum, at) => sum + (clause.weights[at] ?? 0), 0);
    const isBesideExample = isAboutExample && draft.thing?.kind !== "example" && !draft.name.startsWith("example");
    const cost = (isBesideExample ? 0.8 : 0) + left + soft * SOFT + draft.doubt + clause.corrections.size * CORRECTED;
    const words = [...draft.explained, ...draft.soft];
    const ranked = {
      ...draft,
      open,
      cost,
      isContrary: rights.mistakes(draft.name) || isContrary({ name: draft.name, words }),
    };
    if ((best.get(draft.name)?.cost ?? Infinity) > cost) best.set(draft.name, ranked);
  }
  const all = withoutArms(clause, [...best.values()]);
  const settled = all.find(({ settles, cost }) => settles === true && cost < SURE);
  return all
    .filter((draft) => draft === settled || settled === undefined || !isOfRights(draft.name))
    .sort((one, other) => one.cost - other.cost);
}

/** Tells whether a change of that name is of roles, or of what they may do. */
export function isOfRights(name: string): boolean {
  return /^(?:grant|revoke|exchange|require|drop|role|remove role) /.test(name);
}

/** Drafts without those that give an arm, or the parameters behind it, what the arm has that everybody is to get. */
function withoutArms(clause: Clause, drafts: readonly Ranked[]): Ranked[] {
  const promotion = givesToAll(clause)
    ? drafts.find(({ name, cost }) => name.startsWith("promote ") && cost < SURE)
    : undefined;
  const isBeside = ({ thing, name }: Ranked) =>
    promotion !== undefined &&
    thing?.set !== undefined &&
    thing.set === promotion.thing?.set &&
    !name.startsWith("promote ");
  return drafts.filter((draft) => !isBeside(draft));
}
