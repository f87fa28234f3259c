import type { Arguments, Draft } from "./draft.ts";
import { fillChoices } from "./fill-choices.ts";
import { fillDates, type Moment } from "./find-date.ts";
import { fillExplicit } from "./find-explicit.ts";
import { fillFlags } from "./find-flag.ts";
import { fillFormats } from "./find-format.ts";
import { fillLists } from "./find-list.ts";
import { fillNumbers } from "./find-number.ts";
import { fillQuoted } from "./find-quoted.ts";
import { fillTexts } from "./find-text.ts";
import type { Field } from "./read-fields.ts";

export interface FillOptions {
  readonly moment: Moment;
  /** Stems that speak of the tool itself and so are no value. */
  readonly known: ReadonlySet<string>;
  /** True if a required text may be any words left over. */
  readonly leftovers: boolean;
  /** The call that the message changes, if it does. */
  readonly previous?: Arguments;
}

/**
 * Reads a tool's arguments out of a message. What has a recognisable form goes first and is then out of the way of the
 * rest; free text, which could be anything, comes last. Each value is of the type its field takes; those that cannot be
 * read are absent. The draft's `rest` has the words that became no value.
 */
export function fillArguments(
  message: string,
  fields: readonly Field[],
  { moment, known, leftovers, previous = {} }: FillOptions,
): Draft {
  const steps: readonly ((draft: Draft) => Draft)[] = [
    (draft) => fillExplicit(draft, fields, moment),
    (draft) => fillQuoted(draft, fields),
    (draft) => fillFormats(draft, fields),
    (draft) => fillDates(draft, fields, moment),
    (draft) => fillChoices(draft, fields, previous),
    (draft) => fillLists(draft, fields),
    (draft) => fillFlags(draft, fields),
    (draft) => fillNumbers(draft, fields),
    (draft) => fillTexts(draft, fields, known, leftovers),
  ];
  return steps.reduce<Draft>((draft, step) => step(draft), { values: {}, rest: message });
}
