import { CairnError } from "../../errors.ts";
import { loadPackages } from "../../imports/packages/packages-lock.ts";
import { suggest } from "../../text/suggest.ts";
import type { LockedPackage, PackagesContent } from "../../versions/manifests/kinds/read-packages.ts";
import type { CliContext } from "../command.ts";

/** Finds locked packages by their names or those of their files; all where none is named. @throws BAD_REQUEST for one that is not there */
export async function chooseLocked(
  { folder }: CliContext,
  names: readonly string[],
): Promise<{ readonly lock: PackagesContent; readonly chosen: readonly (readonly [stem: string, LockedPackage])[] }> {
  const lock = await loadPackages(folder);
  if (lock === undefined)
    throw new CairnError("BAD_REQUEST", "There are no packages here; `cairn deps add` brings one.");
  const all = Object.entries(lock.packages);
  if (names.length === 0) return { lock, chosen: all };
  const chosen = names.map((name) => {
    const found = all.find(([stem, { import: specifier }]) => name === stem || name === specifier);
    if (found !== undefined) return found;
    const known = all.flatMap(([stem, { import: specifier }]) => [stem, specifier]);
    const meant = suggest(name, known);
    const hint =
      meant === undefined ? `There are ${all.map(([stem]) => stem).join(", ")}.` : `Did you mean \`${meant}\`?`;
    throw new CairnError("BAD_REQUEST", `There is no package \`${name}\` in \`tools/_deps\`. ${hint}`);
  });
  return { lock, chosen };
}
