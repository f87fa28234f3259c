import type { Json } from "../../../store/store.ts";
import type { Parameter } from "../../../versions/version.ts";
import { addFieldValues, removeFieldValues } from "../directives/change-values.ts";
import type { Deed } from "../directives/phrase.ts";
import { addChoices, removeChoices } from "../directives/set-parameters.ts";
import type { Clause } from "./clause.ts";
import { type Draft, explainActions, explainKey, has, type Match, nameDoubt } from "./draft.ts";
import { findFresh, findItems, type Item } from "./find-fresh.ts";
import { draftHosts } from "./host-drafts.ts";
import type { Place, Places } from "./places.ts";
import { isSame, roleOf } from "./values.ts";

/** Drafts that add values to lists of a thing, or take some out: what a field can be, which hosts may be reached. */
export function draftLists(clause: Clause, match: Match, all: readonly Place[], places: Places): readonly Draft[] {
  return all.flatMap((place) => {
    if (place.accepts.kind !== "list") return [];
    return place.accepts.of === "host"
      ? draftHosts(clause, match, place)
      : place.accepts.of === "value"
        ? draftValues(clause, match, place, places)
        : [];
  });
}

function draftValues(clause: Clause, match: Match, place: Place, places: Places): readonly Draft[] {
  const { thing } = place;
  const known = thing.values;
  const present = findItems(clause, known);
  const fresh = findFresh(clause, match, place, places);
  if (match.own === 0 && present.length === 0 && !match.explained.size) return [];
  const drafts: Draft[] = [];
  const said = explainKey(clause, "values") ?? [];
  const ofTool =
    thing.field?.side === "output" && ![...clause.nouns.values()].some((kinds) => kinds.has("output")) ? 0.6 : 0;
  // Values that are there name the field as well as its name does.
  const named = match.own > 0 ? nameDoubt(match) : present.length > 0 && !has(clause, "remove") ? 0.2 : 0.3;
  const toDraft = (
    kind: string,
    words: readonly number[],
    items: readonly Item[],
    others: readonly Item[],
    deed: Deed | undefined,
  ): Draft => ({
    name: `${place.file}#${place.at.join("/")} ${kind} ${JSON.stringify(items.map(({ value }) => value).sort())}`,
    label: `the values of ${thing.label}`,
    thing,
    explained: new Set([
      ...match.explained,
      ...said,
      ...words,
      ...items.map(({ at }) => at),
      ...others.map(({ at }) => at),
    ]),
    soft: match.soft,
    doubt: named + ofTool,
    ...(deed === undefined ? { missing: "Which value?" } : { deed }),
  });
  const add = explainActions(clause, ["add"]);
  const remove = explainActions(clause, ["remove", "stop"]);
  const set = explainActions(clause, ["set", "restrict"]);
  const wanted = fresh.filter(({ at }) => roleOf(clause.tokens, at) !== "from");
  if (
    remove === undefined &&
    wanted.length > 0 &&
    (add !== undefined ||
      (set !== undefined &&
        (present.length > 0 || said.length > 0 || clause.tokens[(wanted[0]?.at ?? 0) + 1]?.lower === "as")))
  ) {
    drafts.push(
      toDraft(
        "add",
        [...(add ?? []), ...(add === undefined ? (set ?? []) : [])],
        wanted,
        present,
        adding(places, place, wanted),
      ),
    );
  }
  if (remove !== undefined && add === undefined && present.length > 0 && fresh.length === 0) {
    drafts.push(toDraft("remove", [...remove, ...clause.negators], present, [], removing(place, present)));
  }
  // "units should be one of metric, imperial and kelvin", "only metric"
  const only = clause.negators.filter((at) =>
    /^(?:only|nur|solo|sólo|seulement)$/.test(clause.tokens[at]?.lower ?? ""),
  );
  const gone = known.filter((value) => !present.some((item) => isSame(item.value, value)));
  const listed = [...present, ...fresh];
  if (
    remove === undefined &&
    (set !== undefined || only.length > 0 || add === undefined) &&
    listed.length > (only.length > 0 ? 0 : 1) &&
    match.own > 0 &&
    (gone.length > 0 || fresh.length > 0)
  ) {
    const doubt = gone.length > 0 && only.length === 0 && !isListed(clause) ? 1 : 0;
    const draft = toDraft(
      "be",
      [...(set ?? []), ...(add ?? []), ...only],
      listed,
      [],
      restricting(places, place, fresh, gone),
    );
    drafts.push({ ...draft, doubt: draft.doubt + doubt });
  }
  return drafts;
}

function isListed({ text }: Clause): boolean {
  return /\b(?:one of|either|any of|should be|must be|allowed|values?|enum|options|choices)\b/i.test(text);
}

function adding(places: Places, { thing }: Place, items: readonly Item[]): Deed {
  const values = items.map(({ value }) => value);
  return (bench) => toAdding(places, thing, values)(bench);
}

function toAdding({ version }: Places, { field, set, parameter }: Place["thing"], values: readonly Json[]): Deed {
  if (field !== undefined) return addFieldValues(version, field, values, false);
  return addChoices(version, toFound(set, parameter), values);
}

function removing({ thing }: Place, items: readonly Item[]): Deed {
  const values = items.map(({ value }) => value);
  return (bench) => toRemoving(thing, values)(bench);
}

function toRemoving({ field, set, parameter }: Place["thing"], values: readonly Json[]): Deed {
  return field !== undefined ? removeFieldValues(field, values) : removeChoices(toFound(set, parameter), values);
}

function restricting(places: Places, { thing }: Place, fresh: readonly Item[], gone: readonly Json[]): Deed {
  return async (bench) => {
    if (fresh.length > 0)
      await toAdding(
        places,
        thing,
        fresh.map(({ value }) => value),
      )(bench);
    if (gone.length > 0) await toRemoving(thing, gone)(bench);
  };
}

function toFound(set: Place["thing"]["set"], name = "") {
  const parameter: Parameter | undefined = set?.parameters.get(name);
  if (set === undefined || parameter === undefined) throw new TypeError(`There is no parameter ${name}.`);
  return { set, name, parameter };
}
