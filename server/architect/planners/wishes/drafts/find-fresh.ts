import type { Json } from "../../../../store/store.ts";
import { toCase } from "../../directives/phrases/change-values.ts";
import type { Version } from "../../../../versions/version.ts";
import { modulesOf, namesValue } from "../../directives/knows-value.ts";
import type { Clause } from "../clause.ts";
import { isNameOf, type Match } from "./draft.ts";
import { isForOther } from "./is-for-other.ts";
import type { Place, Places } from "../places/places.ts";
import { toKnownForm } from "../../directives/codes.ts";
import { findApposed } from "../words/find-apposed.ts";
import { isCodeSaid, isNoValueAt, isPronoun } from "../words/is-value-word.ts";
import { isSame } from "../words/values.ts";
import { wholeName } from "../words/whole-name.ts";
import { STOP } from "../words/word-lists.ts";
import { type Token, toStems } from "../words/words.ts";

/** A value in a clause, and the place of its word. */
export interface Item {
  readonly value: Json;
  readonly at: number;
}

/** The values that there are already which a clause names. */
export function findItems(clause: Clause, known: readonly Json[]): readonly Item[] {
  const { tokens, amounts } = clause;
  const words = tokens.flatMap((token, at) => {
    const isTalk =
      token.kind === "word" &&
      ((STOP.has(token.lower) && !isBracketed(clause, at) && !isCodeSaid(clause, at, known)) ||
        (token.lower === "any" && /^(?:more|longer)$/.test(tokens[at + 1]?.lower ?? "")));
    const value =
      token.kind === "sign" || isTalk
        ? undefined
        : (known.find((own) => own === token.text) ??
          known.find((own) => isSame(own, token.kind === "number" ? token.value : token.text)));
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
export function findFresh(clause: Clause, match: Match, { thing }: Place, places: Places): readonly Item[] {
  const { version } = places;
  const tokens = clause.tokens.map((token) => (isTool(token, version) ? { ...token, kind: "sign" as const } : token));
  const found = extendRuns(clause, findSeveral({ ...clause, tokens }, match, thing, version), thing);
  return found.flatMap((item) => {
    const isOther = isPronoun(clause, item.at) || isForOther(clause, item.at, thing, places);
    const value = isOther ? undefined : toKnownForm(item.value, thing.values);
    return value === undefined ? [] : [{ ...item, value }];
  });
}

/** Tells whether a word calls a tool, which is what a wish is about and no value. */
function isTool({ lower, kind }: Token, { tools }: Places["version"]): boolean {
  return kind === "word" && /[._-]/.test(lower) && [...tools.values()].some((tool) => isNameOf(tool, lower));
}

/** Words and signs between the values of a list, and what may follow its last one. */
const JOINT = /^(?:,|、|\/|\+|&|and|or|und|oder|y|o|et|ou|和|或|跟)$/;
const BEHIND =
  /^(?:as|to|too|also|for|in|on|are|is|should|must|missing|please|pls|als|zu|bei|für|como|en|a|para|comme|à|dans|pour|fehlen|faltan|manquent|[.;!?)])$/;

/** Takes up the words that a list of new values goes on with: "kelvin and rankine", "CPT + CIP". */
function extendRuns(
  clause: Clause,
  items: readonly Item[],
  { values, names, owners }: Place["thing"],
): readonly Item[] {
  const { tokens, actions, nouns, negators } = clause;
  const said = new Set([...[...actions.values()].flat(), ...nouns.keys(), ...negators]);
  const found = new Map(items.map((item) => [item.at, item]));
  const isFree = (at: number) => {
    const { kind = "sign", lower = "", text = "", stems = [] } = tokens[at] ?? {};
    const isName = stems.every((stem) => owners.has(stem) || names.some((name) => name.includes(stem)));
    const isTaken = said.has(at) || STOP.has(lower) || isName || values.some((own) => isSame(own, text));
    return kind === "word" && !isTaken && !found.has(at);
  };
  const put = (at: number, beside: number) => {
    const isAlike = shapeOf(tokens[at]?.text ?? "") === shapeOf(tokens[beside]?.text ?? "");
    if (isFree(at) && isAlike) found.set(at, { value: toCase(tokens[at]?.text ?? "", values), at });
  };
  for (const { at } of items) {
    for (let next = at + 2; JOINT.test(tokens[next - 1]?.lower ?? ""); next += 2) {
      const isLast =
        tokens[next + 1] === undefined || [JOINT, BEHIND].some((one) => one.test(tokens[next + 1]?.lower ?? ""));
      if (isLast) put(next, at);
      if (!found.has(next)) break;
    }
    for (let last = at - 2; JOINT.test(tokens[last + 1]?.lower ?? ""); last -= 2) {
      put(last, at);
      if (!found.has(last)) break;
    }
  }
  return [...found.values()].sort((one, other) => one.at - other.at);
}

/** The shape of a value: "AAA", "aaa_aaa". */
function shapeOf(text: string): string {
  return text
    .replaceAll(/\p{Lu}+/gu, "A")
    .replaceAll(/\p{Ll}+/gu, "a")
    .replaceAll(/\d+/g, "0");
}

function findSeveral(clause: Clause, match: Match, thing: Place["thing"], version: Places["version"]): readonly Item[] {
  const tools =
    thing.tool === undefined
      ? [...version.tools.values()].filter(
          ({ parameters }) => thing.set !== undefined && parameters.includes(thing.set.name),
        )
      : [thing.tool];
  if (match.own === 0 && !isOwnerNamed(clause, match) && findItems(clause, thing.values).length === 0) return [];
  const code = tools.flatMap((tool) => modulesOf(version, tool));
  const items = clause.tokens.flatMap((token, at): readonly Item[] => {
    const isText =
      (token.kind === "word" && !/\p{Script=Han}/u.test(token.text)) ||
      (token.kind === "quoted" && !/\s/.test(token.text));
    if (version.tools.has(token.lower) || isNoValueAt(clause.tokens, at)) return [];
    const { name, words } = wholeName(clause.tokens, clause.text, at);
    const isTaken = thing.values.some((own) => isSame(own, token.text)) || clause.negators.includes(at);
    if (!isText || isTaken || name.length < 2 || words[0] !== at) return [];
    const value = toCase(name, thing.values);
    const isSaid = token.kind === "quoted" || (clause.weights[at] ?? 0) > 0 || token.stems.length > 1;
    // Names of languages and units are also words: such a value has to be all that is said of it.
    return namesValue(version, code, value) &&
      !(STOP.has(token.lower) && token.kind === "word" && !isSetApart(clause, at, thing.values)) &&
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
  return apposed.length > 0 ? apposed : fresh.length > 0 ? fresh : findUnknown(clause, thing, version);
}

/** The values that a clause sets apart from its other words; none unless all of them may be new ones of a thing. */
export function pickApposed(clause: Clause, thing: Place["thing"], version: Version): readonly Item[] {
  const free = findFree(clause, thing, version);
  const items = findApposed(clause.text, clause.tokens).map((at) => free.find((one) => one.at === at));
  return items.includes(undefined) ? [] : items.flatMap((one) => (one === undefined ? [] : [one]));
}

/** The words of a clause that may be values that a thing does not have yet. */
function findFree(
  clause: Clause,
  { values, names, owners }: Place["thing"],
  { tools }: Version,
): readonly (Item & { readonly token: Token })[] {
  const { text, tokens, actions, keys, nouns, negators } = clause;
  const said = new Set([...[...actions.values()].flat(), ...[...keys.values()].flat(2), ...nouns.keys()]);
  const isName = ({ stems }: Token) =>
    stems.length > 0 && stems.every((stem) => owners.has(stem) || names.some((name) => name.includes(stem)));
  const whole = (at: number) => wholeName(tokens, text, at);
  return tokens.flatMap((token, at) =>
    values.some((own) => isSame(own, token.text)) ||
    whole(at).words[0] !== at ||
    isName(token) ||
    said.has(at) ||
    (token.kind === "word" && negators.includes(at)) ||
    isNoValueAt(tokens, at) ||
    /\p{Script=Han}/u.test(token.text) ||
    tools.has(token.lower) ||
    token.kind === "sign" ||
    (token.kind === "word" && STOP.has(token.lower) && !isSetApart(clause, at, values))
      ? []
      : [{ token, at, value: toCase(whole(at).name, values) }],
  );
}

/** A value that only the sender knows: in quotes, written like an identifier, or the one word beside what says where it goes. */
function findUnknown(clause: Clause, thing: Place["thing"], version: Version): readonly Item[] {
  const { tokens, weights, actions } = clause;
  const { names } = thing;
  const fresh = findFree(clause, thing, version);
  const codes = fresh.filter(({ at }) => isCodeSaid(clause, at, thing.values));
  if (codes.length > 0) return codes;
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

function isBracketed({ tokens }: Clause, at: number): boolean {
  return tokens[at - 1]?.text === "(" && tokens[at + 1]?.text === ")";
}

/** Tells whether a word that mostly says nothing can only be a value: "(es)", "allow es as language". */
function isSetApart(clause: Clause, at: number, known: readonly Json[]): boolean {
  const { tokens, actions } = clause;
  if (isCodeSaid(clause, at, known)) return true;
  const isBehindVerb = (actions.get("add") ?? []).includes(at - 1);
  return isBracketed(clause, at) || (isBehindVerb && /^(?:as|als|como|comme)$/.test(tokens[at + 1]?.lower ?? ""));
}

/** Tells whether a short word is marked as a value: by brackets, or by a verb right before it. */
function isMarked({ tokens, actions }: Clause, at: number): boolean {
  if (tokens[at + 1]?.lower === "as") return true;
  return tokens[at - 1]?.text === "(" || (actions.get("add") ?? []).includes(at - 1) || tokens[at - 1]?.text === ":";
}

function isOwnerNamed({ tokens, weights }: Clause, { explained }: Match): boolean {
  return tokens.some((_, at) => explained.has(at) && (weights[at] ?? 0) > 0);
}
