import { describe, expect, test } from "vitest";
import { findNames, selectSayings } from "../../../../../../server/architect/planners/wishes/words/thesaurus.ts";
import { CHINESE } from "../../../../../../server/architect/planners/wishes/words/phrase-index.ts";
import { toStems, toTokens } from "../../../../../../server/architect/planners/wishes/words/words.ts";

/** The names of a version's words that each word of a message may stand for. */
function namesIn(message: string, ...names: readonly string[]): readonly string[] {
  const vocabulary = new Map(names.flatMap(toStems).map((stem) => [stem, 1]));
  const thesaurus = selectSayings(vocabulary);
  const tokens = toTokens(message, CHINESE);
  return tokens.flatMap((_, at) => findNames(tokens, at, thesaurus).map(({ stems }) => stems.join("_")));
}

describe("the names that words stand for", () => {
  test.each([
    ["postpone it", "reschedule"],
    ["to another day", "reschedule"],
    ["den Termin verschieben", "reschedule"],
    ["aplazar la visita", "reschedule"],
    ["décaler la visite", "reschedule"],
    ["我想改期", "reschedule"],
  ])("are those that people of five languages mean: %s", (message, name) => {
    expect(namesIn(message, name)).toContain(toStems(name).join("_"));
  });

  test("are only names that the version has", () => {
    expect(namesIn("postpone it", "refund")).toEqual([]);
  });

  test("are none for a part of a phrase", () => {
    expect(namesIn("another one", "reschedule")).toEqual([]);
  });
});
