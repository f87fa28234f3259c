import { suggest } from "../../../text/suggest.ts";

/** A `{{name}}` that stands for nothing, and what to write instead. */
export interface LostPlaceholder {
  readonly placeholder: string;
  readonly fix: string;
}

/** The placeholders of a text that name none of `names`; `declare` tells how a new name would become one. */
export function findLostPlaceholders(
  text: string,
  names: readonly string[],
  declare: (name: string) => string,
): readonly LostPlaceholder[] {
  return [...text.matchAll(/\{\{([^{}]*)\}\}/g)].flatMap(([placeholder, name = ""]) => {
    if (names.includes(name)) return [];
    const meant = suggest(name.trim(), names);
    const otherwise = /^\w+$/.test(name) ? declare(name) : "Write the name of one.";
    return [{ placeholder, fix: meant ? `Did you mean \`{{${meant}}}\`?` : otherwise }];
  });
}
