import { fillArguments } from "../fill/fill-arguments.ts";
import { MONTHS } from "../time/calendar.ts";
import { type Reading, readByClock } from "./clock.ts";
import { askFor, toFirstSentence, toOptions } from "./describe-tools.ts";
import type { Decision, Reply } from "./reply.ts";
import { findSecondName } from "./second-name.ts";
import type { Situation } from "./situation.ts";
import type { ToolProfile } from "./tool-profile.ts";
import { findUnreadTime } from "./unread-time.ts";

/** A call of the tool with what the message says, or the question for what it leaves out. */
export function propose(message: string, profile: ToolProfile, { moment }: Pick<Situation, "moment">): Decision {
  const { fields, known } = profile;
  const fill = (offset: number) =>
    fillArguments(message, fields, { moment: { ...moment, offset }, known, leftovers: true });
  const decision = complete(
    profile,
    readByClock(moment.offset, (offset) => fill(offset).values),
  );
  const filled = fill(moment.offset);
  const time = findUnreadTime(message, profile, moment, filled);
  if (time !== undefined) return { say: declineTime(time, profile) };
  const { rest } = filled;
  const left = findSecondName(rest, known);
  return "call" in decision && left ? { ...decision, left: left.value } : decision;
}

/** A time that cannot be looked up is said: an answer for another time would be wrong. */
export function declineTime(time: string, { info }: ToolProfile): Reply {
  const both = readBothWays(time);
  const text = both
    ? `"${time}" may be ${both}. Which day do you mean?`
    : `I do not know which time "${time}" is. ${info.name}: ${toFirstSentence(info.description)} Which day do you mean?`;
  return { text, kind: "failure", via: "pipeline" };
}

/** "04/05" is a day in April in some countries, and one in May in others. */
function readBothWays(time: string): string | undefined {
  const [, first, second] = /(?<!\d)(\d{1,2})\/(\d{1,2})(?!\d)/.exec(time) ?? [];
  const [one, other] = [MONTHS[Number(first) - 1], MONTHS[Number(second) - 1]];
  return one !== undefined && other !== undefined ? `${Number(second)} ${one} or ${Number(first)} ${other}` : undefined;
}

/** The call if nothing required is missing, else the question for the first value that is. `asked` counts tries before. */
export function complete({ info, fields }: ToolProfile, reading: Reading, asked = 0, excuse = ""): Decision {
  const missing = fields.find(({ name, required }) => required && !Object.hasOwn(reading.arguments, name));
  if (!missing) return { call: info.name, ...reading };
  const options = toOptions(missing);
  return {
    say: {
      text: excuse + askFor(missing),
      kind: "question",
      via: "pipeline",
      tool: info.name,
      arguments: reading.arguments,
      ...(options.length > 0 ? { alternatives: options } : {}),
    },
    awaiting: { for: "argument", tool: info.name, ...reading, field: missing.name, asked },
  };
}
