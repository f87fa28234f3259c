import type { Json } from "../../../../store/store.ts";
import type { Example } from "../../../../versions/version.ts";
import type { Path } from "../../../edit/edit-json.ts";
import { findIn } from "../../../edit/edit-json.ts";
import type { Clause } from "../clause.ts";
import { placesOfMatch } from "../words/words.ts";
import { leavesOf } from "./list-leaves.ts";

/** A value in an example. */
export interface Edit {
  readonly at: Path;
  readonly value: Json;
}

/** Words that what an example expects changes with what it gives. */
const BOTH =
  /\b(?:(?:in|on) both|both (?:in|sides|the)|and (?:also )?(?:in |on )?(?:what (?:it|the tool|that) (?:expects?|gives?|returns?|matches|answers?)|(?:the |its )?(?:expected |expectations?|outputs?|results?|answers?|match\w*))|(?:also )?in (?:the |its )?(?:expected \w+|expectations?|outputs?|results?|answers?|match\w*),? (?:too|as well)|everywhere in (?:it|the example)|beide[ns]? (?:Seiten|Stellen)|en ambos|des deux côtés)\b|两处/iu;

/** Tells whether a message says that what an example expects changes as well. */
export function speaksOfBoth({ text }: Clause): boolean {
  return BOTH.test(text);
}

/** Finds the words that say so. */
export function wordsOfBoth({ text, tokens }: Clause): readonly number[] {
  return placesOfMatch(tokens, text, BOTH);
}

/** Edits of an example's input, and of what it expects under the same name where that had the same value. */
export function withExpected(clause: Clause, example: Example, edits: readonly Edit[]): readonly Edit[] {
  if (!speaksOfBoth(clause)) return edits;
  const expected = [
    ...(example.output === undefined ? [] : leavesOf(example.output as Json, ["output"])),
    ...(example.matches === undefined ? [] : leavesOf(example.matches as Json, ["matches"])),
  ];
  return edits.flatMap((edit) => {
    const now = findIn(example, edit.at);
    const name = edit.at.at(-1);
    const others = expected.filter(({ at, value }) => value === now && at.includes(name ?? ""));
    return [edit, ...(edit.at[0] === "input" ? others.map(({ at }) => ({ at, value: edit.value })) : [])];
  });
}
