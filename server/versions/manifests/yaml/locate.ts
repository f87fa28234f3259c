import type { Position } from "../position.ts";
import { isMap, isScalar, isSeq } from "yaml";

/** Keys and indexes from the root of a manifest to a value. */
export type Path = readonly (string | number)[];

export type Locate = (path: Path, part?: Part) => Position;

/** Half of `key: value`. */
export type Part = "key" | "value";

/** The offset of what `path` leads to; where the path ends early, of the last key or item that is there. */
export function locate(root: unknown, path: Path, part: Part): number {
  let node = root;
  let offset = offsetOf(root);
  for (const [index, step] of path.entries()) {
    const last = index === path.length - 1;
    if (isSeq(node)) {
      node = node.items[Number(step)];
      if (node === undefined) return offset;
      offset = offsetOf(node);
    } else if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === String(step));
      if (!pair) return offset;
      node = pair.value;
      offset = offsetOf(last && part === "value" && isOnItsOwn(node) ? node : pair.key);
    } else return offset;
  }
  return offset;
}

/**
 * Checks that a reader finds `node` where it starts: a block starts with its first key or item, and an absent node has no
 * start.
 */
function isOnItsOwn(node: unknown): boolean {
  if (isScalar(node)) return node.source !== "";
  return (isMap(node) || isSeq(node)) && node.flow === true;
}

/** Returns the offset where a node of `yaml` starts. */
export function offsetOf(node: unknown): number {
  const range = typeof node === "object" && node !== null && "range" in node ? node.range : undefined;
  return Array.isArray(range) && typeof range[0] === "number" ? range[0] : 0;
}
