import type { Choice } from "../choices.ts";
import { kindsOf } from "../kinds/kinds-of.ts";
import { readKinds } from "../kinds/read-kinds.ts";
import type { Objections } from "../objections.ts";
import type { Places } from "../places/places.ts";
import model from "./forest.json" with { type: "json" };
import { toKindMarks, toMarks } from "./marks.ts";

/** Probability that a reading of a text is right, which is one of those that it was made for. */
export type Sureness = (choice: Choice, objections: Objections) => number;

/** Probability below which nothing is done unasked, that of rights, whose change waits for a person, and that of what leaves next to no word of its sentence aside. */
export const DOUBTED = 0.85;
export const DOUBTED_RIGHT = 0.7;
export const UNLIKELY = 0.4;

/** Trees as rows of numbers: mark, threshold, and the places of the nodes to the left and right; a leaf has no mark and adds its threshold. */
interface Forest {
  readonly start: number;
  readonly roots: readonly number[];
  readonly nodes: Float64Array;
}

const WIDTH = 4;
let decoded: Forest | undefined;

/** Decodes the trees for the first message that asks. */
function decode(): Forest {
  return (decoded ??= {
    start: model.start,
    roots: model.roots.split(" ").map(Number),
    nodes: Float64Array.from(model.nodes.split(" "), Number),
  });
}

/**
 * Judges how sure it is that a reading is right, by boosted trees that `npm run fit:sureness` fits to what became of the first readings of
 * messages in test/evaluation/feedback. They see all signs of the reading, the other readings, what speaks against it, and what kinds of change the
 * message wants.
 */
export function toSureness(text: string, choices: readonly Choice[], places: Places): Sureness {
  const reading = readKinds(text, places);
  return (choice, objections) => {
    const marks = toMarks({ text, choices, at: choices.indexOf(choice), objections, pieces: reading.pieces });
    return probabilityOf(decode(), [...marks, ...toKindMarks(reading, kindsOf(choice.names, places))]);
  };
}

function probabilityOf({ start, roots, nodes }: Forest, marks: readonly number[]): number {
  let odds = start;
  for (const root of roots) {
    let at = root * WIDTH;
    for (let mark = nodes[at] ?? -1; mark >= 0; mark = nodes[at] ?? -1)
      at = (nodes[at + ((marks[mark] ?? 0) <= (nodes[at + 1] ?? 0) ? 2 : 3)] ?? 0) * WIDTH;
    odds += nodes[at + 1] ?? 0;
  }
  return 1 / (1 + Math.exp(-odds));
}
