import type { Change } from "../forge.ts";
import { CairnError } from "../../errors.ts";
import type { ForgeTime } from "../forge-time.ts";
import type { GitHubApi, Written } from "./github-api.ts";
import type { LocalCopy } from "./local-copy.ts";
import type { MergeMethod } from "./config.ts";

/** The state that the parts of the forge share. */
export interface Context {
  readonly api: GitHubApi;
  readonly owner: string;
  readonly repo: string;
  readonly copy: LocalCopy;
  readonly time: ForgeTime;
  /** Only an app has checks of its own. */
  readonly reportsAs: "check-run" | "status";
  /** How changes get onto the base. */
  readonly mergeMethod: MergeMethod;
  readonly autoMerge: boolean;
  /** Logins, and teams as `organisation/team`, who are asked where rules want a review. */
  readonly reviewers: readonly string[];
}

/** The repository, asked through GitHub's interface alone. */
export type Place = Pick<Context, "api" | "owner" | "repo">;

export type Pull = Awaited<ReturnType<GitHubApi["octokit"]["rest"]["pulls"]["get"]>>["data"];

export async function loadPull(context: Context, change: Change): Promise<Pull> {
  const { api, owner, repo } = context;
  const number = change.number ?? (await findPullNumber(context, change.branch));
  if (number === undefined) throw new CairnError("NOT_FOUND", `There is no change \`${change.key}\` on GitHub.`);
  const what = `read pull request ${number}`;
  return api.read(what, () => api.octokit.rest.pulls.get({ owner, repo, pull_number: number }));
}

/** Says whether a pull request is open, anybody's. */
export async function isOpen({ api, owner, repo }: Context, number: number): Promise<boolean> {
  const what = `read pull request ${number}`;
  const pull = await api.find(what, () => api.octokit.rest.pulls.get({ owner, repo, pull_number: number }));
  return pull?.state === "open";
}

/** The pull request of a branch of ours: an open one, or else the last. */
export async function findPullNumber({ api, owner, repo }: Context, branch: string): Promise<number | undefined> {
  const query = { owner, repo, head: `${owner}:${branch}`, state: "all", per_page: 100 } as const;
  const pulls = await api.read(`find the pull request of \`${branch}\``, () => api.octokit.rest.pulls.list(query));
  const ours = pulls.filter(({ head }) => head.ref === branch).toSorted((a, b) => b.number - a.number);
  return (ours.find(({ state }) => state === "open") ?? ours[0])?.number;
}

/** How many commits `to` lacks of `from`; `undefined` when one of the two is not there. */
export async function findLacking(
  { api, owner, repo }: Context,
  from: string,
  to: string,
): Promise<number | undefined> {
  const query = { owner, repo, basehead: `${from}...${to}`, per_page: 1 };
  const found = await api.find(`compare \`${from}\` with \`${to}\``, () =>
    api.octokit.rest.repos.compareCommitsWithBasehead(query),
  );
  return found?.behind_by;
}

/** Takes the result of a write that expects no refusal. */
export function accepted<Data>(written: Written<Data>): Data {
  if (written.ok) return written.data;
  throw new CairnError("UPSTREAM_ERROR", `GitHub refused a write: ${written.words}`);
}
