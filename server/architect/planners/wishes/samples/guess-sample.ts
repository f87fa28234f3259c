import type { Tool } from "../../../../versions/version.ts";
import type { Json } from "../../../../store/store.ts";
import { isObject } from "../../../../json/is-object.ts";
import type { Bench } from "../../directives/bench.ts";
import { listFields } from "../../directives/find-field.ts";
import type { Clause } from "../clause.ts";
import { hasNoun } from "../drafts/draft.ts";
import type { Guess } from "../guess/guess-value.ts";
import type { Mood } from "../guess/mood.ts";
import type { Likelihoods } from "../intent/read-intent.ts";
import type { Places, Thing } from "../places/places.ts";
import { fillFields } from "./fill-fields.ts";
import { findPieces, withoutNames } from "./find-pieces.ts";
import { makeSample } from "./make-sample.ts";
import { listSampleFields } from "./sample-fields.ts";

/** How likely a message has to ask for an example where no word for one is in it. */
const LIKELY = 0.3;
/** Characters of an example that are shown. */
const SHOWN = 240;
/** Values of an example that count. */
const MOST = 4;
/** Words that show something. */
const SHOWS =
  /(?<!\p{L})(?:show\w*|illustrat\w*|demonstrat\w*|samples?|specimens?|docs?|documentation|worked|one more|one(?= example)|cases?|calls?|test|vector|input|inputs|wanted|zeig\w*|muster\w*|muestr\w*|montr\w*|示范|样例|范例)(?!\p{L})/giu;

/** Another example of a tool, by the values that a message gives to what it takes and gives. */
export function guessSample(
  clause: Clause,
  { tool }: Thing,
  { mood, likelihoods }: { readonly mood: Mood; readonly likelihoods: Likelihoods },
  places: Places,
): readonly Guess[] {
  const isNamed = hasNoun(clause, "example");
  if (tool === undefined || (!isNamed && (likelihoods.get("example-add") ?? 0) < LIKELY)) return [];
  const pieces = withoutNames(findPieces(clause), places);
  const filled = fillFields(clause, pieces, listSampleFields(tool), places);
  const example = makeSample(tool, filled, pieces);
  if (!isObject(example)) return [];
  const shows = [...clause.text.matchAll(SHOWS)];
  const words = clause.tokens.flatMap(({ start }, at) =>
    clause.nouns.get(at)?.has("example") === true || shows.some(({ index }) => index === start) ? [at] : [],
  );
  const used = new Set(filled.flatMap((one) => one.words));
  const isSaid =
    (pieces.isParted || pieces.isEmpty || pieces.error !== undefined) &&
    Object.keys(isObject(example["input"]) ? example["input"] : {}).every((name) =>
      filled.some(({ field }) => field.side === "input" && field.path[0] === name),
    );
  const taken = new Set(listFields(tool, "input").map(({ name }) => name));
  // A word that names an input has a value beside it.
  const isAllUsed = pieces.pieces.every(
    ({ kind, tokens, text }) => (kind === "word" && !taken.has(text)) || tokens.some((at) => used.has(at)),
  );
  const adds = clause.actions.get("add") ?? [];
  return [
    {
      name: `example ${tool.name} ${JSON.stringify(example)}`,
      signs: {
        newExample: 1,
        sample: Math.min(MOST, filled.length),
        ...(isWhole(example) && isAllUsed && isSaid ? {} : { rough: 1 }),
        ...(pieces.isParted || pieces.error !== undefined || pieces.isEmpty ? { marked: 1 } : {}),
        ...(mood.isGone && !mood.isNew ? { against: 1 } : {}),
      },
      words: [...used, ...pieces.words, ...words, ...adds],
      deed: (bench) => addSample(bench, tool, example as Json),
    },
  ];
}

/** Tells whether an example says all that comes of its call. */
function isWhole(example: Readonly<Record<string, unknown>>): boolean {
  return example["matches"] === undefined;
}

/** Gives a tool another example, and says which. */
export async function addSample(bench: Bench, tool: Tool, example: Json): Promise<void> {
  const isChanged = await bench.addItem(tool.file, ["examples"], example);
  const { input = null, ...result } = example as Readonly<Record<string, Json>>;
  const [came = null] = Object.values(result);
  const gives = typeof came === "string" ? `the error \`${came}\`` : toShown(came);
  if (isChanged) bench.say(`\`${tool.name}\` has another example: ${toShown(input)} gives ${gives}.`);
  bench.need("patch");
}

function toShown(value: Json): string {
  const text = JSON.stringify(value).replaceAll("`", "'");
  return `\`${text.length > SHOWN ? `${text.slice(0, SHOWN)}…`.toWellFormed() : text}\``;
}
