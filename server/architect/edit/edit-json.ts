import { isObject } from "../../json/is-object.ts";
import type { Json } from "../../store/store.ts";

/** Names and positions that lead to a value. */
export type Path = readonly (string | number)[];

export type Edit =
  /** Puts a value in the place of another, or makes it the last of a mapping; mappings on the way are made. */
  | { readonly kind: "set"; readonly path: Path; readonly value: Json }
  /** Puts a value into a list before the one that has its position, or at its end. */
  | { readonly kind: "insert"; readonly path: Path; readonly value: Json }
  | { readonly kind: "remove"; readonly path: Path };

/** The value that an edit makes of another; undefined where there is no such place. */
export function editJson(value: Json, edit: Edit): Json | undefined {
  return editAt(value, edit.path, edit);
}

function editAt(value: Json | undefined, path: Path, edit: Edit): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return edit.kind === "set" ? edit.value : undefined;
  if (Array.isArray(value)) {
    if (typeof step !== "number") return undefined;
    if (rest.length === 0 && edit.kind === "insert") {
      return step <= value.length ? value.toSpliced(step, 0, edit.value) : undefined;
    }
    if (step >= value.length) return undefined;
    if (rest.length === 0 && edit.kind === "remove") return value.toSpliced(step, 1);
    const item = editAt(value[step], rest, edit);
    return item === undefined ? undefined : value.with(step, item);
  }
  const members = value === undefined && edit.kind === "set" ? {} : value;
  if (!isObject(members) || typeof step !== "string") return undefined;
  if (rest.length === 0 && edit.kind === "remove") {
    if (!Object.hasOwn(members, step)) return undefined;
    return Object.fromEntries(Object.entries(members).filter(([key]) => key !== step)) as Json;
  }
  const member = editAt(findIn(members, [step]), rest, edit);
  return member === undefined ? undefined : ({ ...members, [step]: member } as Json);
}

/** Finds the value at a path; undefined where there is none. */
export function findIn(value: unknown, path: Path): Json | undefined {
  let at = value;
  for (const step of path) {
    const isThere =
      typeof step === "number" ? Array.isArray(at) && step < at.length : isObject(at) && Object.hasOwn(at, step);
    if (!isThere) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at as Json | undefined;
}
