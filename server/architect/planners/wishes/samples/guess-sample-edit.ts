import { isObject } from "../../../../json/is-object.ts";
import type { Example, Tool } from "../../../../versions/version.ts";
import { findIn } from "../../../edit/edit-json.ts";
import { showValue } from "../../../show-value.ts";
import type { Bench } from "../../directives/bench.ts";
import type { Clause } from "../clause.ts";
import { hasNoun } from "../drafts/draft.ts";
import type { Guess } from "../guess/guess-value.ts";
import type { Places, Thing } from "../places/places.ts";
import { fillFields } from "./fill-fields.ts";
import { findPieces, withoutNames } from "./find-pieces.ts";
import { listSampleFields } from "./sample-fields.ts";
import { type Edit, withExpected, wordsOfBoth } from "./with-expected.ts";

/** Speaks of an example that there is. */
const PRESENT =
  /(?:(?<!\p{L})(?:the|its|this|that|your|our|only|first|second|third|last|im|dem|das|beim?|zum|erste[nrs]?|zweite[nrs]?|letzte[nrs]?|(?:d?el|al)|primer|segundo|último|premier|deuxième|dernier)\s+(?:\p{L}+\s+)?(?:examples?|beispiels?|ejemplo|exemple)|(?<!\p{L})l['’]exemple|(?:的|第.个|这个)(?:示例|例子|样例))/iu;
const ANOTHER =
  /(?<!\p{L})(?:another|one more|further|additional|new|weitere[ns]?|neue[ns]?|otro|nuevo|autre|nouvel)(?!\p{L})|新|再/iu;
const PLACES: readonly RegExp[] = [
  /(?<!\p{L})(?:first|erste[nrs]?|primer\w*|premier|1)(?!\p{L})|第一/iu,
  /(?<!\p{L})(?:second|zweite[nrs]?|segundo|deuxième|2)(?!\p{L})|第二/iu,
  /(?<!\p{L})(?:third|dritte[nrs]?|tercer\w*|troisième|3)(?!\p{L})|第三/iu,
];
const LAST = /(?<!\p{L})(?:last|letzte[nrs]?|último|dernier)(?!\p{L})|最后/iu;

/** Other values in an example that there is, and in its description where that has them: "in the example, the machine should be lin-02". */
export function guessSampleEdit(clause: Clause, { tool }: Thing, places: Places): readonly Guess[] {
  if (tool === undefined || !speaksOfPresent(clause)) return [];
  const place = findPlace(clause, tool);
  const example = place === undefined ? undefined : tool.examples[place];
  if (place === undefined || example === undefined) return [];
  const pieces = withoutNames(findPieces(clause), places);
  const filled = fillFields(clause, pieces, listSampleFields(tool), places);
  const changed = filled.flatMap(({ field, value, words }) => {
    const at = [field.side, ...field.path];
    const now = findIn(example, at);
    return now === undefined || isObject(now) || Array.isArray(now) || now === value ? [] : [{ at, value, words, now }];
  });
  if (changed.length === 0) return [];
  const edits: readonly Edit[] = [...withExpected(clause, example, changed), ...describe(clause, example, changed)];
  const used = new Set(changed.flatMap(({ words }) => words));
  const isAllUsed = pieces.pieces.every(({ kind, tokens }) => kind === "word" || tokens.some((at) => used.has(at)));
  const nouns = [...clause.nouns].flatMap(([at, kinds]) => (kinds.has("example") ? [at] : []));
  const described = clause.keys.get("description")?.flat() ?? [];
  const verbs = clause.actions.get("set") ?? [];
  return [
    {
      name: nameOfEdit(tool, place, edits),
      signs: { newExample: 1, sample: changed.length, marked: 1, now: 1, ...(isAllUsed ? {} : { rough: 1 }) },
      words: [...used, ...nouns, ...described, ...verbs, ...wordsOfBoth(clause)],
      deed: (bench) => editSample(bench, tool, place, edits),
    },
  ];
}

/** Tells whether a message speaks of an example that there is. */
export function speaksOfPresent(clause: Clause): boolean {
  return hasNoun(clause, "example") && PRESENT.test(clause.text) && !ANOTHER.test(clause.text);
}

/** The name of the guess that an example has other values. */
export function nameOfEdit({ name, file }: Tool, place: number, edits: readonly Edit[]): string {
  const [only, ...others] = edits;
  // A description is a place of its own.
  if (only?.at[0] === "description" && others.length === 0)
    return `${file}#examples/${place}/description=${JSON.stringify(only.value)}`;
  return `change example ${name} ${place} ${JSON.stringify(edits.map(({ at, value }) => [at, value]))}`;
}

/** The only example of a tool, or the one that is counted or described. */
export function findPlace({ text }: Clause, { examples }: Tool): number | undefined {
  if (examples.length === 1) return 0;
  const described = examples.flatMap(({ description = "" }, at) =>
    description !== "" && text.toLowerCase().includes(description.toLowerCase()) ? [at] : [],
  );
  if (described.length === 1) return described[0];
  if (LAST.test(text)) return examples.length - 1;
  const counted = PLACES.flatMap((pattern, at) =>
    new RegExp(
      `(?:${pattern.source})\\s*\\S*\\s*(?:example|beispiel|ejemplo|exemple|示例|例)|(?:example|beispiel|ejemplo|exemple)\\s*#?\\s*(?:${pattern.source})`,
      "iu",
    ).test(text)
      ? [at]
      : [],
  );
  return counted.length === 1 ? counted[0] : undefined;
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
