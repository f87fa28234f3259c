import type { ChangedFile, Overreach } from "./overreach.ts";

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
  said: readonly (readonly [where: string, text: string])[],
  known: ReadonlySet<string>,
): readonly Overreach[] {
  const everything = [...files, ...said.map(([path, after]) => ({ path, before: undefined, after }))];
  return everything.flatMap(({ path, before, after }) => {
    const old = listHosts(before ?? "");
    return [...listHosts(after ?? "")]
      .filter((host) => host !== "" && !old.has(host) && !known.has(host))
      .map((host): Overreach => {
        const ask = { sentence: `Link to \`${host}\`.`, words: [["link", "links"], [host]] };
        return { rule: "link", path, message: `\`${path}\` would link to \`${host}\`.`, ask };
      });
  });
}
