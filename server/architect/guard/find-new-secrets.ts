import { MASK, type Redactor } from "../../log/redact.ts";
import { addedLines } from "./added-lines.ts";
import type { ChangedFile, Overreach } from "./overreach.ts";

const ENCODED = /[A-Za-z0-9+/_-]{16,}={0,2}/g;

/**
 * Text that looks like a credential, as it is or in base64, where there was none; and the mask that stands in place of
 * credentials in what planners see, which would overwrite them.
 */
export function findNewSecrets(
  files: readonly ChangedFile[],
  said: readonly (readonly [where: string, text: string])[],
  redactor: Redactor,
): readonly Overreach[] {
  const isSecret = (text: string) => redactor.text(text) !== text;
  const holds = (text: string) =>
    isSecret(text) || text.includes(MASK) || (text.match(ENCODED) ?? []).some((word) => isSecret(decode(word)));
  const everything = [...files, ...said.map(([path, after]) => ({ path, before: undefined, after }))];
  return everything.flatMap(({ path, before, after }): readonly Overreach[] => {
    const added = addedLines(before, after);
    if (!added.some(holds) && !holds(added.join("\n"))) return [];
    return [
      {
        rule: "secret",
        path,
        message: `\`${path}\` would have something in it that looks like a credential, or stands in place of one.`,
      },
    ];
  });
}

function decode(word: string): string {
  return Buffer.from(word, "base64").toString("latin1");
}
