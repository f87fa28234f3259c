import type { Tool } from "../../../../versions/version.ts";
import type { Clause } from "../clause.ts";
import { STOP } from "../words/word-lists.ts";
import { toStems } from "../words/words.ts";
import { listLeaves } from "./list-leaves.ts";

/** Finds the words that one example of a tool shows, and no other of it: "the lobster example". */
export function shownWords(
  { tokens, nouns, actions }: Clause,
  { name, title, examples }: Tool,
  place: number,
): readonly number[] {
  const own = new Set([...toStems(name), ...(title === undefined ? [] : toStems(title))]);
  const verbs = new Set([...actions.values()].flat());
  const [given, all] = [true, false].map((isInput) =>
    examples.map((example) =>
      listLeaves(example)
        .flatMap(({ at, value }) => (!isInput || at[0] === "input" ? [String(value)] : []))
        .join("\n"),
    ),
  );
  return tokens.flatMap(({ kind, text, lower, stems }, at) => {
    const isPlain = kind === "sign" || STOP.has(lower) || nouns.has(at) || verbs.has(at) || lower.length < 2;
    if (isPlain || (stems.length > 0 && stems.every((stem) => own.has(stem)))) return [];
    const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}_])${RegExp.escape(text)}(?![\p{L}\p{N}_])`, "iu");
    const isShown = [given, all].some(
      (texts) => texts?.every((one, index) => pattern.test(one) === (index === place)) === true,
    );
    return isShown ? [at] : [];
  });
}
