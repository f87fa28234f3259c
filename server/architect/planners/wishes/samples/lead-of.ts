import type { Example, Tool } from "../../../../versions/version.ts";
import type { Clause } from "../clause.ts";
import { STOP } from "../words/word-lists.ts";
import { listLeaves } from "./list-leaves.ts";

/** How much more of what an example is called with a message says than of any other of its tool, as a share from -1 to 1. */
export function leadOf(clause: Clause, { examples }: Tool, place: number): number {
  if (examples.length < 2) return 0;
  const shares = examples.map((example) => shareOf(clause, example));
  return (shares[place] ?? 0) - Math.max(...shares.filter((_, at) => at !== place));
}

function shareOf({ text }: Clause, example: Example): number {
  const given = listLeaves(example).filter(({ at }) => at[0] === "input");
  const said = given.filter(({ value }) => {
    const own = String(value);
    const isWord = own.length > 1 && !STOP.has(own.toLowerCase());
    return isWord && new RegExp(`(?<![\\p{L}\\p{N}_])${RegExp.escape(own)}(?![\\p{L}\\p{N}_])`, "iu").test(text);
  });
  return given.length === 0 ? 0 : said.length / given.length;
}
