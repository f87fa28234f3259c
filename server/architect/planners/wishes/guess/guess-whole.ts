import { removeExample } from "../../directives/phrases/change-examples.ts";
import { deprecateField, removeField, setFieldNeed } from "../../directives/phrases/change-fields.ts";
import { removeTool } from "../../directives/phrases/change-tools.ts";
import type { Deed } from "../../directives/phrase.ts";
import { removePrompt } from "../../directives/remove-prompt.ts";
import type { Clause } from "../clause.ts";
import { has, hasNoun } from "../drafts/draft.ts";
import { removeArm, requireField } from "../drafts/thing-drafts.ts";
import type { Places, Thing } from "../places/places.ts";
import { wordsOfReason } from "../retirement/find-reason.ts";
import { leadOf } from "../samples/lead-of.ts";
import { type Action, TURNING } from "../words/word-lists.ts";
import { guessNewFields } from "./fields/new-field.ts";
import { guessNewParameters } from "./fields/new-parameter.ts";
import { guessPair } from "./fields/rename-pair.ts";
import type { Guess } from "./guess-value.ts";
import type { Mood } from "./mood.ts";
import { exactName } from "./relevance.ts";
import { toSideSigns } from "./side.ts";
import type { Signs } from "./signs.ts";

/** Says that a tool needs an example no more. */
const SPARED = /(?<!\b(?:nobody|no one|nothing|never|not) )\b(?:can|could) do without (?:the|that|this|its)\b/iu;

/** A thing that is to go, that callers have to give, or that is to have something new. */
export function guessWhole(clause: Clause, thing: Thing, mood: Mood, places: Places): readonly Guess[] {
  const { tool, kind, id, field } = thing;
  if (field !== undefined) return guessField(clause, thing, mood, places);
  const { put, guesses, words, negators, verb } = toDesk(clause, thing);
  const isGone = (noun: string) => mood.isGone && hasNoun(clause, noun);
  if (kind === "arm" && id.split("/").length === 2) {
    // "The arm jolly is great" takes nothing away.
    if (isGone("arm"))
      put("remove", () => removeArm(thing), { arm: 1, ...verb, ...(mood.isSaidGone ? {} : { unsure: 1 }) }, [
        ...words("remove"),
        ...negators,
      ]);
  } else if (kind === "set") {
    guesses.push(...guessNewParameters(clause, thing, mood, places));
  } else if (kind === "prompt" && thing.at.length === 2) {
    if (isGone("prompt"))
      put(
        "remove",
        () => removePrompt(thing.file, thing.at, thing.prompt ?? ""),
        { removeTool: 1, marked: 1, ...verb },
        [...words("remove"), ...negators],
      );
  } else if (tool !== undefined && kind === "example") {
    const { example = 0 } = thing;
    const holds = leadOf(clause, tool, example);
    const isSpared = SPARED.test(clause.text);
    if (isGone("example") || (isSpared && hasNoun(clause, "example")))
      put(
        "remove",
        () => removeExample(tool, tool.examples[example]),
        { example: 1, holds, ...(isSpared ? { verb: 1 } : verb) },
        words("remove"),
      );
  } else if (tool !== undefined && kind === "tool") {
    const kinds: Signs = hasNoun(clause, "tool") ? { marked: 1 } : {};
    if (mood.isGone)
      put("remove", () => removeTool(places.version, tool), { removeTool: 1, ...kinds, ...verb }, words("remove"));
    guesses.push(...guessNewFields(clause, tool, mood, places), ...guessPair(clause, tool, mood));
  }
  return guesses;
}

/** Something that is to become of a field as a whole. */
function guessField(clause: Clause, thing: Thing, mood: Mood, places: Places): readonly Guess[] {
  const { field } = thing;
  if (field === undefined) return [];
  const { put, guesses, words, negators, verb } = toDesk(clause, thing);
  const side: Signs = {
    ...(field.side === "output" ? { output: 1 } : {}),
    ...toSideSigns(clause, field),
    ...(hasNoun(clause, "field", field.side) ? { marked: 1 } : {}),
  };
  if (mood.isNeeded && field.side === "input")
    put("require", () => requireField(field), { require: 1, ...side, ...subjectSigns(clause, thing, places) }, [
      ...words("require"),
      ...negators,
    ]);
  if (mood.isOptional)
    put(
      "relax",
      () => setFieldNeed(field, false, { isOffered: true }),
      { relax: 1, ...(mood.isSaidOptional ? { verb: 1 } : {}), ...side },
      [...words("relax", "require", "stop"), ...negators],
    );
  if (mood.isGone)
    put("remove", () => removeField(field), { removeField: 1, ...side, ...verb }, [...words("remove"), ...negators]);
  if (mood.isDeprecated)
    put("deprecate", () => deprecateField(field), { deprecate: 1, ...side }, [
      ...words("deprecate"),
      ...wordsOfReason(clause, places),
    ]);
  return guesses;
}

/** What is said to be required, right before its verb. */
const SUBJECT =
  /(?:^|[.;:,]\s*)(?:the |an? )?[\x60"']?(?<name>[\w-]+)[\x60"']?(?: (?:field|argument|parameter|input))? (?:should|must|ha(?:s|ve) to|needs? to|ought to|(?:is|are) to) (?:always |also |now )?(?:be (?:made )?)?(?:compulsory|mandatory|required|obligatory)\b/iu;

/** Signs of a field that is the subject of a demand, also by a name that is an everyday word: "people should be compulsory". */
function subjectSigns({ text }: Clause, thing: Thing, { things }: Places): Signs {
  const name = SUBJECT.exec(text)?.groups?.["name"]?.toLowerCase();
  const isField = things.some((other) => other.field?.side === "input" && exactName(other) === name);
  if (name === undefined || !isField) return {};
  return exactName(thing) === name ? { name: 1, rare: 1, exact: 1, near: 1 } : { rival: 1 };
}

/** The parts that guesses about one thing are made of. */
function toDesk(clause: Clause, thing: Thing) {
  const guesses: Guess[] = [];
  const core = clause.tokens.flatMap(({ lower }, at) => (lower === exactName(thing) ? [at] : []));
  const verb: Signs = has(clause, "remove") ? { verb: 1 } : { noVerb: 1 };
  return {
    guesses,
    verb,
    negators: clause.negators.filter(
      (at) => clause.tokens[at]?.lower === "without" || !TURNING.has(clause.tokens[at]?.lower ?? ""),
    ),
    words: (...actions: readonly Action[]) => actions.flatMap((action) => clause.actions.get(action) ?? []),
    // What cannot be done says so when its deed is made.
    put: (what: string, make: () => Deed, signs: Signs, explained: readonly number[] = []) =>
      guesses.push({ name: `${what} ${thing.id}`, deed: (bench) => make()(bench), signs, words: explained, core }),
  };
}
