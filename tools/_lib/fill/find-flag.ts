import { stem } from "../language/stem.ts";
import { tokenise } from "../language/tokenise.ts";
import { type Draft, type Found, isOpen, take } from "./draft.ts";
import type { Field } from "./read-fields.ts";

/** Words of names such as `include_archived` that carry no meaning of their own. */
const GENERIC = /^(?:is|has|include|including|with|show|enable|enabled|use|allow|should|do|only)$/;
const NEGATION = /(?:^|\s)(?:no|not|without|don['’]?t|never|exclude|excluding|skip|disable|except)\s+(?:\w+\s+)?$/i;
const YES = /^\s*(?:yes|yeah|yep|yup|sure|true|on|ok|okay|please do|of course|definitely)\b/i;
const NO = /^\s*(?:no|nope|nah|false|off|don['’]?t|do not)\b/i;

export function fillFlags(draft: Draft, fields: readonly Field[]): Draft {
  return fields.reduce(
    (filled, field) =>
      field.kind === "flag" && isOpen(filled, field) ? take(filled, field, findFlag(filled.rest, field)) : filled,
    draft,
  );
}

/** A flag is on when the message names it, off when a negation comes before the name. */
export function findFlag(rest: string, { words }: Field): Found | undefined {
  const telling = words.filter((word) => !GENERIC.test(word));
  const wanted = (telling.length > 0 ? telling : words).map(stem);
  const tokens = tokenise(rest);
  for (const [index, first] of tokens.entries()) {
    const last = tokens[index + wanted.length - 1];
    if (last && wanted.every((name, shift) => tokens[index + shift]?.stem === name)) {
      const led = tokens.slice(0, index).findLastIndex(({ word }) => !GENERIC.test(word));
      const start = tokens[led + 1]?.start ?? first.start;
      return { start, end: last.end, value: !NEGATION.test(rest.slice(0, first.start)) };
    }
  }
  return undefined;
}

/** Yes or no as the answer to a question. */
export function readYesNo(message: string): boolean | undefined {
  if (YES.test(message)) return true;
  return NO.test(message) ? false : undefined;
}
