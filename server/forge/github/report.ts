import { CairnError } from "../../errors.ts";
import { checkCheckName, checkOid } from "../check-names.ts";
import type { CheckResult } from "../forge.ts";
import type { Context } from "./context.ts";
import { shorten } from "./neutralise.ts";

/** GitHub's own limits, in characters. */
const MAX_DESCRIPTION = 140;
const MAX_SUMMARY = 60_000;

/** Reports a check. A repeated report changes nothing, because what is there is looked at first. */
export async function report(context: Context, head: string, check: string, result: CheckResult): Promise<void> {
  checkOid(head);
  checkCheckName(check);
  const { api, owner, repo } = context;
  const query = { owner, repo, commit_sha: head };
  const commit = await api.find(`read the commit \`${head}\``, () => api.octokit.rest.git.getCommit(query));
  if (commit === undefined)
    throw new CairnError("NOT_FOUND", `GitHub has no commit \`${head}\` to report \`${check}\` for.`);
  await (context.reportsAs === "check-run" ? reportRun : reportStatus)(context, head, check, result);
}

async function reportRun(
  { api, owner, repo }: Context,
  head: string,
  name: string,
  result: CheckResult,
): Promise<void> {
  const { checks } = api.octokit.rest;
  const query = { owner, repo, ref: head, check_name: name, filter: "latest", per_page: 100 } as const;
  const { check_runs: found } = await api.read(`look for the check \`${name}\``, () => checks.listForRef(query));
  const [known] = found.toSorted((a, b) => b.id - a.id);
  const said = toRun(name, result);
  const summary = result.status === "completed" ? said.output?.summary : null;
  const isSaid = known?.status === said.status && (known.conclusion ?? undefined) === said.conclusion;
  if (isSaid && (result.status !== "completed" || known.output.summary === summary)) return;
  const what = `report the check \`${name}\``;
  if (known !== undefined && known.status !== "completed") {
    await api.write(what, () => checks.update({ owner, repo, check_run_id: known.id, ...said }));
    return;
  }
  // Twice would be two runs.
  await api.write(what, () => checks.create({ owner, repo, head_sha: head, ...said }), { once: true });
}

async function reportStatus(
  { api, owner, repo }: Context,
  head: string,
  context: string,
  result: CheckResult,
): Promise<void> {
  const { repos } = api.octokit.rest;
  const query = { owner, repo, ref: head, per_page: 100 };
  const { statuses } = await api.read(`look for the status \`${context}\``, () => repos.getCombinedStatusForRef(query));
  const state = result.status === "in_progress" ? "pending" : result.conclusion === "failure" ? "failure" : "success";
  const description = shorten(result.status === "completed" ? result.summary : "", MAX_DESCRIPTION);
  const known = statuses.find((status) => status.context === context);
  if (known?.state === state && (known.description ?? "") === description) return;
  await api.write(
    `report the status \`${context}\``,
    () => repos.createCommitStatus({ owner, repo, sha: head, state, context, description }),
    { once: true },
  );
}

function toRun(name: string, result: CheckResult) {
  if (result.status === "in_progress") return { name, status: result.status } as const;
  const output = { title: name, summary: shorten(result.summary, MAX_SUMMARY) };
  return { name, status: result.status, conclusion: result.conclusion, output } as const;
}
