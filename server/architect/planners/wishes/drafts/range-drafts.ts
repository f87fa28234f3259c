import { findIn } from "../../../edit/edit-json.ts";
import type { Clause } from "../clause.ts";
import type { Place, Places } from "../places/places.ts";
import { toNumber } from "../words/values.ts";
import { type Draft, explainNouns, has, isIdentifierOf, matchThing, nameDoubt, sideDoubt } from "./draft.ts";
import { setPlace } from "./scalar-drafts.ts";

/** Two numbers that something lies between. */
const RANGE =
  /(?:\b(?:between|from|within|zwischen|von|entre|desde|de)\s|\brange of )\s*(-?\d[\d.]*)\s*(?:\b(?:and|to|und|bis|y|hasta|a|et|à)\b|–|-)\s*(-?\d[\d.]*)/iu;
const LIES =
  /\b(?:lie|lies|stay|stays|be|range|ranges|fall|falls|allowed|accepted|accept|limit\w*|restrict\w*|only|bounds?|values?|liegen|sein|estar|être|rester)\b/iu;
const ABOUT =
  /^(?:between|from|within|range|lie|lies|stay|stays|fall|falls|and|to|liegen|allowed|only|numbers?|bounds?|integers?)$/;

/** Drafts of both bounds of a number: "weights in edge.bind have to lie between -100 and 100". */
export function draftRange(clause: Clause, places: Places): readonly Draft[] {
  const [, low = "", high = ""] = RANGE.exec(clause.text) ?? [];
  const [from, to] = [low, high].map(Number);
  if (low === "" || from === undefined || to === undefined || !(from < to)) return [];
  if (!LIES.test(clause.text) || has(clause, "add", "remove") || clause.amounts.length !== 2) return [];
  return places.things.flatMap((thing): readonly Draft[] => {
    const match = thing.kind === "field" || thing.kind === "parameter" ? matchThing(clause, thing, places) : undefined;
    const own = places.placesOf.get(thing) ?? [];
    const least = own.find(({ key }) => key === "minimum" || key === "min");
    const most = own.find(({ key }) => key === "maximum" || key === "max");
    if (match === undefined || match.own < 1 || least === undefined || most === undefined) return [];
    return [
      {
        name: `${least.file}#${least.at.join("/")}=${from} & ${most.file}#${most.at.join("/")}=${to}`,
        label: thing.label,
        thing,
        explained: new Set([
          ...match.explained,
          ...clause.amounts.flatMap(({ tokens }) => tokens),
          ...clause.tokens.flatMap(({ lower }, at) => (ABOUT.test(lower) ? [at] : [])),
          ...clause.negators.filter((at) => clause.tokens[at]?.lower === "only"),
          ...(["set", "restrict", "require", "grant"] as const).flatMap((action) => clause.actions.get(action) ?? []),
        ]),
        soft: match.soft,
        doubt: nameDoubt(match) + sideDoubt(clause, thing),
        deed: async (bench) => {
          if (least.now !== from) await setPlace(bench, least, from);
          if (most.now !== to) await setPlace(bench, most, to);
        },
      },
    ];
  });
}

/** Fields that say how many things a tool gives at once. */
const PAGE = /^(?:limit|max_results|page_?size|per_page|count|top|max_items|n)$/i;
const GIVES =
  /\b(?:return|returns|give|gives|list|lists|show|shows|fetch|fetches|deliver|deliver|find|finds|yield|liefer\w*|zeig\w*|devuelv\w+|devolver|muestr\w+|renvo\w+|retourn\w+|affich\w+)\b|返回|显示/iu;
const GOING =
  /^(?:return\w*|gives?|lists?|shows?|fetch\w*|deliver\w*|finds?|go|once|time|call|page|many|able|up|passages?|results?|hits?|entries|items?|rows?|records?)$/;

/** Drafts of how many things a tool gives, which a field of its input says: "list should be able to return 500 artifacts in one go". */
export function draftPage(clause: Clause, places: Places): readonly Draft[] {
  if (!GIVES.test(clause.text) || clause.keys.has("cost") || clause.keys.has("time")) return [];
  const fresh = clause.amounts.filter(({ role, unit }) => role === "to" && unit === undefined);
  return places.things.flatMap((thing): readonly Draft[] => {
    const { tool, field } = thing;
    if (tool === undefined || field?.side !== "input" || !PAGE.test(field.name)) return [];
    const at = clause.tokens.findIndex(({ lower }) => isIdentifierOf(tool, lower));
    if (at < 0) return [];
    const own = places.placesOf.get(thing) ?? [];
    const isNow = ({ now, accepts }: Place) =>
      accepts.kind === "number" && clause.amounts.some((amount) => toNumber(amount, accepts, new Set())?.value === now);
    const usual = own.find(({ key }) => key === "default");
    const most = own.find(({ key }) => key === "maximum");
    const isUsual = clause.keys.has("default") || (usual?.now !== undefined && isNow(usual));
    const place = isUsual ? usual : most;
    const wanted = fresh.filter(({ value }) => value !== place?.now);
    const [amount, ...others] = wanted;
    if (place?.now === undefined || amount === undefined || others.length > 0 || !Number.isInteger(amount.value))
      return [];
    if (
      !isUsual &&
      !/\b(?:up to|as many as|at most|in one (?:go|call)|at once|able to|maximum|max)\b/iu.test(clause.text)
    )
      return [];
    const lists = listsOf(tool.output);
    const said = clause.tokens.flatMap(({ lower, stems }, word) =>
      GOING.test(lower) || stems.some((stem) => lists.some((name) => name.startsWith(stem))) || lower === field.name
        ? [word]
        : [],
    );
    const keys = [place.key, "default", "max", "maxItems", "maximum"] as const;
    return [
      {
        name: `${place.file}#${place.at.join("/")}=${amount.value}`,
        label: thing.label,
        thing,
        explained: new Set([
          at,
          ...said,
          ...clause.amounts.flatMap(({ tokens }) => tokens),
          ...keys.flatMap((key) => clause.keys.get(key)?.flat() ?? []),
          ...explainNouns(clause, "output"),
          ...(["set", "grant", "revert", "raise", "lower"] as const).flatMap(
            (action) => clause.actions.get(action) ?? [],
          ),
          ...clause.negators.filter(
            (word) => word < (clause.amounts.at(-1)?.tokens[0] ?? 0) && clause.amounts.length > 1,
          ),
        ]),
        soft: new Set(),
        doubt: 0,
        values: amount.tokens,
        deed: (bench) => setPlace(bench, place, amount.value),
      },
    ];
  });
}

/** The names of the lists that a tool gives. */
function listsOf(output: Readonly<Record<string, unknown>>): readonly string[] {
  const properties = findIn(output, ["properties"]);
  return typeof properties === "object" && properties !== null
    ? Object.entries(properties).flatMap(([name, schema]) =>
        findIn(schema, ["type"]) === "array" ? [name.toLowerCase()] : [],
      )
    : [];
}
