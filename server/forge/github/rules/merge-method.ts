import type { BranchRules } from "./branch-rules.ts";
import type { MergeMethod } from "../config.ts";
import type { Place } from "../context.ts";

/** The methods that a repository's settings switch on; a setting that GitHub does not show counts as on. */
export type MergeSettings = Readonly<Record<MergeMethod, boolean>>;

export async function loadMergeSettings({ api, owner, repo }: Place): Promise<MergeSettings> {
  const found = await api.read(`read the settings of \`${owner}/${repo}\``, () =>
    api.octokit.rest.repos.get({ owner, repo }),
  );
  return { squash: found.allow_squash_merge !== false, merge: found.allow_merge_commit !== false };
}

/** Chooses the wanted method, or else the other where only that is allowed; `undefined` where neither is. */
export function chooseMethod(
  wanted: MergeMethod,
  settings: MergeSettings,
  { linear, methods }: Pick<BranchRules, "linear" | "methods">,
): MergeMethod | undefined {
  const isAllowed = (method: MergeMethod) =>
    settings[method] && methods?.includes(method) !== false && !(linear && method === "merge");
  return [wanted, "squash" as const, "merge" as const].find(isAllowed);
}

/** Explains why nothing can merge, and which settings would let it. */
export function explainNoMethod(
  branch: string,
  settings: MergeSettings,
  { linear, methods }: Pick<BranchRules, "linear" | "methods">,
): string {
  const off = (["squash", "merge"] as const).filter((method) => !settings[method]);
  const reasons = [
    ...(off.length === 0 ? [] : [`the repository's settings switch off ${off.join(" and ")}`]),
    ...(methods === undefined ? [] : [`rules of \`${branch}\` allow ${methods.join(" and ") || "no method"} alone`]),
    ...(linear ? [`\`${branch}\` takes no merge commits`] : []),
  ];
  return `Cairn merges by squash or with a merge commit, and neither is possible: ${reasons.join("; ")}. Allow squash merges.`;
}
