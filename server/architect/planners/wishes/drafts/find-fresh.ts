import type { Json } from "../../../../store/store.ts";
import { toCase } from "../../directives/phrases/change-values.ts";
import type { Version } from "../../../../versions/version.ts";
import { modulesOf } from "../../directives/knows-value.ts";
import type { Clause } from "../clause.ts";
import type { Match } from "./draft.ts";
import type { Place, Places } from "../places/places.ts";
import { findApposed } from "../words/find-apposed.ts";
import { isSame } from "../words/values.ts";
import { STOP } from "../words/word-lists.ts";
import { type Token, toStems } from "../words/words.ts";

/** A value in a clause, and the place of its word. */
export interface Item {
  readonly value: Json;
  readonly at: number;
}

/** The values that there are already which a clause names. */
export function findItems({ tokens, amounts }: Clause, known: readonly Json[]): readonly Item[] {
  const words = tokens.flatMap((token, at) => {
    const isTalk =
      token.kind === "word" &&
      ((STOP.has(token.lower) && !isBracketed({ tokens }, at)) ||
        (token.lower === "any" && /^(?:more|longer)$/.test(tokens[at + 1]?.lower ?? "")));
    const value =
      token.kind === "sign" || isTalk
        ? undefined
        : known.find((own) => isSame(own, token.kind === "number" ? token.value : token.text));
    return value === undefined ? [] : [{ value, at }];
  });
  const numbers = amounts.flatMap(({ value, tokens: [at = 0] }) =>
    known.includes(value) && !words.some((item) => item.at === at) ? [{ value, at }] : [],
  );
  return [...words, ...numbers];
}

/** The values that a clause names as they are written, or in other forms: "vouchers", "store credit" for `store_credit`. */
export function findLike(clause: Clause, known: readonly Json[]): readonly Item[] {
  const exact = findItems(clause, known);
  const taken = new Set(exact.map(({ at }) => at));
  const like = known.flatMap((value): readonly Item[] => {
    const stems = typeof value === "string" ? toStems(value) : [];
    const isLong = stems.join("").length > 3;
    return clause.tokens.flatMap((token, at) => {
      const isThere = stems.every((stem, offset) => {
        const { kind, stems: own = [] } = clause.tokens[at + offset] ?? {};
        return kind === "word" && own.length === 1 && own[0] === stem;
      });
      const isTalk = stems.length === 1 && STOP.has(token.lower);
      return isLong && isThere && !isTalk && !taken.has(at) ? [{ value, at }] : [];
    });
  });
  return [...exact, ...like];
}

/** Words for values that are not there yet: those that the code knows beside the present ones, or one in quotes. */
export function findFresh(clause: Clause, match: Match, { thing }: Place, { version }: Places): readonly Item[] {
  const tools =
    thing.tool === undefined
      ? [...version.tools.values()].filter(
          ({ parameters }) => thing.set !== undefined && parameters.includes(thing.set.name),
        )
      : [thing.tool];
  if (match.own === 0 && !isOwnerNamed(clause, match) && findItems(clause, thing.values).length === 0) return [];
  const code = tools.flatMap((tool) => modulesOf(version, tool));
  const isKnown = (value: Json) => {
    const text = String(value).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return code.some((one) => new RegExp(`["'\`]${text}["'\`]|(?:^|[{,\\s])["']?${text}["']?\\s*:`, "m").test(one));
  };
  const items = clause.tokens.flatMap((token, at): readonly Item[] => {
    const isText =
      (token.kind === "word" && !/\p{Script=Han}/u.test(token.text)) ||
      (token.kind === "quoted" && !/\s/.test(token.text));
    if (version.tools.has(token.lower) || isNextTo(clause, at)) return [];
    const isTaken = thing.values.some((own) => isSame(own, token.text)) || clause.negators.includes(at);
    if (!isText || isTaken || token.text.length < 2) return [];
    const value = toCase(token.text, thing.values);
    const isSaid = token.kind === "quoted" || (clause.weights[at] ?? 0) > 0 || token.stems.length > 1;
    // Names of languages and units are also words: such a value has to be all that is said of it.
    return isKnown(value) &&
      !(STOP.has(token.lower) && token.kind === "word" && !isBracketed(clause, at)) &&
      (isSaid || (token.text.length < 4 && isMarked(clause, at)))
      ? [{ value, at }]
      : [];
  });
  const own = new Set(thing.names.flat());
  const said = new Set([
    ...[...clause.actions.values()].flat(),
    ...[...clause.keys.values()].flat(2),
    ...clause.nouns.keys(),
  ]);
  const fresh = items.filter(({ at }) => {
    const token = clause.tokens[at];
    const isName = token?.stems.every((stem) => own.has(stem) || thing.owners.has(stem)) === true;
    const isOwn = thing.names.some((name) => name.join() === token?.stems.join());
    return (token?.kind === "quoted" && !isOwn) || !(isName || said.has(at));
  });
  const apposed = pickApposed(clause, thing, version);
  if (apposed.length > 0) return apposed;
  return fresh.length > 0 ? fresh : findUnknown(clause, thing, version);
}

/** The values that a clause sets apart from its other words; none unless all of them may be new ones of a thing. */
export function pickApposed(clause: Clause, thing: Place["thing"], version: Version): readonly Item[] {
  const free = findFree(clause, thing, version);
  const items = findApposed(clause.text, clause.tokens).map((at) => free.find((one) => one.at === at));
  return items.includes(undefined) ? [] : items.flatMap((one) => (one === undefined ? [] : [one]));
}

/** The words of a clause that may be values that a thing does not have yet. */
function findFree(
  { tokens, actions, keys, nouns }: Clause,
  { values, names, owners }: Place["thing"],
  { tools }: Version,
): readonly (Item & { readonly token: Token })[] {
  const said = new Set([...[...actions.values()].flat(), ...[...keys.values()].flat(2), ...nouns.keys()]);
  const isName = ({ stems }: Token) =>
    stems.length > 0 && stems.every((stem) => owners.has(stem) || names.some((name) => name.includes(stem)));
  return tokens.flatMap((token, at) =>
    values.some((own) => isSame(own, token.text)) ||
    isName(token) ||
    said.has(at) ||
    /\p{Script=Han}/u.test(token.text) ||
    isNextTo({ tokens }, at) ||
    tools.has(token.lower) ||
    token.kind === "sign" ||
    (token.kind === "word" && STOP.has(token.lower) && !isBracketed({ tokens }, at))
      ? []
      : [{ token, at, value: toCase(token.text, values) }],
  );
}

/** A value that only the sender knows: in quotes, written like an identifier, or the one word beside what says where it goes. */
function findUnknown(clause: Clause, thing: Place["thing"], version: Version): readonly Item[] {
  const { tokens, weights, actions } = clause;
  const { names } = thing;
  const fresh = findFree(clause, thing, version);
  const marked = fresh.filter(({ token, at }) =>
    token.kind === "quoted"
      ? !/\s/.test(token.text)
      : token.kind === "word" &&
        (((weights[at] ?? 0) > 0 && /[_-]/.test(token.text)) || (token.text.length < 4 && isMarked(clause, at))),
  );
  if (marked.length > 0) return marked.length === 1 ? marked : [];
  const own = (at: number) => names.some((name) => name.some((stem) => tokens[at]?.stems.includes(stem) === true));
  const beside = fresh.filter(
    ({ token, at }) =>
      token.kind === "word" &&
      (weights[at] ?? 0) > 0 &&
      (own(at - 1) ||
        (actions.get("add") ?? []).includes(at - 1) ||
        ["as", ":", "als", "como", "comme"].includes(tokens[at + 1]?.lower ?? "") ||
        tokens[at - 1]?.text === ":"),
  );
  return beside.length === 1 ? beside : [];
}

/** "Next to plain and warm" */
function isNextTo({ tokens }: Pick<Clause, "tokens">, at: number): boolean {
  return tokens[at]?.lower === "next" && tokens[at + 1]?.lower === "to";
}

function isBracketed({ tokens }: Pick<Clause, "tokens">, at: number): boolean {
  return tokens[at - 1]?.text === "(" && tokens[at + 1]?.text === ")";
}

/** Tells whether a short word is marked as a value: by brackets, or by a verb right before it. */
function isMarked({ tokens, actions }: Clause, at: number): boolean {
  if (tokens[at + 1]?.lower === "as") return true;
  return tokens[at - 1]?.text === "(" || (actions.get("add") ?? []).includes(at - 1) || tokens[at - 1]?.text === ":";
}

function isOwnerNamed({ tokens, weights }: Clause, { explained }: Match): boolean {
  return tokens.some((_, at) => explained.has(at) && (weights[at] ?? 0) > 0);
}
