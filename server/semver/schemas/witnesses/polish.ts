import { isObject } from "../../../json/is-object.ts";
import type { Json } from "../../../json/types.ts";

/** Values tried for one comparison: each runs the validators. */
export const POLISH_LIMIT = 60;
/** Shortest and longest text whose length is kept, by a sentence of that length. */
const SENTENCE_LENGTH = 8;
const LENGTH_LIMIT = 2_000;
/** Texts that samples are made of, and that nobody would send. */
const DULL = /^(?:(.)\1*|abc|ABC|12345|a1|a-b|a_b|a\.b|1\.0\.0|)$/u;
const SENTENCE = "The quick brown fox jumps over the lazy dog. ";

/** Texts that a person would send, by the last word of the member's name. */
const EXAMPLES: Readonly<Record<string, string>> = {
  author: "Ada Lovelace",
  body: "Please have a look.",
  branch: "main",
  city: "Berlin",
  comment: "Please have a look.",
  content: "Hello, Ada!",
  country: "Germany",
  currency: "EUR",
  date: "2024-06-01",
  day: "2024-06-01",
  description: "A short description.",
  color: "blue",
  colour: "blue",
  email: "ada@example.com",
  file: "docs/readme.md",
  greeting: "Hello, Ada!",
  id: "a1b2c3",
  label: "urgent",
  lang: "en",
  language: "en",
  locale: "en-GB",
  location: "Berlin",
  message: "Hello, Ada!",
  mood: "happy",
  name: "Ada",
  note: "Please have a look.",
  owner: "ada",
  path: "docs/readme.md",
  phone: "+49 30 123456",
  place: "Berlin",
  query: "weather in Berlin",
  question: "What is the weather in Berlin?",
  reason: "It is no longer needed.",
  repo: "website",
  repository: "website",
  status: "open",
  street: "Unter den Linden 1",
  subject: "Weekly report",
  summary: "A short summary.",
  tag: "urgent",
  text: "Hello, Ada!",
  time: "2024-06-01T12:00:00Z",
  title: "Weekly report",
  topic: "weather",
  unit: "metric",
  uri: "https://example.com/a",
  url: "https://example.com/a",
  user: "ada",
  username: "ada",
  version: "1.2.0",
};

/**
 * Replaces texts that were only made up by texts that a person would send, one after the other, as long as the value
 * stays an example. The value keeps its members.
 */
export function polish(value: Json, isExample: (candidate: Json) => boolean): Json {
  return improve(value, "", isExample);
}

function improve(value: Json, name: string, isExample: (candidate: Json) => boolean): Json {
  if (typeof value === "string") {
    return DULL.test(value) ? (listTexts(value, name).find(isExample) ?? value) : value;
  }
  if (Array.isArray(value)) {
    return value.reduce<readonly Json[]>((items, item: Json, index) => {
      const better = improve(item, name.replace(/s$/, ""), (candidate) => isExample(items.with(index, candidate)));
      return better === item ? items : items.with(index, better);
    }, value) as Json;
  }
  if (!isObject(value)) return value;
  return Object.entries(value as Readonly<Record<string, Json>>).reduce<Readonly<Record<string, Json>>>(
    (members, [key, member]) => {
      const better = improve(member, key, (candidate) => isExample({ ...members, [key]: candidate }));
      return better === member ? members : { ...members, [key]: better };
    },
    value as Readonly<Record<string, Json>>,
  );
}

/** Lists what the text could be instead: the text of the member's name, or any other of a sentence. */
function listTexts(text: string, name: string): readonly string[] {
  const word = /[A-Za-z][a-z]*$/.exec(name)?.[0].toLowerCase() ?? "";
  const known = [word, word.replace(/s$/, "")].flatMap((each) =>
    Object.hasOwn(EXAMPLES, each) ? [EXAMPLES[each] ?? ""] : [],
  );
  const { length } = text;
  if (length < SENTENCE_LENGTH || length > LENGTH_LIMIT) return [...known, "some text"];
  const sentence = SENTENCE.repeat(Math.ceil(length / SENTENCE.length)).slice(0, length);
  return [...known, sentence.endsWith(" ") ? `${sentence.slice(0, -1)}.` : sentence];
}
