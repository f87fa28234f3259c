import type { Problem } from "../../problem.ts";
import type { Manifest } from "../manifest.ts";
import type { Path } from "../yaml/locate.ts";

/** Checks that no two items of the list at `path` have equal text under `key`. */
export function checkUnique<Key extends string>(
  list: readonly { readonly [key in Key]?: string }[],
  key: Key,
  path: Path,
  problem: Manifest<unknown>["problem"],
): readonly Problem[] {
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    const text = item[key];
    if (text === undefined) return [];
    const isNew = !seen.has(text);
    seen.add(text);
    if (isNew) return [];
    const message = `The ${key} \`${text}\` is already used above.`;
    return [problem("duplicate-name", [...path, index, key], message, "Give each one of its own.")];
  });
}
