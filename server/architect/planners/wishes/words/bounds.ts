import type { Token } from "./words.ts";

/** Words right before and right behind a number that make it a bound: "at least one", "twelve at the most". */
const BOUNDED = {
  min: {
    before:
      /(?:^| )(?:(?:at|the|al|au|du) (?:least|menos|moins)|mindestens|wenigstens|minimum|minimal|no (?:less|fewer) than|至少)$/,
    behind:
      /^(?:at (?:the )?(?:very )?least|or more|minimum|mindestens|como mínimo|au (?:moins|minimum)|o más|ou plus)(?: |$)/,
  },
  max: {
    before:
      /(?:^| )(?:at (?:the )?most|höchstens|maximal|no more than|como máximo|a lo sumo|au (?:plus|maximum)|最多)$/,
    behind:
      /^(?:at (?:the )?(?:very )?most|or (?:less|fewer)|maximum|höchstens|como máximo|au (?:plus|maximum)|o menos|ou moins)(?: |$)/,
  },
} as const;

/** The side on which a number, by its first word and its last, is said to be a bound. */
export function boundAt(tokens: readonly Token[], first: number, last: number): "min" | "max" | undefined {
  const wordsAt = (from: number, to: number) =>
    tokens
      .slice(Math.max(0, from), to)
      .map(({ lower }) => lower)
      .join(" ");
  const [before, behind] = [wordsAt(first - 3, first), wordsAt(last + 1, last + 4)];
  return (["min", "max"] as const).find(
    (side) => BOUNDED[side].before.test(before) || BOUNDED[side].behind.test(behind),
  );
}
