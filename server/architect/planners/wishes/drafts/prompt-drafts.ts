import { removePrompt } from "../../directives/remove-prompt.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { Clause } from "../clause.ts";
import type { Thing } from "../places/places.ts";
import { type Draft, draftAction, has, hasNoun, type Match } from "./draft.ts";

const ASKS = /\b(?:asks?|asked|question)\b/iu;
const TALK =
  /^(?:asks?|asked|question|when|missing|given|not|people|somebody|argument|it|is|told|filled|left|out|number)$/;

/** Drafts about a prompt, which goes, and about what one asks for, which is required, optional, or asked for in other words. */
export function draftPrompt(clause: Clause, match: Match): readonly Draft[] {
  const { file, at, prompt = "" } = match.thing;
  if (at.length > 2) return draftArgument(clause, match);
  return draftAction(clause, match, ["remove"], "remove", removePrompt(file, at, prompt), {
    doubt: hasNoun(clause, "prompt") ? 0 : 0.3,
  });
}

function draftArgument(clause: Clause, match: Match): readonly Draft[] {
  const { thing } = match;
  // Fields of tools have the same names: the prompt has to be said, by a word for prompts or by its name.
  const isOfPrompt = hasNoun(clause, "prompt") || namesPrompt(clause, thing);
  if (!isOfPrompt) return [];
  const isNegated = clause.negators.length > 0;
  const need = (isNeeded: boolean) =>
    draftAction(
      clause,
      match,
      [isNeeded ? "require" : "relax", "set", "label", "require"],
      isNeeded ? "require" : "relax",
      toNeed(thing, isNeeded),
      {
        words: isNeeded ? [] : clause.negators,
      },
    );
  const question = draftQuestion(clause, match);
  if (question.length > 0) return question;
  if (has(clause, "relax")) return need(false);
  return has(clause, "require") && !isNegated ? need(true) : [];
}

function namesPrompt({ tokens, text }: Clause, { prompt = "" }: Thing): boolean {
  return (
    tokens.some(({ lower }) => lower === prompt.toLowerCase()) || text.toLowerCase().includes(prompt.toLowerCase())
  );
}

function toNeed(thing: Thing, isNeeded: boolean): Deed {
  const { file, at, label } = thing;
  return async (bench) => {
    const path = [...at, "required"];
    const now = (await bench.find(file, path)) === true;
    const isChanged = now !== isNeeded && (await bench.set(file, path, isNeeded));
    // What people are asked for is never left out.
    const ask = [...at, "ask"];
    if (!isNeeded && (await bench.find(file, ask)) !== undefined) await bench.remove(file, ask);
    if (isChanged) bench.say(`${label} is ${isNeeded ? "required" : "optional"}.`);
    bench.need(isNeeded ? "major" : "minor");
  };
}

/** "day-plan should ask "Which day?" when the day is missing" */
function draftQuestion(clause: Clause, match: Match): readonly Draft[] {
  const { thing } = match;
  const [only, ...others] = clause.tokens.flatMap(({ kind, text }, at) =>
    kind === "quoted" && /[?？]$/.test(text.trim()) ? [{ text: text.trim(), at }] : [],
  );
  if (only === undefined || others.length > 0 || !ASKS.test(clause.text)) return [];
  return [
    {
      name: `${thing.file}#${thing.at.join("/")}/ask=${JSON.stringify(only.text)}`,
      label: thing.label,
      thing,
      explained: new Set([
        ...match.explained,
        only.at,
        ...clause.tokens.flatMap(({ lower }, at) => (TALK.test(lower) ? [at] : [])),
        ...(["set", "require"] as const).flatMap((action) => clause.actions.get(action) ?? []),
        ...clause.negators,
        ...[...clause.keys.values()].flat(2),
      ]),
      soft: match.soft,
      doubt: 0,
      deed: async (bench) => {
        await bench.set(thing.file, [...thing.at, "required"], true);
        if (await bench.set(thing.file, [...thing.at, "ask"], only.text))
          bench.say(`Where ${thing.label} is missing, people are asked ${JSON.stringify(only.text)}.`);
        bench.need("patch");
      },
    },
  ];
}
