import type { Places } from "../places/places.ts";

/** Words of time and condition that values and arms are called by, too. */
const TIMELY = "soon|later|now|never|always|once|whenever|until|before|after|today|tomorrow|tonight";
/** Such a word where only a name stands: "remove whenever from urgency", "the arm soon of notices". */
const NAMED = new RegExp(
  [
    String.raw`(?<=\b(?:remove|drop|delete|strike|take|scrap|cut|add|allow|accept) )(?:${TIMELY})(?= (?:from|out of|to|as)\b)`,
    String.raw`(?<=\b(?:arm|variant|value|option) )(?:${TIMELY})(?= (?:from|of|in|to)\b)`,
    String.raw`(?<=\b(?:the|an?) )(?:${TIMELY})(?= (?:arm|variant)\b)`,
  ].join("|"),
  "giu",
);

/** A message with names that are words of time in quotation marks, where something of this version is called so, so that they set no time. */
export function quoteNames(message: string, { things }: Places): string {
  return message.replace(NAMED, (name) => {
    const isName = things.some(({ values }) => values.some((value) => value === name.toLowerCase()));
    return isName ? `"${name}"` : name;
  });
}
