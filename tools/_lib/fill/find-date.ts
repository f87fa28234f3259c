import { type DateMention, extractDates } from "../time/extract-dates.ts";
import { toRfc3339 } from "../time/to-rfc3339.ts";
import { type Draft, erase, isOpen, take } from "./draft.ts";
import { namesNow } from "./fits.ts";
import type { Field } from "./read-fields.ts";

/** Time and place of the message. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Minutes that the writer's clock is east of UTC. */
  readonly offset: number;
}

const LATER_NAMES = /^(?:end|until|till|to|due|before|deadline|finish|arrival|checkout)$/;
const LATER_WORDS = /(?:^|\s)(?:until|till|to|by|before|due)\s+(?:the\s+)?$/i;

/** Reads points in time into the fields that take one: two go by "from" and "until", or in the order they are told. */
export function fillDates(draft: Draft, fields: readonly Field[], moment: Moment): Draft {
  const open = fields.filter((field) => isDate(field) && isOpen(draft, field));
  if (open.length === 0) return draft;
  const mentions = extractDates(draft.rest, moment.now, moment.offset);
  return mentions.reduce((filled, mention) => {
    const left = open.filter((field) => isOpen(filled, field));
    const later = LATER_WORDS.test(draft.rest.slice(0, mention.start));
    const field = left.find(({ words }) => words.some((word) => LATER_NAMES.test(word)) === later) ?? left[0];
    if (!field) return filled;
    const taken = take(filled, field, { ...mention, value: toDateValue(field, mention, moment.offset) });
    return mention.apart && taken !== filled ? { ...taken, rest: erase(taken.rest, mention.apart) } : taken;
  }, draft);
}

function isDate({ kind }: Field): boolean {
  return kind === "date-time" || kind === "date" || kind === "time";
}

export function toDateValue(field: Field, { instant, present }: DateMention, offset: number): string {
  if (present && namesNow(field)) return "now";
  const written = toRfc3339(instant, offset);
  if (field.kind === "date") return written.slice(0, 10);
  return field.kind === "time" ? written.slice(11) : written;
}
