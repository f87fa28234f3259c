import { RE2JS, RE2JSException } from "re2js";
import type { Fuel } from "./fuel.ts";
import { type Refusal, toRe2 } from "./to-re2.ts";

export interface SafePattern {
  test(text: string): boolean;
  /** Distinct for distinct patterns: ajv tells compiled patterns apart by it. */
  toString(): string;
}

const MAX_PATTERN_LENGTH = 1000;

/**
 * A pattern of a tool's schema, matched in time linear in the text: JavaScript's own engine backtracks, so one call
 * with a crafted text could hold the whole service for minutes.
 */
export function createSafePattern(source: string, fuel?: Fuel): SafePattern | Refusal {
  if (source.length > MAX_PATTERN_LENGTH) return { refused: `is longer than ${MAX_PATTERN_LENGTH} characters` };
  try {
    void new RegExp(source, "u");
  } catch (error) {
    const [, reason = ""] = /: ([^:]*)$/.exec(error instanceof Error ? error.message : "") ?? [];
    return {
      refused: `is no regular expression of JavaScript (${reason.toLowerCase()})`,
      fix: "Correct it; a sign with a meaning of its own, such as `(` or `-` in `[...]`, needs a `\\` to stand for itself.",
    };
  }
  const translated = toRe2(source);
  if (typeof translated !== "string") return translated;
  try {
    const compiled = RE2JS.compile(translated);
    const size = compiled.programSize();
    return {
      test(text) {
        fuel?.spend(size * text.length);
        return compiled.test(text);
      },
      toString: () => source,
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const tooLarge = /repeat|too large|nests/.test(error.message);
    return { refused: tooLarge ? "repeats more than 1000 times in all, or nests too deeply" : "is unknown to RE2" };
  }
}
