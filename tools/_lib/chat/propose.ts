import { fillArguments } from "../fill/fill-arguments.ts";
import { type Reading, readByClock } from "./clock.ts";
import { askFor, toOptions } from "./describe-tools.ts";
import type { Decision } from "./reply.ts";
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
  const left = findSecondName(fill(moment.offset).rest, known);
  return "call" in decision && left ? { ...decision, left: left.value } : decision;
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
