import { extractDates } from "../time/extract-dates.ts";
import { type Draft, isOpen, take } from "./draft.ts";
import { findChoices } from "./find-choice.ts";
import { type Moment, toDateValue } from "./find-date.ts";
import { readYesNo } from "./find-flag.ts";
import type { Field } from "./read-fields.ts";

const JSON_OBJECT = /\{[^]*\}/;
const QUOTED = String.raw`"(?<quoted>[^"]*)"|'(?<single>[^']*)'`;
const VALUE = String.raw`(?:${QUOTED}|(?<plain>[^,;\n\uFFFC]+?))(?=\s*(?:[,;\n\uFFFC]|$)|\s+(?:and\s+)?[\p{L}_]+\s*[=:])`;
/** Commas belong to a list. */
const VALUES = String.raw`(?:${QUOTED}|\[?(?<plain>[^;\n\uFFFC\]]+?))(?=\s*(?:[;\n\uFFFC\]]|$)|[\s,]+(?:and\s+)?[\p{L}_]+\s*[=:])`;

/** Reads arguments that are spelt out: as a JSON object, or as `name: value` and `name=value`. */
export function fillExplicit(draft: Draft, fields: readonly Field[], moment: Moment): Draft {
  return fields.reduce(
    (filled, field) => (isOpen(filled, field) ? fillPair(filled, field, moment) : filled),
    fillJson(draft, fields),
  );
}

function fillJson(draft: Draft, fields: readonly Field[]): Draft {
  const match = JSON_OBJECT.exec(draft.rest);
  if (!match) return draft;
  let object: unknown;
  try {
    object = JSON.parse(match[0]);
  } catch {
    return draft;
  }
  const span = { start: match.index, end: match.index + match[0].length };
  return fields.reduce(
    (filled, field) =>
      Object.hasOwn(object as object, field.name)
        ? take(filled, field, { ...span, value: (object as Record<string, unknown>)[field.name] })
        : filled,
    draft,
  );
}

function fillPair(draft: Draft, field: Field, moment: Moment): Draft {
  const names = [field.name, field.words.join(" "), field.words.join("-")].map((name) => RegExp.escape(name)).join("|");
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}_])(?:${names})\s*[=:]\s*${field.kind === "list" ? VALUES : VALUE}`,
    "iu",
  );
  const match = pattern.exec(draft.rest);
  if (!match) return draft;
  const { quoted, single, plain } = match.groups ?? {};
  const value = readValue(field, (quoted ?? single ?? plain ?? "").trim(), moment);
  return take(draft, field, { start: match.index, end: match.index + match[0].length, value });
}

/** `text` as a value for `field`, of the right type if it can be; the caller checks whether it fits. */
export function readValue(field: Field, text: string, moment: Moment): unknown {
  switch (field.kind) {
    case "choice":
      return findChoices(text, field)[0]?.value;
    case "flag":
      return readYesNo(text);
    case "integer":
    case "number":
      return text === "" ? undefined : Number(text.replaceAll(",", ""));
    case "list":
      return text
        .split(/\s*(?:,|;|\band\b)\s*/)
        .flatMap((part) => (field.items ? (readValue(field.items, part, moment) ?? []) : part));
    case "text":
      return text === "" ? undefined : text;
    case "opaque":
      return undefined;
    default: {
      const [mention] = extractDates(text, moment.now, moment.offset);
      return mention && toDateValue(field, mention, moment.offset);
    }
  }
}
