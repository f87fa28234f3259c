import { isObject } from "../../../../json/is-object.ts";
import type { Json } from "../../../../store/store.ts";
import { showValue } from "../../../show-value.ts";
import type { Path } from "../../../edit/edit-json.ts";
import type { Bench } from "../../directives/bench.ts";
import type { Deed } from "../../directives/phrase.ts";
import { readData } from "../../directives/read-literal.ts";
import type { Message } from "../../../message/message.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { findRelevant } from "./relevance.ts";

/** Where the keys of a block may belong in a manifest. */
const BASES: readonly Path[] = [[], ["parameters"], ["experiment"], ["input", "properties"], ["limits"], ["roles"]];
const LEAVES = 50;

/**
 * Deeds that put the values of a block of YAML or JSON, which the sender has ordered to apply, where its keys are: in each
 * manifest that the message speaks of, at the first level that has all of them.
 */
export function guessDocuments(message: Message, clause: Clause, places: Places): readonly Deed[] {
  const blocks = message.segments.flatMap((segment) =>
    segment.kind === "data" && segment.isApplied && ["", "yaml", "yml", "json"].includes(segment.language)
      ? [readData(segment.text)]
      : [],
  );
  const [block, ...others] = blocks;
  if (!isObject(block) || others.length > 0 || listLeaves(block as Json, []).length > LEAVES) return [];
  const relevant = [...findRelevant(clause, places)].map(([{ file }, { name, owner, soft }]) => ({
    file,
    weight: name + owner + soft,
  }));
  const files = new Set(relevant.sort((one, other) => other.weight - one.weight).map(({ file }) => file));
  return [...files].map((file) => (bench) => merge(bench, file, block as Json));
}

async function merge(bench: Bench, file: string, block: Json): Promise<void> {
  const keys = Object.keys(block as object);
  for (const base of BASES) {
    const present = await bench.find(file, base);
    if (!isObject(present) || !keys.every((key) => Object.hasOwn(present, key))) continue;
    for (const { at, value } of listLeaves(block, base)) {
      const isChanged = await bench.set(file, at, value);
      if (isChanged) bench.say(`\`${at.join(".")}\` in ${file} is ${showValue(value)}.`);
    }
    return;
  }
}

/** The values that are no mapping, with where they are. */
function listLeaves(value: Json, at: Path): readonly { readonly at: Path; readonly value: Json }[] {
  if (!isObject(value)) return [{ at, value }];
  return Object.entries(value).flatMap(([key, inner]) => listLeaves(inner as Json, [...at, key]));
}
