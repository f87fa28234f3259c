import { likelihoodOf } from "../intent/read-intent.ts";
import type { Tool } from "../../../../versions/version.ts";
import { undeprecateTool } from "../../directives/phrases/change-tools.ts";
import type { Guess } from "./guess-value.ts";
import { type Aim, type NearTool, toolsNear } from "./access/near-tools.ts";

const MEANT = 3;
const LIKELY = 0.12;
const RETIRED =
  /\b(?:deprecat\w*|sunset\w*|end of life|outdated|obsolete?\w*|legacy|phas\w+ out|not recommended|no longer recommended|veraltet|überholt|ausgemustert|obsolet[oa]?|desaconsej\w*|obsolète\w*|dépass\w*|dépréci\w*)\b|弃用|过时|淘汰/iu;
const DATE = /\b\d{4}-\d{2}-\d{2}\b/g;
const ENDS =
  /\b(?:sunset\w*|ends?|ending|until|till|off|gone|removed?|stops?|shut\w*|switch\w*|last day|endet|ende|bis|abgeschaltet|termina|hasta|fin|jusqu['’]au|s['’]arrête)\b|截止|结束|下线/iu;
const REASON =
  /(?:\breasons?\b(?: is| being)?\s*:?|\bbecause\b|\b(?:Grund|Begründung|motivo|razón|raison|motif)\b\s*:?|\b(?:weil|denn|porque|ya que|parce qu['’]?e?|car)\b|因为|原因[:：是]?)\s*(.+)/isu;
const SUCCESSOR =
  /\b(?:in favou?r of|instead|successors?|replac\w+|use|send (?:them|people|callers|everybody) to|point\w* to|moved? to|Nachfolger\w*|stattdessen|ersetzt|sucesor\w*|en su lugar|successeur|remplac\w+|à la place)\b|->|→|改用|替代|代替/iu;

/** Says that a tool is deprecated, from when, why and until when, as the message has it; or that it is not any more. */
export function guessRetirement(aim: Aim): readonly Guess[] {
  const { clause, likelihoods, near } = aim;
  const tools = toolsNear(near, MEANT);
  const isRetired = RETIRED.test(clause.text) || likelihoodOf(likelihoods, "tool-deprecate") > LIKELY;
  const isBack = likelihoodOf(likelihoods, "tool-undeprecate") > LIKELY;
  return [
    ...(isRetired ? tools.flatMap((one) => guessDeprecation(aim, one, tools)) : []),
    ...(isBack ? tools.flatMap((one) => guessReturn(one)) : []),
  ];
}

function guessDeprecation(
  { clause }: Aim,
  { tool, signs, words }: NearTool,
  tools: readonly NearTool[],
): readonly Guess[] {
  const { since, sunset } = findDates(clause.text);
  const successor = SUCCESSOR.test(clause.text)
    ? tools.find((other) => other.tool !== tool && (other.signs.exact === 1 || other.signs.name === 1))
    : undefined;
  const reason = findReason(clause) ?? (successor === undefined ? undefined : `Use ${successor.tool.name} instead.`);
  if (since === undefined || reason === undefined) return [];
  const deprecated = {
    since,
    reason,
    ...(sunset === undefined ? {} : { sunset }),
    ...(successor === undefined ? {} : { successor: successor.tool.name }),
  };
  // What explains a deprecation is a part of it: all words behind its dates.
  const said = clause.tokens.flatMap(({ text, kind }, at) =>
    kind === "quoted" || reason.includes(text) || [since, sunset].some((date) => date?.includes(text) === true)
      ? [at]
      : [],
  );
  return [
    {
      name: `retire ${tool.name} ${JSON.stringify(deprecated)}`,
      signs: { ...signs, deprecate: 1, marked: 1, now: 1, ...(successor === undefined ? {} : { siblings: 1 }) },
      words: [
        ...words,
        ...said,
        ...(successor?.words ?? []),
        ...(clause.actions.get("deprecate") ?? []),
        ...clause.amounts.flatMap(({ tokens }) => tokens),
        ...clause.negators,
      ],
      deed: async (bench) => {
        const until = sunset === undefined ? "" : `, and ends on ${sunset}`;
        const instead = successor === undefined ? "" : ` \`${successor.tool.name}\` is its successor.`;
        if (await bench.set(tool.file, ["deprecated"], deprecated))
          bench.say(`\`${tool.name}\` is deprecated from ${since} on${until}: ${reason}${instead}`);
        bench.need("patch");
      },
    },
  ];
}

/** The days of a message from which a tool is deprecated, and on which it ends. */
function findDates(text: string): { readonly since?: string | undefined; readonly sunset?: string | undefined } {
  const dates = [...text.matchAll(DATE)].map(({ 0: date, index }) => ({
    date,
    isEnd:
      ENDS.test(text.slice(Math.max(0, index - 30), index).replace(/^.*[,;.]/s, "")) ||
      /^(?: it| sie| se| il)? ?(?:ends|stops|is (?:gone|removed)|endet|termina|s['’]arrête)/.test(
        text.slice(index + date.length),
      ),
  }));
  const since = dates.find(({ isEnd }) => !isEnd);
  const sunset = dates.find((one) => one.isEnd) ?? dates.find((one) => one !== since);
  return { since: since?.date, sunset: sunset?.date };
}

/** Why a tool is deprecated: a text in quotation marks, or what follows a word for reasons. */
function findReason({ tokens, text }: Aim["clause"]): string | undefined {
  const quoted = tokens.find(({ kind, text: own }) => kind === "quoted" && /\s/.test(own))?.text;
  if (quoted !== undefined) return quoted;
  const said = REASON.exec(text)?.[1]
    ?.replace(/(?:[.;。；]\s.*|,?\s(?:and|und|y|et)\s[^,]*\d{4}-\d{2}-\d{2}.*)$/su, "")
    .replace(/[\s.,;。]+$/u, "");
  return said === undefined || !/\p{L}/u.test(said) ? undefined : `${said.slice(0, 1).toUpperCase()}${said.slice(1)}.`;
}

/** A deprecation that is taken back. */
function guessReturn({ tool, signs, words }: NearTool): readonly Guess[] {
  const base = { name: `return ${tool.name}`, signs: { ...signs, deprecate: 1, now: 1 }, words: [...words] };
  if (tool.deprecated === undefined)
    return isNoted(tool) ? [{ ...base, deed: (bench) => undeprecateTool(tool)(bench) }] : [];
  return [
    {
      ...base,
      deed: async (bench) => {
        if (await bench.remove(tool.file, ["deprecated"])) bench.say(`\`${tool.name}\` is no longer deprecated.`);
        bench.need("patch");
      },
    },
  ];
}

function isNoted({ description }: Tool): boolean {
  return description.startsWith("Deprecated: ");
}
