import { type Arguments, type Draft, erase, type Found, isOpen, take } from "./draft.ts";
import { findChoices } from "./find-choice.ts";
import type { Field } from "./read-fields.ts";

const TO_NAMES = /^(?:to|target|output|into|destination|result)$/;
const TO_WORDS = /(?:^|[\s\uFFFC])(?:to|into|in|as)\s+$/i;
const FROM_WORDS = /(?:^|[\s\uFFFC])from\s+$/i;
const AFTER_NUMBER = /[\d.]\s*$/;

/**
 * Reads mentions of a field's choices. Two fields with the same choices ("from miles to kilometres") go by what stands
 * before each: "to" leads to the target, a number to what is measured. The target is read last, so that it may also be the
 * one that is left; a change to an earlier call that says neither means the target.
 */
export function fillChoices(draft: Draft, fields: readonly Field[], previous: Arguments): Draft {
  const choices = fields.filter(({ kind }) => kind === "choice");
  return choices
    .toSorted((a, b) => Number(isTarget(a)) - Number(isTarget(b)))
    .reduce((filled, field) => (isOpen(filled, field) ? takeAll(filled, field, pick(filled, field)) : filled), draft);

  function pick({ rest, values }: Draft, field: Field): Found | undefined {
    const found = findChoices(rest, field);
    const rivals = choices.some(
      (other) =>
        other !== field &&
        !Object.hasOwn(values, other.name) &&
        other.choices.some((one) => field.choices.includes(one)),
    );
    const ledBy = (pattern: RegExp) => found.find(({ start }) => pattern.test(rest.slice(0, start)));
    if (isTarget(field)) return ledBy(TO_WORDS) ?? found[0];
    if (!rivals) return found[0];
    const clear = ledBy(AFTER_NUMBER) ?? ledBy(FROM_WORDS);
    if (clear || Object.hasOwn(previous, field.name)) return clear;
    return found.find(({ start }) => !TO_WORDS.test(rest.slice(0, start)));
  }
}

/** Takes a choice with all other words for it: "km/h and °C" is one. */
function takeAll(draft: Draft, field: Field, found: Found | undefined): Draft {
  const taken = take(draft, field, found);
  if (found === undefined || taken === draft) return taken;
  const others = findChoices(taken.rest, field).filter(({ value }) => value === found.value);
  return others.reduce((left, span) => ({ ...left, rest: erase(left.rest, span) }), taken);
}

function isTarget({ words }: Field): boolean {
  return words.some((word) => TO_NAMES.test(word));
}
