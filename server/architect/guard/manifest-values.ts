import { isObject } from "../../json/is-object.ts";

/** The items of a list; anything else has none. */
export function listItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of a list; anything else is an empty one. */
export function listTexts(value: unknown): readonly string[] {
  return listItems(value).filter((item) => typeof item === "string");
}

/** Own members of an object; anything else has none. */
export function listMembers(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : [];
}

/** An own member; undefined where there is none. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
