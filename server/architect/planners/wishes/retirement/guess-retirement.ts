import { likelihoodOf } from "../intent/read-intent.ts";
import { undeprecateTool } from "../../directives/phrases/change-tools.ts";
import { NOTE, retireTool } from "../../directives/retire-tool.ts";
import { has, hasNoun } from "../drafts/draft.ts";
import { findMentions, type Mention, namesUnknown } from "./find-mentions.ts";
import { namesPart } from "./names-part.ts";
import { nameOf, readRetirement } from "./read-retirement.ts";
import { type Aim, type NearTool, toolsNear } from "../guess/access/near-tools.ts";
import type { Guess } from "../guess/guess-value.ts";

const MEANT = 3;
const LIKELY = 0.12;
const RETIRED =
  /\b(?:deprecat\w*|sunset\w*|end of (?:its |their )?life|(?:announce|announcing) (?:its|the|their) end|outdated|obsolete?\w*|legacy|phas\w+ out|on (?:its|their|the) way out|discourag\w*|not recommended|no longer recommended|veraltet|überholt|ausgemustert|abgekündigt|Auslaufmodell|obsolet[oa]?|anticuad\w+|en desuso|desaconsej\w*|obsolète\w*|dépass\w*|dépréci\w*)\b|弃用|过时|淘汰|废弃/iu;

/** Says that a tool is deprecated, from when, why and until when, as the message has it; or that it is not any more. */
export function guessRetirement(aim: Aim): readonly Guess[] {
  const { clause, likelihoods, mood, near, places } = aim;
  const isRetired = mood.isDeprecated || RETIRED.test(clause.text);
  const isBack = likelihoodOf(likelihoods, "tool-undeprecate") > LIKELY;
  if (!isRetired && !isBack) return [];
  const mentions = findMentions(clause, places);
  const tools = toolsNear(near, MEANT + mentions.length);
  // What takes the place of another is not what is deprecated.
  const meant = tools.filter(({ tool }) => !isOnlyNext(tool.name, mentions)).slice(0, MEANT);
  return [
    ...(isRetired ? meant.map((one) => guessDeprecation(aim, one, mentions)) : []),
    ...(isBack ? tools.slice(0, MEANT).flatMap((one) => guessReturn(one)) : []),
  ];
}

function isOnlyNext(name: string, mentions: readonly Mention[]): boolean {
  const own = mentions.filter(({ tool }) => tool.name === name);
  return own.length > 0 && own.every(({ isSuccessor }) => isSuccessor);
}

function guessDeprecation(
  { clause, near, places }: Aim,
  { thing, tool, signs, words }: NearTool,
  mentions: readonly Mention[],
): Guess {
  const { retirement, words: said, isMarked } = readRetirement(clause, tool, mentions);
  const { owner = 0, rival = 0, tool: share = 0 } = near.get(thing) ?? {};
  const isNamed = signs.exact === 1 || signs.name === 1 || retirement.since !== undefined;
  const isPart = namesPart(clause, tool, mentions, places);
  return {
    name: `${nameOf(tool, retirement)} ${thing.id}`,
    signs: {
      ...signs,
      deprecate: 1,
      owner: Math.min(3, owner),
      tool: share,
      rival: signs.exact === 1 ? 0 : rival,
      ...(isMarked && isNamed ? { now: 1 } : {}),
      ...(namesUnknown(clause, places) || isPart ? { unsure: 1 } : {}),
      ...(isMarked || hasNoun(clause, "tool") ? { marked: 1 } : {}),
      ...(has(clause, "deprecate") ? { verb: 1 } : {}),
      ...(retirement.successor === undefined ? {} : { siblings: 1 }),
    },
    words: [...words, ...said, ...(clause.actions.get("deprecate") ?? []), ...(isMarked ? clause.negators : [])],
    deed: (bench) => retireTool(tool, retirement)(bench),
  };
}

/** A deprecation that is taken back. */
function guessReturn({ tool, signs, words }: NearTool): readonly Guess[] {
  if (tool.deprecated === undefined && !tool.description.startsWith(NOTE)) return [];
  return [
    {
      name: `return ${tool.name}`,
      signs: { ...signs, deprecate: 1, now: 1 },
      words: [...words],
      deed: (bench) => undeprecateTool(tool)(bench),
    },
  ];
}
