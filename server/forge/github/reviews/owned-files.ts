import type { BranchRules } from "../rules/branch-rules.ts";
import type { Context, Place, Pull } from "../context.ts";
import { findOwners } from "./code-owners.ts";
import { type FoundOwners, loadCodeOwners } from "./load-code-owners.ts";
import { neutralise } from "../neutralise.ts";
import { quote } from "../../../capabilities/workspace/check-path.ts";

/** The files that a change touches, by who has to approve them. */
export interface OwnedFiles {
  /** The file that says who owns what; absent: the base has none that GitHub reads. */
  readonly source?: string;
  readonly owned: readonly { readonly owners: readonly string[]; readonly paths: readonly string[] }[];
  readonly unowned: readonly string[];
}

/** A long change has its description to itself. */
const MAX_PATHS = 10;
const MAX_GROUPS = 20;

/** Loads who owns files on a base, where one of its rules wants their approval; else `undefined`. */
export async function loadOwnedFiles(
  place: Place,
  base: string,
  { codeOwners }: BranchRules,
  loadPaths: () => Iterable<string> | Promise<Iterable<string>>,
): Promise<OwnedFiles | undefined> {
  if (!codeOwners) return undefined;
  return sortByOwners(await loadCodeOwners(place, base), await loadPaths());
}

/** Loads the paths that a pull request changes; of a renamed file both. */
export async function loadChangedPaths({ api, owner, repo }: Context, { number }: Pull): Promise<readonly string[]> {
  const query = { owner, repo, pull_number: number, per_page: 100 };
  const files = await api.read(`read the files of pull request ${number}`, async () => ({
    data: await api.octokit.paginate(api.octokit.rest.pulls.listFiles, query),
  }));
  return files.flatMap(({ filename, previous_filename: previous }) => [filename, ...(previous ? [previous] : [])]);
}

/** Sorts files by their owners. */
function sortByOwners(found: FoundOwners | undefined, paths: Iterable<string>): OwnedFiles {
  const groups = new Map<string, { readonly owners: readonly string[]; readonly paths: string[] }>();
  const unowned: string[] = [];
  for (const path of new Set(paths)) {
    const owners = found === undefined ? [] : findOwners(found.codeOwners, path);
    const key = owners.join(" ");
    if (owners.length === 0) unowned.push(path);
    else if (groups.get(key)?.paths.push(path) === undefined) groups.set(key, { owners, paths: [path] });
  }
  return { ...(found && { source: found.path }), owned: [...groups.values()], unowned };
}

/** The rules as they hold for a change of these files: where nobody owns any, no owner has to approve. */
export function applyOwners(rules: BranchRules, owned: OwnedFiles | undefined): BranchRules {
  return { ...rules, codeOwners: rules.codeOwners && owned !== undefined && owned.owned.length > 0 };
}

/** Says on a pull request who has to approve which files, as Markdown. */
export function toOwnersNote({ source, owned, unowned }: OwnedFiles, base: string): string {
  if (source === undefined) {
    return `A rule of \`${base}\` wants the approval of those who own the code, but \`${base}\` has no \`CODEOWNERS\` that GitHub reads: nobody owns what this changes.`;
  }
  const lines = owned
    .slice(0, MAX_GROUPS)
    .map(({ owners, paths }) => `- ${owners.map(nameOwner).join(" or ")}: ${listPaths(paths)}`);
  const more = owned.length - lines.length;
  if (more > 0) lines.push(`- and the owners of other files, in ${more} more groups`);
  const parts = [
    ...(lines.length === 0 ? [] : [`By \`${source}\`, these have to approve:\n\n${lines.join("\n")}`]),
    ...(unowned.length === 0 ? [] : [`By \`${source}\`, nobody owns ${listPaths(unowned)}.`]),
  ];
  return neutralise(parts.join("\n\n"));
}

/** Names an owner of code, as part of a sentence. */
export function nameOwner(owner: string): string {
  return owner.includes("/") ? `the team \`${owner}\`` : `\`${owner}\``;
}

function listPaths(paths: readonly string[]): string {
  const named = paths.slice(0, MAX_PATHS).map(quote);
  return named.join(", ") + (paths.length > MAX_PATHS ? ` and ${paths.length - MAX_PATHS} more` : "");
}
