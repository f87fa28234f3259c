import type { Tool } from "../../../../../versions/version.ts";
import { listFields } from "../../../directives/find-field.ts";
import { renameField } from "../../../directives/rename-field.ts";
import type { Clause } from "../../clause.ts";
import { STOP } from "../../words/word-lists.ts";
import type { Guess } from "../guess-value.ts";
import type { Mood } from "../mood.ts";

const NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const JOINT = /^(?:and|und|y|et|和|,|、)$/;

/** "src and dst are cryptic, call them source and target": as many new names as fields, in their order. */
export function guessPair({ tokens, actions }: Clause, tool: Tool, mood: Mood): readonly Guess[] {
  if (!mood.isRenamed) return [];
  const fields = listFields(tool, "input");
  const known = new Set(fields.map(({ name }) => name));
  const lists = listRuns(tokens.map(({ text }) => text));
  const wordsAt = (run: readonly number[]) => run.map((at) => tokens[at]?.text ?? "");
  const olds = lists.find((run) => wordsAt(run).every((name) => known.has(name)));
  const news = lists.find(
    (run) =>
      olds !== undefined &&
      run.length === olds.length &&
      (run[0] ?? 0) > (olds[0] ?? 0) &&
      wordsAt(run).every((name) => !known.has(name)),
  );
  if (olds === undefined || news === undefined) return [];
  const pairs = wordsAt(olds).map((old, order) => [old, wordsAt(news)[order] ?? ""] as const);
  return [
    {
      name: `rename ${tool.name} ${pairs.map((pair) => pair.join(" ")).join(", ")}`,
      signs: { rename: 1, verb: 1, marked: 1, exact: 1, name: 1, siblings: 1 },
      words: [...olds, ...news, ...(actions.get("rename") ?? [])],
      core: news,
      deed: async (bench) => {
        for (const [old, fresh] of pairs) {
          const field = fields.find(({ name }) => name === old);
          if (field !== undefined) await renameField(field, fresh)(bench);
        }
      },
    },
  ];
}

/** The places of words that stand in a list: "a and b", "a, b and c". */
function listRuns(words: readonly string[]): readonly (readonly number[])[] {
  const isName = (at: number) => NAME.test(words[at] ?? "") && !STOP.has(words[at] ?? "");
  return words.flatMap((_, start): readonly (readonly number[])[] => {
    const isInner = JOINT.test(words[start - 1] ?? "") && isName(start - 2);
    if (!isName(start) || isInner) return [];
    const run = [start];
    for (let at = start + 1; JOINT.test(words[at] ?? "") && isName(at + 1); at += 2) run.push(at + 1);
    return run.length > 1 ? [run] : [];
  });
}
