import { MASK, type Redactor } from "../../log/redact.ts";
import { addedLines } from "./added-lines.ts";
import type { ChangedFile, Overreach } from "./overreach.ts";

/** Title and changes of a plan, each by what messages call it. */
type Said = readonly (readonly [where: string, text: string])[];

/** Of addresses with a scheme, and of those that take it from the page they stand on. */
const LINK =
  /(?:\b[a-z][a-z0-9+.-]{1,20}:|(?<=[("'\s=]|^))\/\/(?:[^\s/@"'<>()]{1,200}@)?([a-z0-9.-]+|\[[0-9a-f:.]+\])/gi;

/** Hosts that the text has links to. */
export function listHosts(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(LINK)].map(([, host = ""]) => host.toLowerCase().replace(/\.+$/, "")));
}

/** Links to hosts that are not `known`: whoever follows or shows one tells its host what the link says. */
export function findNewLinks(
  files: readonly ChangedFile[],
  said: Said,
  known: ReadonlySet<string>,
): readonly Overreach[] {
  return listTexts(files, said).flatMap(({ path, before, after }) => {
    const old = listHosts(before ?? "");
    return [...listHosts(after ?? "")]
      .filter((host) => host !== "" && !old.has(host) && !known.has(host))
      .map((host): Overreach => {
        const ask = { sentence: `Link to \`${host}\`.`, words: [["link", "links"], [host]] };
        return { rule: "link", path, message: `\`${path}\` would link to \`${host}\`.`, ask };
      });
  });
}

const ENCODED = /[A-Za-z0-9+/_-]{16,}={0,2}/g;

/**
 * Text that looks like a credential, as it is or in base64, where there was none; and the mask that stands in place of
 * credentials in what planners see, which would overwrite them.
 */
export function findNewSecrets(files: readonly ChangedFile[], said: Said, redactor: Redactor): readonly Overreach[] {
  const isSecret = (text: string) => redactor.text(text) !== text;
  const holds = (text: string) =>
    isSecret(text) || text.includes(MASK) || (text.match(ENCODED) ?? []).some((word) => isSecret(decode(word)));
  return listTexts(files, said).flatMap(({ path, before, after }): readonly Overreach[] => {
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

/** Characters in a row that hardly two texts have in common by chance. */
const RUN = 48;

/**
 * Passages of attachments that a change would publish: what a tenant sends along, its logs above all, is its own, and a
 * repository is everybody's.
 */
export function findCopies(
  files: readonly ChangedFile[],
  said: Said,
  attachments: readonly string[],
): readonly Overreach[] {
  const runs = new Set(attachments.flatMap((text) => [...listRuns(toPlain(text))]));
  if (runs.size === 0) return [];
  const known = files.map(({ before }) => toPlain(before ?? ""));
  const isCopied = (text: string) =>
    listRuns(toPlain(text)).some((run) => runs.has(run) && !known.some((old) => old.includes(run)));
  return listTexts(files, said)
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

/** Lists everything that a change makes public: its files, and what it says of them. */
function listTexts(files: readonly ChangedFile[], said: Said): readonly ChangedFile[] {
  return [...files, ...said.map(([path, after]) => ({ path, before: undefined, after }))];
}
