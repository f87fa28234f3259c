import type { Json } from "../../../../store/store.ts";
import { showValue } from "../../../show-value.ts";
import { KEY_WORDS, type KeyWord } from "../words/key-words.ts";
import type { Place } from "./places.ts";

type Key = Pick<Place, "key" | "thing">;

/** Key of a thing as sentences name it, with the verbs that go with it. */
interface KeyLabel {
  /** "the quiet days of the policy `access`". */
  readonly label: string;
  readonly is: "is" | "are";
  /** Begins what is said of an earlier value. */
  readonly itWas: "it was" | "they were";
}

/** Keys whose words are a plural. */
const PLURAL: ReadonlySet<KeyWord> = new Set([
  "values",
  "instructions",
  "quietDays",
  "minSamples",
  "maxSamples",
  "evaluations",
]);

export function labelKey({ key, thing }: Key): KeyLabel {
  // An arm has one value for each parameter.
  const isOfArm = thing.kind === "arm" && key === "values";
  const word = isOfArm ? "value" : (KEY_WORDS[key].split(",", 1)[0] ?? key);
  const label = `the ${word} of ${thing.label}`;
  return PLURAL.has(key) && !isOfArm ? { label, is: "are", itWas: "they were" } : { label, is: "is", itWas: "it was" };
}

/** Says in a sentence what a key is now, and what it was where `before` is given. */
export function describeValue(place: Key, value: Json, before?: Json): string {
  const { label, is, itWas } = labelKey(place);
  const was = before === undefined ? "" : `; ${itWas} ${showValue(before)}`;
  return `T${label.slice(1)} ${is} ${showValue(value)}${was}.`;
}

/** Says in a sentence that a key is not set any more. */
export function describeGone(place: Key, before: Json): string {
  const { label, is, itWas } = labelKey(place);
  return `T${label.slice(1)} ${is} gone; ${itWas} ${showValue(before)}.`;
}
