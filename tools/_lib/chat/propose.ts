import { fillArguments } from "../fill/fill-arguments.ts";
import { type Reading, readByClock } from "./clock.ts";
import { askFor, toFirstSentence, toOptions } from "./describe-tools.ts";
import type { Decision, Reply } from "./reply.ts";
import { findUnreadTime } from "./requests.ts";
import { findSecondName } from "./second-name.ts";
import type { Situation } from "./situation.ts";
import type { ToolProfile } from "./tool-profile.ts";

/** A call of the tool with what the message says, or the question for what it leaves out. */
export function propose(message: string, profile: ToolProfile, { moment }: Pick<Situation, "moment">): Decision {
  const { fields, known } = profile;
  const fill = (offset: number) =>
    fillArguments(message, fields, { moment: { ...moment, offset }, known, leftovers: true });
  const decision = complete(
    profile,
    readByClock(moment.offset, (offset) => fill(offset).values),
  );
  const { rest } = fill(moment.offset);
  const time = fields.some(({ kind }) => kind === "date-time" || kind === "date") ? findUnreadTime(rest) : undefined;
  if (time !== undefined && !profile.info.sideEffect) return { say: declineTime(time, profile) };
  const left = findSecondName(rest, known);
  return "call" in decision && left ? { ...decision, left: left.value } : decision;
}

/** A time that cannot be looked up is said: an answer for another time would be wrong. */
function declineTime(time: string, { info }: ToolProfile): Reply {
  const text = `I cannot look up "${time}": it is no day. ${info.name}: ${toFirstSentence(info.description)} Which day do you mean?`;
  return { text, kind: "failure", via: "pipeline" };
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
