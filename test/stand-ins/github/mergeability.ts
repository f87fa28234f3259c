import type { Protection, Pull, RequiredCheck, State } from "./state.ts";
import { rulesOf } from "./state.ts";

export interface Mergeability {
  readonly state: "dirty" | "blocked" | "behind" | "unstable" | "clean";
  /** What a refused merge is told. */
  readonly reason: string;
  readonly base: string;
  readonly head: string;
  /** The tree of the merged result, where there is no conflict. */
  readonly tree?: string;
}

/** Whether a pull request could be merged now: git says whether it conflicts, rules say the rest. */
export async function workOutMergeability(state: State, pull: Pull): Promise<Mergeability> {
  const base = (await state.git.find(`refs/heads/${pull.base}`)) ?? "";
  const head = pull.headOid;
  const merged = await state.git.attempt(["merge-tree", "--write-tree", "--name-only", base, head]);
  if (merged.code !== 0) return { state: "dirty", reason: "Pull Request is not mergeable", base, head };
  const tree = merged.text.split("\n")[0] ?? "";
  const rules = rulesOf(state, pull.base);
  const missing = findMissing(state, head, rules.checks) ?? (await findBroken(state, pull, rules, base));
  if (missing !== undefined) return { state: "blocked", reason: missing, base, head, tree };
  const isBehind = (await state.git.attempt(["merge-base", "--is-ancestor", base, head])).code !== 0;
  if (rules.strict && isBehind) {
    return { state: "behind", reason: "Head branch is out of date. Review and try the merge again.", base, head, tree };
  }
  const isUnstable = latestChecks(state, head).some(({ conclusion }) => !isGood(conclusion));
  return { state: isUnstable ? "unstable" : "clean", reason: "", base, head, tree };
}

/** Says which required check of a commit is not green. */
export function findMissing(state: State, head: string, checks: readonly RequiredCheck[]): string | undefined {
  return checks.map((required) => whyNot(state, head, required)).find((reason) => reason !== undefined);
}

/** Says which rule that is not about checks keeps a pull request from its base. */
async function findBroken(state: State, pull: Pull, rules: Protection, base: string): Promise<string | undefined> {
  const approvals = pull.reviews.filter((review) => review.state === "APPROVED");
  if (approvals.length < rules.reviews) {
    return `At least ${rules.reviews} approving review is required by reviewers with write access.`;
  }
  if (rules.codeOwners === true && pull.ownerApproves !== true) return "Waiting on code owner review from ada.";
  const lacking = (rules.teams ?? []).find(
    ({ team, approvals: count }) => approvals.filter(({ teams = [] }) => teams.includes(team)).length < count,
  );
  if (lacking !== undefined) return `Waiting on ${lacking.approvals} approving reviews of a required team.`;
  if (rules.conversations === true && pull.threads.includes(false)) {
    return "A conversation must be resolved before this pull request can be merged.";
  }
  if (rules.signatures !== true) return undefined;
  const commits = (await state.git.git(["rev-list", `${base}..${pull.headOid}`])).split("\n").filter(Boolean);
  return commits.every((oid) => state.signed.has(oid)) ? undefined : "Commits must have verified signatures.";
}

/** The newest run of each name for a commit. */
export function latestChecks(state: State, head: string): readonly State["checks"][number][] {
  const latest = new Map(state.checks.filter((check) => check.head === head).map((check) => [check.name, check]));
  return [...latest.values()];
}

/** The newest status of each context for a commit. */
export function latestStatuses(state: State, head: string): readonly State["statuses"][number][] {
  const latest = new Map(state.statuses.filter((status) => status.head === head).map((one) => [one.context, one]));
  return [...latest.values()];
}

function whyNot(state: State, head: string, required: RequiredCheck): string | undefined {
  const check =
    required.app === undefined || required.app === state.app.id
      ? latestChecks(state, head).find(({ name }) => name === required.context)
      : undefined;
  const status =
    required.app === undefined ? latestStatuses(state, head).find((s) => s.context === required.context) : undefined;
  const name = `Required status check "${required.context}"`;
  if (check === undefined && status === undefined) return `${name} is expected.`;
  if (check?.status !== undefined && check.status !== "completed") return `${name} is ${check.status}.`;
  if (status?.state === "pending") return `${name} is pending.`;
  const isRed =
    (check !== undefined && !isGood(check.conclusion)) || (status !== undefined && status.state !== "success");
  return isRed ? `${name} is failing.` : undefined;
}

function isGood(conclusion: string | undefined): boolean {
  return ["success", "neutral", "skipped"].includes(conclusion ?? "");
}
