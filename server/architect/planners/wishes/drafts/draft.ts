import type { Json } from "../../../../store/store.ts";
import type { Tool } from "../../../../versions/version.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { Clause } from "../clause.ts";
import type { KeyWord } from "../words/key-words.ts";
import type { Places, Thing } from "../places/places.ts";
import type { Action } from "../words/word-lists.ts";

/** One thing that a clause may ask for. */
export interface Draft {
  /** Drafts of one name would do one thing. */
  readonly name: string;
  /** For sentences, where it cannot be done: "the time limit of `runner.chat`". */
  readonly label: string;
  readonly thing: Thing | undefined;
  /** Words of the clause that it explains. */
  readonly explained: ReadonlySet<number>;
  /** Words that the description of the thing explains, which is less certain. */
  readonly soft: ReadonlySet<number>;
  /** Doubt beside the words left unexplained; from 1 on the sender is asked. */
  readonly doubt: number;
  /** The part of the doubt that only the direction of a change makes: "raise it to 40" where it is 50. */
  readonly against?: number;
  /** True: it is about no thing, and the clause says by its name what it is about. */
  readonly isNamed?: true;
  /** True: it says all that becomes of roles and their rights, so that no other reading about those stands beside it. */
  readonly settles?: true;
  /** Words that say a value, where it takes one. */
  readonly values?: readonly number[];
  /** Absent: something is missing, as `missing` says. */
  readonly deed?: Deed;
  readonly missing?: string;
}

/** A value that a clause gives for a place, with the words that say it. */
export interface Given {
  readonly value: Json;
  readonly tokens: readonly number[];
  readonly doubt: number;
}

/** Fit between a clause and a thing that it names. */
export interface Match {
  readonly thing: Thing;
  /** Share of its name that is said, from 0 to 1. */
  readonly own: number;
  readonly explained: ReadonlySet<number>;
  readonly soft: ReadonlySet<number>;
}

/** A thing that no word of the clause names, or none has to. */
export function toUnnamed(thing: Thing, own = 0): Match {
  return { thing, own, explained: new Set(), soft: new Set() };
}

/** Matches a clause with a thing; undefined where it names no part of it. */
export function matchThing(clause: Clause, thing: Thing, places: Places): Match | undefined {
  const names = new Set(thing.names.flat());
  const explained = new Set<number>();
  const soft = new Set<number>();
  const said = new Set<string>();
  for (const [place, { stems, kind }] of clause.tokens.entries()) {
    if (stems.length === 0 || kind === "number" || (clause.weights[place] ?? 0) === 0) continue;
    if (stems.every((stem) => names.has(stem) || thing.owners.has(stem))) {
      const isName = thing.names.some((name) =>
        stems.length > 1 ? name.every((stem) => stems.includes(stem)) : name.includes(stems[0] ?? ""),
      );
      if (isName) for (const stem of stems) said.add(stem);
      explained.add(place);
    } else if (stems.every((stem) => thing.soft.has(stem))) soft.add(place);
    else if ([...(clause.nouns.get(place) ?? [])].some((noun) => thing.nouns.has(noun))) explained.add(place);
  }
  const named = Math.max(0, ...thing.names.map((name) => shareOf(name, said, places)));
  const described = new Set(
    clause.tokens.flatMap(({ stems }, at) =>
      (clause.weights[at] ?? 0) > 0 ? stems.filter((stem) => thing.about?.has(stem)) : [],
    ),
  ).size;
  const own = named > 0 ? named : Math.min(0.5, described * 0.2);
  if (own === 0 && thing.values.length === 0) return undefined;
  for (const [place, nouns] of clause.nouns) if ([...nouns].some((noun) => thing.nouns.has(noun))) explained.add(place);
  return { thing, own, explained, soft };
}

/** Rare words of a name weigh more. */
function shareOf(name: readonly string[], said: ReadonlySet<string>, { frequency }: Places): number {
  const weight = (stem: string) => 1 / (1 + Math.log2(frequency.get(stem) ?? 1) / 4);
  const sum = (stems: readonly string[]) => stems.reduce((total, stem) => total + weight(stem), 0);
  return sum(name.filter((stem) => said.has(stem))) / sum(name);
}

/** Cost of a name that is only said in part. */
export function nameDoubt({ own }: Match): number {
  return own >= 1 ? 0 : 0.7 * (1 - own);
}

/** The words of the actions that are meant, none where one is only supposed; undefined where the clause has none of them. */
export function explainActions(clause: Clause, actions: readonly Action[]): readonly number[] | undefined {
  return has(clause, ...actions) ? actions.flatMap((action) => clause.actions.get(action) ?? []) : undefined;
}

/** The words that say a key: all of its phrases. */
export function explainKey(clause: Clause, key: KeyWord): readonly number[] | undefined {
  return clause.keys.get(key)?.flat();
}

export function has(clause: Clause, ...actions: readonly Action[]): boolean {
  return actions.some((action) => clause.actions.has(action));
}

/** Tells whether a word of the clause names one of these kinds of things. */
export function hasNoun({ nouns }: Clause, ...kinds: readonly string[]): boolean {
  return [...nouns.values()].some((own) => kinds.some((kind) => own.has(kind)));
}

/** The words of the clause that name one of these kinds of things. */
export function explainNouns({ nouns }: Clause, ...kinds: readonly string[]): readonly number[] {
  return [...nouns].flatMap(([at, own]) => (kinds.some((kind) => own.has(kind)) ? [at] : []));
}

/** Words of the clause that nothing explains. */
export function unexplained(clause: Clause, { explained, soft }: Pick<Draft, "explained" | "soft">): readonly number[] {
  return clause.tokens.flatMap((_, place) =>
    (clause.weights[place] ?? 0) > 0 && !explained.has(place) && !soft.has(place) ? [place] : [],
  );
}

/** A draft of an action, where the clause has a verb for it; undefined otherwise. */
export function draftAction(
  clause: Clause,
  match: Match,
  actions: readonly Action[],
  name: string,
  deed: Deed,
  more: { readonly words?: readonly number[]; readonly doubt?: number } = {},
): readonly Draft[] {
  const verbs = explainActions(clause, actions);
  if (verbs === undefined) return [];
  // "Remove the default of units" is not about all of it.
  const keys = [...clause.keys.values()].flat(2).filter((at) => !match.explained.has(at) && !verbs.includes(at));
  const isPart =
    name === "remove" &&
    (keys.length > 0 || clause.tokens.some(({ lower }) => /^(?:all|every|everything|both|any|each)$/.test(lower)));
  const { thing } = match;
  return [
    {
      name: `${name} ${thing.id}`,
      label: thing.label,
      thing,
      explained: new Set([...match.explained, ...verbs, ...(more.words ?? [])]),
      soft: match.soft,
      doubt: (isPart ? 1 : 0) + nameDoubt(match) + sideDoubt(clause, thing) + (more.doubt ?? 0),
      deed,
    },
  ];
}

/** Cost of the side of a tool that a field is on: most messages are about inputs. */
export function sideDoubt(clause: Clause, { field }: Thing): number {
  if (field === undefined) return 0;
  const isNamed = hasNoun(clause, field.side);
  return (
    (field.side === "output" && !isNamed ? 0.5 : 0) +
    (hasNoun(clause, field.side === "input" ? "output" : "input") && !isNamed ? 0.6 : 0) +
    (field.name.includes(".") ? 0.2 : 0)
  );
}

/** Tells whether a word in lower case is the name of a tool, with its server or without. */
export function isNameOf({ name }: Pick<Tool, "name">, lower: string): boolean {
  return name.toLowerCase() === lower || name.toLowerCase().endsWith(`.${lower}`);
}

/** Tells whether a word in lower case is the name of a tool, and written like one: with its server, or with an underscore. */
export function isIdentifierOf(tool: Pick<Tool, "name">, lower: string): boolean {
  return tool.name.toLowerCase() === lower || (lower.includes("_") && isNameOf(tool, lower));
}
