import type { CheckRun } from "../forge.ts";
import type { Context } from "./context.ts";

export interface Required {
  readonly names: readonly string[];
  /** Apps whose check alone counts, by its name. */
  readonly apps: ReadonlyMap<string, number>;
  /** Says whether GitHub itself refuses what has not all of its base; of older protection only administrators learn it. */
  readonly strict: boolean | "unknown";
}

/** GitHub takes a thousand for one commit. */
const MAX_STATUS_PAGES = 10;

interface Run extends CheckRun {
  readonly app?: number;
  /** The suite of a check of GitHub Actions; absent of all others. */
  readonly suite?: number;
}

/** A failed run of a required check; with a suite, GitHub Actions has run it. */
export type FailedRun = Pick<Run, "name" | "suite">;

const ACTIONS = "github-actions";

/** The latest check runs and statuses of a commit that count: of a check that one app has to report, only that app's. */
export async function loadRuns(context: Context, head: string, { apps }: Required): Promise<readonly CheckRun[]> {
  return (await loadCounting(context, head, apps)).map(({ app: _app, suite: _suite, ...run }) => run);
}

/** Loads the required checks of a commit that have failed. */
export async function loadFailed(
  context: Context,
  head: string,
  { names, apps }: Required,
): Promise<readonly FailedRun[]> {
  const runs = await loadCounting(context, head, apps);
  return runs.filter(({ name, status }) => status === "failure" && names.includes(name));
}

async function loadCounting(context: Context, head: string, apps: Required["apps"]): Promise<readonly Run[]> {
  const runs = [...(await loadCheckRuns(context, head)), ...(await loadStatuses(context, head))];
  return runs.filter(({ name, app }) => !apps.has(name) || apps.get(name) === app);
}

const NOTHING_REQUIRED: Required = { names: [], apps: new Map(), strict: false };

/** The latest check runs and statuses of a commit, whoever has reported them. */
export function loadAllRuns(context: Context, oid: string): Promise<readonly CheckRun[]> {
  return loadRuns(context, oid, NOTHING_REQUIRED);
}

async function loadCheckRuns({ api, owner, repo }: Context, head: string): Promise<readonly Run[]> {
  const query = { owner, repo, ref: head, filter: "latest", per_page: 100 } as const;
  const found = await api.read(`read the checks of \`${head}\``, async () => ({
    data: await api.octokit.paginate(api.octokit.rest.checks.listForRef, query),
  }));
  return found.map(({ name, status, conclusion, html_url: url, completed_at: at, app, check_suite: suite }) => ({
    name,
    status: status === "completed" ? ofConclusion(conclusion) : "pending",
    ...(url !== null && { url }),
    ...(at !== null && { completedAt: at }),
    ...(app !== null && { app: app.id }),
    ...(app?.slug === ACTIONS && suite !== null && { suite: suite.id }),
  }));
}

async function loadStatuses({ api, owner, repo }: Context, head: string): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (let page = 1; page <= MAX_STATUS_PAGES; page++) {
    const query = { owner, repo, ref: head, per_page: 100, page };
    const { statuses } = await api.read(`read the statuses of \`${head}\``, () =>
      api.octokit.rest.repos.getCombinedStatusForRef(query),
    );
    for (const { context, state, target_url: url, updated_at: at } of statuses) {
      const status = state === "success" || state === "pending" ? state : "failure";
      runs.push({
        name: context,
        status,
        ...(url !== null && { url }),
        ...(status !== "pending" && { completedAt: at }),
      });
    }
    if (statuses.length < 100) break;
  }
  return runs;
}

function ofConclusion(conclusion: string | null): CheckRun["status"] {
  return conclusion === "success" || conclusion === "neutral" || conclusion === "skipped" ? conclusion : "failure";
}
