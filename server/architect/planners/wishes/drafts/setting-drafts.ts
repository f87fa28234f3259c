import { showValue } from "../../../show-value.ts";
import type { Json } from "../../../../store/store.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import type { Setting } from "../places/setting.ts";
import { listSettings } from "../places/settings.ts";
import { placesAcross } from "../words/words.ts";
import { type Draft, has } from "./draft.ts";
import { findNumber } from "./find-number.ts";

/** Words around what is set. */
const TALK =
  /^(?:last|lasts|long|longer|most|least|only|up|set|put|into|that|in|times?|after|when|we|our|has|look|looks|use|uses|using|be|becomes?|take|takes|count|counts|than|less|more|it|at|given|give|gives|get|gets)$/;
const DENYING = /^(?:not|never|nobody|cannot|nicht|nie|ne|pas|jamais|nunca)$|n['’]t$/;
const OTHER_WAY = /\b(?:was|were|used to|had|has been|have been|did)\b/iu;

/** Drafts that set what has words of its own: the window of an experiment, the lease of a workflow, the notice of a policy. */
export function draftSettings(clause: Clause, { version }: Places): readonly Draft[] {
  if (OTHER_WAY.test(clause.text)) return [];
  const isGone = has(clause, "remove", "revoke");
  const meant = listSettings(version).flatMap((setting) => {
    const { key, about, isOfRefusal = false } = setting;
    if (isGone && !isOfRefusal) return [];
    if (!key.test(clause.text) || !about.test(clause.text)) return [];
    const own = namesIn(clause, setting);
    return [{ setting, own }];
  });
  return meant.flatMap(({ setting, own }): readonly Draft[] => {
    const rivals = meant.filter((other) => other.setting !== setting && isLike(other.setting, setting));
    // One that is not named is meant where it is the only one of its kind, and nothing else of that kind is named.
    const isMeant = own.length > 0 || setting.names.length === 0 || rivals.length === 0;
    const isOther = own.length === 0 && rivals.some((other) => other.own.length > 0);
    if (!isMeant || isOther) return [];
    const given = findGiven(clause, setting);
    if (given === undefined) return [];
    const { value, words, doubt } = given;
    const { file, at, label, now } = setting;
    return [
      {
        name: `${file}#${at.join("/")}=${JSON.stringify(value)}`,
        label: `the ${label}`,
        thing: undefined,
        isNamed: true,
        explained: new Set([
          ...words,
          ...own,
          ...wordsOf(clause, setting.key),
          ...wordsOf(clause, setting.about),
          ...clause.tokens.flatMap(({ lower, stems }, place) =>
            TALK.test(lower) || (stems.length > 0 && stems.every((stem) => setting.owners.has(stem))) ? [place] : [],
          ),
          ...(
            [
              "set",
              "raise",
              "lower",
              "restrict",
              "replace",
              "rename",
              "describe",
              "grant",
              "promote",
              "require",
              ...(setting.isOfRefusal === true ? (["remove", "revoke", "add"] as const) : []),
            ] as const
          ).flatMap((action) => clause.actions.get(action) ?? []),
          ...(setting.isOfRefusal === true ? clause.nouns.keys() : []),
          ...clause.keys.values().flatMap((said) => said.flat()),
        ]),
        soft: new Set(),
        doubt: doubt + (own.length > 0 || setting.names.length === 0 ? 0 : 0.3),
        values: words,
        deed: toDeed(setting, value, now),
      },
    ];
  });
}

function isLike(one: Setting, other: Setting): boolean {
  return one.at.join("/") === other.at.join("/");
}

/** The words of a clause that name what a setting belongs to. */
function namesIn({ tokens }: Clause, { names, beside }: Setting): readonly number[] {
  // A workflow may be called by a verb: "change the workflow server" names none.
  const isBeside = (at: number) =>
    beside === undefined ||
    [at - 1, at + 1].some((place) => beside.test(tokens[place]?.lower ?? "")) ||
    /^(?:make|have)$/.test(tokens[at - 1]?.lower ?? "");
  return names.flatMap((name) => {
    const found = name.map((stem) => tokens.findIndex(({ stems }, at) => stems.includes(stem) && isBeside(at)));
    return found.every((at) => at >= 0) ? found : [];
  });
}

function wordsOf({ tokens, text }: Clause, pattern: RegExp): readonly number[] {
  const all = [...text.matchAll(new RegExp(pattern, "giu"))];
  return all.flatMap(({ index, 0: found }) => placesAcross(tokens, { start: index, end: index + found.length }));
}

interface Found {
  readonly value: Json;
  readonly words: readonly number[];
  readonly doubt: number;
}

function findGiven(clause: Clause, { accepts, now, within, values, names }: Setting): Found | undefined {
  const isDenied = clause.negators.some((at) => clause.tokens[at]?.lower !== "only");
  if (accepts.kind === "range") return isDenied ? undefined : findRange(clause, now);
  if (values !== undefined) {
    const found = values.flatMap(([pattern, value]) => {
      const words = wordsOf(clause, pattern);
      if (words.some((at) => isSetAside(clause, at))) return [];
      // "May not merge patches by itself" says the opposite.
      const isTurned = clause.negators.some(
        (at) => !words.includes(at) && DENYING.test(clause.tokens[at]?.lower ?? ""),
      );
      return words.length === 0 || isTurned ? [] : [{ value, words: [...words, ...clause.negators], doubt: 0 }];
    });
    return found.length === 1 ? found[0] : undefined;
  }
  if (isDenied) return undefined;
  if (accepts.kind === "text") {
    const [only, ...others] = clause.tokens.flatMap(({ kind, text }, at) =>
      kind === "quoted" && text.trim() !== "" && text !== now ? [{ value: text, words: [at], doubt: 0 }] : [],
    );
    return others.length === 0 ? only : undefined;
  }
  const given = findNumber(clause, { accepts, now, names: new Set(names.flat()) });
  const isWithin =
    typeof given?.value === "number" &&
    (within === undefined || (given.value >= within[0] && given.value <= within[1])) &&
    given.value !== now;
  return given === undefined || !isWithin
    ? undefined
    : { value: given.value, words: [...given.tokens, ...clause.negators], doubt: given.doubt };
}

/** Tells whether a word is what something is to be no more: "clipped rather than rejected". */
function isSetAside({ tokens, text }: Clause, at: number): boolean {
  return /\b(?:rather than|instead of|and not|, ?not)(?: \p{L}+)? $/iu.test(text.slice(0, tokens[at]?.start));
}

/** "From 0 to 5", "between 0 and 5" */
function findRange({ amounts, text }: Clause, now: Json | undefined): Found | undefined {
  const [least, most, ...others] = amounts;
  if (least === undefined || most === undefined || others.length > 0 || least.value >= most.value) return undefined;
  if (!/\b(?:from|between)\b|\[|\d ?[-–] ?\d/iu.test(text)) return undefined;
  const value = [least.value, most.value];
  return JSON.stringify(value) === JSON.stringify(now)
    ? undefined
    : { value, words: [...least.tokens, ...most.tokens], doubt: 0 };
}

function toDeed({ file, at, label, others = [] }: Setting, value: Json, now: Json | undefined): Deed {
  return async (bench) => {
    // It may be so without being written down.
    if (value === now && others.length === 0) return;
    for (const other of others)
      if ((await bench.find(other.file, other.at)) !== undefined) await bench.remove(other.file, other.at);
    const isChanged = await bench.set(file, at, value);
    const isText = typeof value === "string" && /\s/.test(value);
    const was = now === undefined || isText ? "" : `; it was ${showValue(now)}`;
    if (isChanged) bench.say(`The ${label} is ${showValue(value)}${was}.`);
    bench.need("patch");
  };
}
