import { isMap, isScalar, isSeq } from "yaml";
import { isObject } from "../../../json/is-object.ts";
import { offsetOf } from "./locate.ts";

export interface Difference {
  readonly offset: number;
  readonly message: string;
}

/** The first place where js-yaml's `value` and the tree of `yaml` do not say the same. */
export function findDifference(value: unknown, node: unknown): Difference | undefined {
  if (Array.isArray(value) && isSeq(node) && value.length === node.items.length) {
    return first(node.items, (item, index) => findDifference(value[index], item));
  }
  if (isObject(value) && isMap(node) && Object.keys(value).length === node.items.length) {
    return first(node.items, ({ key, value: item }) => {
      const name = isScalar(key) ? String(key.value) : "";
      if (!Object.hasOwn(value, name)) return { offset: offsetOf(key), message: `is \`${name}\` a key?` };
      return findDifference(value[name], item);
    });
  }
  const other = isScalar(node) ? node.value : node === null ? null : undefined;
  if (value === other) return undefined;
  return { offset: offsetOf(node), message: `is it ${show(value)} or ${show(other, node)}?` };
}

function first<T>(items: readonly T[], find: (item: T, index: number) => Difference | undefined) {
  for (const [index, item] of items.entries()) {
    const difference = find(item, index);
    if (difference) return difference;
  }
  return undefined;
}

function show(value: unknown, node?: unknown): string {
  if (isSeq(node) || Array.isArray(value)) return "a list";
  if (isMap(node) || isObject(value)) return "a mapping";
  return typeof value === "string" ? `the text ${JSON.stringify(value.slice(0, 40))}` : `\`${String(value)}\``;
}
