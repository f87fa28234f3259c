import type { Span } from "./draft.ts";

export interface NumberMention extends Span {
  readonly value: number;
}

const DIGITS =
  /(?<![\p{L}\p{N}_.,])(?:(?<=^|[\s(:=,;])[-−+])?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d{1,3})?(?![\d_]|\.\d)/giu;
const WORDS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const WORD = new RegExp(
  String.raw`(?<!\p{L})(?:(?<tens>${TENS.join("|")})(?:[-\s](?<ones>${WORDS.slice(1, 10).join("|")}))?|(?<small>${WORDS.join("|")})|(?<dozen>a dozen|half a dozen))(?!\p{L})`,
  "giu",
);

/** Every number in `text`, in digits or, up to 99, in words. */
export function extractNumbers(text: string): NumberMention[] {
  const digits = Array.from(text.matchAll(DIGITS), ({ 0: written, index }) => ({
    start: index,
    end: index + written.length,
    value: Number(written.replaceAll(",", "").replace("−", "-")),
  }));
  const words = Array.from(text.matchAll(WORD), ({ 0: written, index, groups }) => ({
    start: index,
    end: index + written.length,
    value: readWords(groups ?? {}),
  }));
  return [...digits, ...words].filter(({ value }) => Number.isFinite(value)).sort((a, b) => a.start - b.start);
}

function readWords({ tens, ones, small, dozen }: Readonly<Record<string, string | undefined>>): number {
  if (dozen) return dozen.toLowerCase().startsWith("half") ? 6 : 12;
  if (small) return WORDS.indexOf(small.toLowerCase());
  return (TENS.indexOf((tens ?? "").toLowerCase()) + 2) * 10 + (ones ? WORDS.indexOf(ones.toLowerCase()) : 0);
}
