import { isObject } from "../../../../json/is-object.ts";
import type { Example, Tool } from "../../../../versions/version.ts";
import { findIn } from "../../../edit/edit-json.ts";
import { showValue } from "../../../show-value.ts";
import type { Bench } from "../../directives/bench.ts";
import type { Clause } from "../clause.ts";
import { has } from "../drafts/draft.ts";
import type { Guess } from "../guess/guess-value.ts";
import type { Places, Thing } from "../places/places.ts";
import { fillFields } from "./fill-fields.ts";
import { findPlace, findShown, speaksOfPresent } from "./find-example.ts";
import { findPieces, type Piece, type Pieces, withoutNames } from "./find-pieces.ts";
import { listLeaves } from "./list-leaves.ts";
import { listSampleFields } from "./sample-fields.ts";
import { type Edit, withExpected, wordsOfBoth } from "./with-expected.ts";

/** Says that an example has a value, and is to keep it. */
const STAYS = /(?<!\p{L})(?:leave|keep|stays?|remains?|lass\w*|bleib\w*|dej\w+|laiss\w+)(?!\p{L})/iu;

/** Other values in an example that there is, and in its description where that has them: "in the example, the machine should be lin-02". */
export function guessSampleEdit(clause: Clause, { tool }: Thing, places: Places): readonly Guess[] {
  // What is to go is not changed.
  if (tool === undefined || !speaksOfPresent(clause) || has(clause, "remove")) return [];
  const place = findPlace(clause, tool);
  const example = place === undefined ? undefined : tool.examples[place];
  if (place === undefined || example === undefined) return [];
  const all = withoutNames(findPieces(clause), places);
  const { pieces, present } = tellApart(all, example);
  const shown = new Set(examplesCalling(clause, tool, place));
  const fresh = pieces.filter(({ tokens }) => !tokens.every((at) => shown.has(at)));
  // What a description is to say is no value.
  const values = speaksOfText(clause, example) ? fresh.filter(({ kind }) => kind !== "quoted") : fresh;
  const filled = fillFields(clause, { ...all, pieces: values }, listSampleFields(tool), places);
  const changed = filled.flatMap(({ field, value, words }) => {
    const at = [field.side, ...field.path];
    const now = findIn(example, at);
    return now === undefined || isObject(now) || Array.isArray(now) || now === value ? [] : [{ at, value, words, now }];
  });
  if (changed.length === 0) return [];
  const edits: readonly Edit[] = [...withExpected(clause, example, changed), ...describe(clause, example, changed)];
  const used = new Set(changed.flatMap(({ words }) => words));
  const isAllUsed = fresh.every(({ kind, tokens }) => kind === "word" || tokens.some((at) => used.has(at)));
  const nouns = [...clause.nouns].flatMap(([at, kinds]) => (kinds.has("example") ? [at] : []));
  const described = clause.keys.get("description")?.flat() ?? [];
  const verbs = clause.actions.get("set") ?? [];
  return [
    {
      name: nameOfEdit(tool, place, edits),
      signs: {
        newExample: 1,
        sample: changed.length,
        marked: 1,
        now: 1,
        ...(isAllUsed ? {} : { rough: 1 }),
        ...(clause.negators.length > 0 || STAYS.test(clause.text) ? { unsure: 1 } : {}),
      },
      words: [...used, ...present, ...shown, ...nouns, ...described, ...verbs, ...wordsOfBoth(clause)],
      deed: (bench) => editSample(bench, tool, place, edits),
    },
  ];
}

/** The words that tell which example is meant by what it shows. */
function examplesCalling(clause: Clause, tool: Tool, place: number): readonly number[] {
  const shown = findShown(clause, tool);
  return shown?.place === place ? shown.words : [];
}

/** The parts of a message that may be new values of an example, and the words of those that it has already. */
function tellApart(
  { pieces }: Pieces,
  example: Example,
): { readonly pieces: readonly Piece[]; readonly present: readonly number[] } {
  const now = new Set(listLeaves(example).map(({ value }) => String(value)));
  const isNow = ({ text }: Piece) => now.has(text);
  return { pieces: pieces.filter((one) => !isNow(one)), present: pieces.filter(isNow).flatMap(({ tokens }) => tokens) };
}

/** Tells whether a message speaks of what an example is described as. */
function speaksOfText(clause: Clause, { description }: Example): boolean {
  const isQuoted = description !== undefined && clause.text.includes(description);
  return isQuoted || clause.keys.has("description") || has(clause, "describe");
}

/** The name of the guess that an example has other values. */
export function nameOfEdit({ name, file }: Tool, place: number, edits: readonly Edit[]): string {
  const [only, ...others] = edits;
  // A description is a place of its own.
  if (only?.at[0] === "description" && others.length === 0)
    return `${file}#examples/${place}/description=${JSON.stringify(only.value)}`;
  return `change example ${name} ${place} ${JSON.stringify(edits.map(({ at, value }) => [at, value]))}`;
}

/** The description of an example with its new values, where the message speaks of it and it has the old ones. */
function describe(
  clause: Clause,
  { description }: Example,
  changed: readonly (Edit & { readonly now: unknown })[],
): readonly Edit[] {
  if (description === undefined || !clause.keys.has("description")) return [];
  const value = changed.reduce((text, one) => text.replaceAll(String(one.now), () => String(one.value)), description);
  return value === description ? [] : [{ at: ["description"], value }];
}

/** Gives an example other values. */
export async function editSample(bench: Bench, tool: Tool, place: number, edits: readonly Edit[]): Promise<void> {
  for (const { at, value } of edits)
    if (await bench.set(tool.file, ["examples", place, ...at], value))
      bench.say(`\`${at.join(".")}\` in the example ${place + 1} of \`${tool.name}\` is ${showValue(value)}.`);
  bench.need("patch");
}
