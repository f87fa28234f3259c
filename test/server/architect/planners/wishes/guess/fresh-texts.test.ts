import { describe, expect, it } from "vitest";
import type { Clause } from "../../../../../../server/architect/planners/wishes/clause.ts";
import {
  findMore,
  findQuotedTexts,
  findTitles,
  findWords,
} from "../../../../../../server/architect/planners/wishes/guess/fresh-texts.ts";
import { toTokens } from "../../../../../../server/architect/planners/wishes/words/words.ts";

const clauseOf = (text: string) =>
  ({ text, tokens: toTokens(text), keys: new Map(), actions: new Map() }) as unknown as Clause;
const none: ReadonlySet<string> = new Set();

describe("texts that a message gives", () => {
  it("puts a quoted part in the place of another", () => {
    const clause = clauseOf('it has to say "a lower number" where it says "a higher number"');
    const [text] = findQuotedTexts(clause, "Builds with a higher number go first.", none);
    expect(text?.value).toBe("Builds with a lower number go first.");
  });

  it("ends a title without quotation marks where other words begin", () => {
    const values = findTitles(clauseOf("Could it be shown as Fridge contents from now on?"), none);
    expect(values.map(({ value }) => value)).toEqual(["Fridge contents"]);
  });

  it("adds what is to be mentioned as a sentence", () => {
    const [text] = findMore(clauseOf("The help should mention that refills lapse."), "Writes it.", true);
    expect(text?.value).toBe("Writes it. Refills lapse.");
  });

  it("corrects a word that is spelled otherwise", () => {
    const [text] = findWords(clauseOf("typo: it is spelled receive"), "What you recieve.");
    expect(text?.value).toBe("What you receive.");
  });
});
