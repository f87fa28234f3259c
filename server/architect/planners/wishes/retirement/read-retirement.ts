import type { Tool } from "../../../../versions/version.ts";
import type { Retirement } from "../../directives/retire-tool.ts";
import type { Clause } from "../clause.ts";
import type { Draft } from "../drafts/draft.ts";
import type { Places } from "../places/places.ts";
import { findMentions, type Mention } from "./find-mentions.ts";
import { findReason } from "./find-reason.ts";

/** What a clause says of the end of a tool, with the words that say it. */
interface ReadRetirement {
  readonly retirement: Retirement;
  readonly words: readonly number[];
  /** True: it says why, from when or what comes next in so many words. */
  readonly isMarked: boolean;
}

const DATE = /\b\d{4}-\d{2}-\d{2}\b/g;
const ENDS =
  /\b(?:sunset\w*|ends?|ending|fail(?:s|ing)?|until|till|off|gone|removed?|stops?|shut\w*|switch\w*|last day|endet|ende|bis|abgeschaltet|termina|hasta|fin|jusqu['’]au|s['’]arrête)\b|截止|结束|下线/iu;
/** What has its last day, however far behind that stands: "end of life for ledger_issue is". */
const END_OF = /\b(?:end of (?:life|service|support)|eol|last day|sunset)\b/iu;
/** An end that is announced as of a day begins then. */
const ANNOUNCED = /\b(?:announc\w*|deprecat\w*)\b[^.,;]{0,30}\b(?:as of|from|since|starting|effective)\b/iu;
/** Begins a reason that is called one. */
const LABELLED = /^(?:reason|Grund|Begründung|motivo|razón|raison|motif) ?: ?|^(?:原因|理由)[:：]/iu;
/** Words that lead to a successor, and to a reason. */
const LEADING =
  /^(?:instead|favou?r|use|point|send|refer|direct|people|callers|successor|replaced|superseded|reason|because|since|from|today|now|as|of|give|announce|announced|end|way|out|shown|flag|flagged|mark|marked|label|tag|callable|running)$/;

/** Reads from when, until when and why a tool is deprecated, and what comes in its place. */
export function readRetirement(clause: Clause, tool: Tool, mentions: readonly Mention[]): ReadRetirement {
  const { since, sunset } = findDates(clause.text);
  const reason = findReason(clause, mentions);
  // "Reason: use edge.propagate" is all reason.
  const isWithin = ({ at }: Mention) => {
    const { start = 0 } = clause.tokens[at] ?? {};
    return (
      reason !== undefined &&
      start > reason.start &&
      start < reason.end &&
      LABELLED.test(clause.text.slice(reason.start))
    );
  };
  const next = mentions.find((one) => one.isSuccessor && one.tool !== tool && !isWithin(one));
  const dates = [since, sunset].filter((date) => date !== undefined);
  const said = clause.tokens.flatMap(({ start, end, text, lower, kind }, at) => {
    const isReason = reason !== undefined && start >= reason.start && end <= reason.end + 1;
    const isDate = dates.some((date) => date.includes(text)) && kind !== "sign";
    return isReason || isDate || LEADING.test(lower) ? [at] : [];
  });
  const amounts = clause.amounts.filter(({ tokens }) =>
    tokens.every((at) => said.includes(at) || dates.some((date) => date.includes(clause.tokens[at]?.text ?? "-"))),
  );
  const own = mentions.filter((one) => one.tool === tool || one.tool === next?.tool).map(({ at }) => at);
  return {
    retirement: { since, sunset, reason: reason?.text, successor: next?.tool.name },
    words: [...said, ...own, ...amounts.flatMap(({ tokens }) => tokens)],
    isMarked: since !== undefined || reason?.isMarked === true || next !== undefined,
  };
}

/** The name of the guess that a tool is deprecated so. */
export function nameOf(tool: Tool, retirement: Retirement): string {
  return `retire ${tool.name} ${JSON.stringify(retirement)}`;
}

/** Tells whether a message says more of the end of a tool than a draft has. */
export function leavesReason({ name, thing }: Pick<Draft, "name" | "thing">, clause: Clause, places: Places): boolean {
  const tool = thing?.tool;
  if (tool === undefined || !name.startsWith("retire ")) return false;
  const { retirement } = readRetirement(clause, tool, findMentions(clause, places));
  return !name.startsWith(nameOf(tool, retirement));
}

/** The days of a message from which a tool is deprecated, and on which it ends. */
function findDates(text: string): Pick<Retirement, "since" | "sunset"> {
  const dates = [...text.matchAll(DATE)].map(({ 0: date, index }) => {
    const before = text.slice(Math.max(0, index - 50), index).replace(/^.*[,;.]\s/s, "");
    const isEnd =
      END_OF.test(before) ||
      (ENDS.test(before.slice(-30)) && !ANNOUNCED.test(before)) ||
      /^(?: it| sie| se| il)? ?(?:ends|stops|is (?:gone|removed|(?:its|the) last day)|as (?:its|the|their) (?:last day|end|sunset)|endet|termina|s['’]arrête)/.test(
        text.slice(index + date.length),
      );
    return { date, isEnd };
  });
  const since = dates.find(({ isEnd }) => !isEnd);
  const sunset = dates.find((one) => one.isEnd) ?? dates.find((one) => one !== since);
  return { since: since?.date, sunset: sunset?.date };
}
