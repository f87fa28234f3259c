import { findSynonyms } from "../fill/synonyms.ts";
import { createScorer, type Field as ScoredField } from "../language/bm25.ts";
import { toTerms } from "../language/tokenise.ts";
import { withTopics } from "../language/topics.ts";
import type { Field } from "../fill/read-fields.ts";
import type { ToolProfile } from "./tool-profile.ts";

export interface Ranked {
  readonly profile: ToolProfile;
  readonly score: number;
}

/** Weights of the parts of a definition for the purpose of a tool; `es` or `km` in a message may well mean nothing. */
const WEIGHTS = {
  name: 3,
  description: 1,
  property: 1,
  propertyDescription: 0.5,
  choice: 1,
  shortChoice: 0.5,
  example: 1,
  exampleValue: 0.25,
};

/** They say when, not what: any tool's description may have them. */
const TIMES = new Set(
  toTerms(
    "today tomorrow yesterday tonight morning afternoon evening night week weekend day hour next last minute month year time first second",
  ),
);
/** Verbs of orders: they are in the names of tools, and say nothing by themselves. */
const ORDERS = new Set(
  toTerms("check update report read run list create make use compare write open call ask send set start find look"),
);
/** Worth of a tool's score that only such verbs speak for. */
const VERBS_ALONE = 0.5;

/** The tools in the order in which their definitions match the message; a score of 1 is about two telling words. */
export function rankTools(message: string, profiles: readonly ToolProfile[]): Ranked[] {
  const query = withTopics(toTerms(message).filter((term) => !TIMES.has(term) && !/^\d+$/.test(term)));
  const score = createScorer(profiles.map(toDocument));
  const scores = score(query);
  const nouns = score(query.filter((term) => !ORDERS.has(term)));
  return profiles
    .map((profile, index) => ({ profile, score: (scores[index] ?? 0) * (nouns[index] === 0 ? VERBS_ALONE : 1) }))
    .sort((a, b) => b.score - a.score || (a.profile.info.name < b.profile.info.name ? -1 : 1));
}

function toDocument({ info, fields }: ToolProfile): ScoredField[] {
  const choices = fields.flatMap(toChoiceWords);
  return [
    weigh(WEIGHTS.name, info.name.replaceAll(/[._]/g, " ")),
    weigh(WEIGHTS.description, info.description),
    weigh(WEIGHTS.property, ...fields.map(({ words }) => words.join(" "))),
    weigh(WEIGHTS.propertyDescription, ...fields.map(({ description }) => description)),
    weigh(WEIGHTS.choice, ...choices.filter((word) => word.length > 2)),
    weigh(WEIGHTS.shortChoice, ...choices.filter((word) => word.length <= 2)),
    weigh(WEIGHTS.example, ...info.examples.flatMap(({ description }) => description ?? [])),
    weigh(WEIGHTS.exampleValue, ...info.examples.flatMap(({ input }) => toStrings(input))),
  ];
}

function weigh(weight: number, ...texts: readonly string[]): ScoredField {
  return { weight, terms: texts.flatMap(toTerms) };
}

function toChoiceWords({ choices, items }: Field): string[] {
  const values = [...choices, ...(items?.choices ?? [])].map(String);
  return values.flatMap((value) => [value, ...findSynonyms(value)]);
}

function toStrings(input: unknown): string[] {
  if (typeof input !== "object" || input === null) return [];
  return Object.values(input).filter((value) => typeof value === "string");
}
