import { isObject } from "../../../../json/is-object.ts";
import type { Json } from "../../../../store/store.ts";
import type { Example } from "../../../../versions/version.ts";
import type { Path } from "../../../edit/edit-json.ts";

/** A text or a number in an example, with where it is. */
export interface Leaf {
  readonly at: Path;
  readonly value: Json;
}

const DEPTH = 8;

/** Lists the texts and numbers of an example, but for what it matches and the error that it ends with. */
export function listLeaves({ description, input, output }: Example): readonly Leaf[] {
  return [
    ...(description === undefined ? [] : [{ at: ["description"], value: description }]),
    ...leavesOf(input as Json, ["input"]),
    ...(output === undefined ? [] : leavesOf(output as Json, ["output"])),
  ];
}

/** Lists the texts and numbers of some data, with where they are. */
export function leavesOf(data: Json, at: Path): readonly Leaf[] {
  if (at.length > DEPTH) return [];
  if (Array.isArray(data)) return data.flatMap((one, index) => leavesOf(one as Json, [...at, index]));
  if (isObject(data)) return Object.entries(data).flatMap(([key, one]) => leavesOf(one as Json, [...at, key]));
  return typeof data === "string" || typeof data === "number" ? [{ at, value: data }] : [];
}
