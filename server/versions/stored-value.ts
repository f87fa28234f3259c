import type { JsonSchema, StateKey } from "../host-api.ts";
import type { Check } from "../json/types.ts";

/** Form of the values under some keys of a server's state. */
export interface StoredValue {
  /** Key of as many parts, in which `*` stands for any one. */
  readonly key: StateKey;
  readonly schema: JsonSchema;
  readonly check: Check;
}

/** Part of a pattern that stands for any part of a key. */
const ANY = "*";

/** Finds the form of the value under a key: the first whose pattern fits. */
export function findStoredValue(values: readonly StoredValue[], key: StateKey): StoredValue | undefined {
  return values.find((value) => coversKey(value.key, key));
}

/** Checks that a pattern fits every key that another pattern, or a key, stands for. */
export function coversKey(pattern: StateKey, key: StateKey): boolean {
  return pattern.length === key.length && pattern.every((part, index) => part === ANY || part === key[index]);
}

/** Checks that some key fits both patterns. */
export function overlap(one: StateKey, other: StateKey): boolean {
  return (
    one.length === other.length &&
    one.every((part, index) => part === ANY || other[index] === ANY || part === other[index])
  );
}
