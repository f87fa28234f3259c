import { sayGone } from "../../directives/adapt-examples.ts";
import { removeExample } from "../../directives/phrases/change-examples.ts";
import { partOfExperiment } from "../places/experiment-settings.ts";
import type { Deed } from "../../directives/phrase.ts";
import { isObject } from "../../../../json/is-object.ts";
import type { Json } from "../../../../store/store.ts";
import type { Bench } from "../../directives/bench.ts";
import { deprecateField, removeField, setFieldNeed } from "../../directives/phrases/change-fields.ts";
import type { Field } from "../../directives/find-field.ts";
import type { Clause } from "../clause.ts";
import { type Draft, draftAction, explainNouns, has, hasNoun, isNameOf, type Match } from "./draft.ts";
import { givesToAll } from "./gives-to-all.ts";
import { wordsOfReason } from "../retirement/find-reason.ts";
import { shownWords } from "../samples/shown-words.ts";
import type { Places, Thing } from "../places/places.ts";
import { draftPrompt } from "./prompt-drafts.ts";
import { draftRoleRemoval } from "./role-removal.ts";
import { draftTool } from "./tool-drafts.ts";

/** Drafts about a whole thing: it goes, is deprecated, is required. */
export function draftThings(clause: Clause, match: Match, places: Places): readonly Draft[] {
  if (match.own === 0) return [];
  const { kind } = match.thing;
  if (kind === "tool") return draftTool(clause, match, places);
  if (kind === "field") return draftField(clause, match, places);
  if (kind === "example") return draftExampleRemoval(clause, match);
  if (kind === "arm") return draftArm(clause, match);
  if (kind === "prompt") return draftPrompt(clause, match);
  if (kind === "role") return draftRoleRemoval(clause, match);
  if (kind === "experiment") return draftExperiment(clause, match);
  return [];
}

function draftField(clause: Clause, match: Match, places: Places): readonly Draft[] {
  const { field } = match.thing;
  if (field === undefined) return [];
  const drafts: Draft[] = [];
  const relaxed = has(clause, "relax");
  // "not required", and not any other "not" of the sentence.
  const isNegated = (clause.actions.get("require") ?? []).some((verb) =>
    clause.negators.some((at) => at < verb && verb - at <= 3),
  );
  if (relaxed)
    drafts.push(
      ...draftAction(
        clause,
        match,
        ["relax", "require", "set", "label"],
        "relax",
        (bench) => setFieldNeed(field, false)(bench),
        { words: clause.negators },
      ),
    );
  else if (has(clause, "require") && !isNegated)
    drafts.push(
      ...draftAction(clause, match, ["require", "set", "label", "restrict"], "require", requireField(field), {
        doubt: field.required ? 0.5 : 0,
      }),
    );
  if (has(clause, "deprecate") && !has(clause, "undeprecate"))
    drafts.push(
      ...draftAction(
        clause,
        match,
        ["deprecate", "label", "set"],
        "deprecate",
        (bench) => deprecateField(field)(bench),
        {
          words: wordsOfReason(clause, places),
        },
      ),
    );
  const namesValue = clause.tokens.some(({ text, kind }) => kind !== "sign" && match.thing.values.includes(text));
  if (has(clause, "remove") && !has(clause, "add") && !namesValue)
    drafts.push(
      ...draftAction(clause, match, ["remove", "stop"], "remove", (bench) => removeField(field)(bench), {
        words:
          isNegated && has(clause, "remove")
            ? clause.negators.filter((at) => clause.actions.get("remove")?.includes(at))
            : [],
      }),
    );
  return drafts;
}

function draftExampleRemoval(clause: Clause, match: Match): readonly Draft[] {
  const { tool, example = 0 } = match.thing;
  const numbers = clause.amounts.flatMap((amount) => (amount.value === example + 1 ? amount.tokens : []));
  if (tool === undefined) return [];
  const isTool = clause.tokens.some(({ lower }) => isNameOf(tool, lower));
  const shown = isTool && hasNoun(clause, "example") ? shownWords(clause, tool, example) : [];
  const isNamed = match.own === 1 || numbers.length > 0 || shown.length > 0;
  if (!isNamed) return [];
  return draftAction(clause, { ...match, own: 1 }, ["remove"], "remove", removeExample(tool, tool.examples[example]), {
    words: [...numbers, ...shown],
  });
}

function draftArm(clause: Clause, match: Match): readonly Draft[] {
  const { thing } = match;
  // What everybody gets, as its test ends, does not go.
  if (thing.id.split("/").length > 2 || (givesToAll(clause) && !has(clause, "remove"))) return [];
  const isNamed = explainNouns(clause, "experiment", "arm").some((at) => match.explained.has(at));
  return draftAction(clause, match, ["remove", "stop", "disable"], "remove", removeArm(thing), {
    doubt: isNamed ? 0 : 0.7,
  });
}

/** Takes an arm out of its experiment. */
export function removeArm({ file, at, set }: Thing): Deed {
  return async (bench) => {
    if ((await bench.find(file, at)) === undefined) return;
    await bench.remove(file, at);
    bench.say(`The experiment \`${set?.name}\` has no arm \`${at.at(-1)}\` any more.`);
    bench.need("patch");
  };
}

function draftExperiment(clause: Clause, match: Match): readonly Draft[] {
  const { thing } = match;
  const isDecided = givesToAll(clause) && !has(clause, "remove") && namesArm(clause, thing);
  const isOfPart = partOfExperiment(clause.text) !== undefined;
  if (!hasNoun(clause, "experiment") || clause.amounts.length > 0 || isDecided || isOfPart) return [];
  return draftAction(
    clause,
    match,
    ["remove", "stop", "disable"],
    "remove",
    async (bench) => {
      await bench.remove(thing.file, ["experiment"]);
      bench.say(`The parameters \`${thing.set?.name}\` are no longer tuned.`);
      bench.need("patch");
    },
    { doubt: has(clause, "remove") ? 0.3 : 1 },
  );
}

/** Tells whether a clause names an arm of an experiment. */
function namesArm({ tokens }: Clause, { set }: Thing): boolean {
  return set?.experiment?.arms.some(({ name }) => tokens.some(({ lower }) => lower === name.toLowerCase())) === true;
}

/** Makes a field required. Examples without it would be wrong; where it has a default, they give that, and go otherwise. */
export function requireField(field: Field): Deed {
  return async (bench) => {
    await setFieldNeed(field, true)(bench);
    await mendExamples(bench, field);
  };
}

async function mendExamples(bench: Bench, field: Field): Promise<void> {
  const { tool, side, name, schema } = field;
  if (side !== "input") return;
  const steps = name.split(".");
  const examples = await bench.find(tool.file, ["examples"]);
  const lacking = (Array.isArray(examples) ? examples : []).flatMap((example: Json, at: number) =>
    isObject(example) && lacks(example["input"], steps) ? [at] : [],
  );
  const value = schema["default"] as Json | undefined;
  const isMended = value !== undefined && steps.length === 1;
  for (const at of lacking.toReversed()) {
    const path = ["examples", at];
    await bench.adapt(
      tool.file,
      isMended ? { kind: "set", path: [...path, "input", name], value } : { kind: "remove", path },
    );
  }
  if (!isMended) sayGone(bench, tool.name, lacking.length);
}

/** Tells whether an object, or one of those in it that a path leads to, has no such member. */
function lacks(value: unknown, [step = "", ...rest]: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((one) => lacks(one, [step, ...rest]));
  if (!isObject(value)) return false;
  return Object.hasOwn(value, step) ? rest.length > 0 && lacks(value[step], rest) : rest.length === 0;
}
