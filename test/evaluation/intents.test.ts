import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { INTENTS } from "../../server/architect/planners/wishes/intent/intents.ts";
import { readIntent } from "../../server/architect/planners/wishes/intent/read-intent.ts";

const folder = join(import.meta.dirname, "intents");
const messages = globSync("*.jsonl", { cwd: folder }).flatMap((name) =>
  readFileSync(join(folder, name), "utf8")
    .trim()
    .split("\n")
    .map((line): { kind: string; language: string; message: string } => JSON.parse(line)),
);

test("messages with an intent have one of those that there are, a language and a text of their own", () => {
  expect(messages.length).toBeGreaterThan(6_000);
  expect(messages.filter(({ kind }) => !INTENTS.some((intent) => intent === kind))).toEqual([]);
  expect(messages.filter(({ language }) => !["en", "de", "es", "fr", "zh"].includes(language))).toEqual([]);
  const texts = messages.map(({ message }) => message);
  expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
  expect(INTENTS.filter((intent) => messages.filter(({ kind }) => kind === intent).length < 100)).toEqual([]);
});

test("the classifier is fitted to them: it tells nine of ten rightly", () => {
  const right = messages.filter(({ kind, message }) => {
    const [first] = [...readIntent(message)].sort(([, one], [, other]) => other - one);
    return first?.[0] === kind;
  });
  expect(right.length / messages.length).toBeGreaterThan(0.9);
});
