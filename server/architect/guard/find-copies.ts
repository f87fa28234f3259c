import { addedLines } from "./added-lines.ts";
import type { ChangedFile, Overreach } from "./overreach.ts";

/** Characters in a row that hardly two texts have in common by chance. */
const RUN = 48;

/**
 * Passages of attachments that a change would publish: what a tenant sends along, its logs above all, is its own, and a
 * repository is everybody's.
 */
export function findCopies(
  files: readonly ChangedFile[],
  said: readonly (readonly [where: string, text: string])[],
  attachments: readonly string[],
): readonly Overreach[] {
  const runs = new Set(attachments.flatMap((text) => [...listRuns(toPlain(text))]));
  if (runs.size === 0) return [];
  const known = files.map(({ before }) => toPlain(before ?? ""));
  const isCopied = (text: string) =>
    listRuns(toPlain(text)).some((run) => runs.has(run) && !known.some((old) => old.includes(run)));
  const everything = [...files, ...said.map(([path, after]) => ({ path, before: undefined, after }))];
  return everything
    .filter(({ before, after }) => isCopied(addedLines(before, after).join("\n")))
    .map(({ path }): Overreach => {
      const sentence = "Copy from the attachments.";
      const words = [
        ["copy", "publish"],
        ["attachment", "attachments", "attached"],
      ];
      return {
        rule: "copy",
        path,
        message: `\`${path}\` would publish text of an attachment word by word.`,
        ask: { sentence, words },
      };
    });
}

function toPlain(text: string): string {
  return text.replace(/\s+/g, " ");
}

function* listRuns(text: string): Generator<string> {
  for (let at = 0; at + RUN <= text.length; at++) yield text.slice(at, at + RUN);
}
