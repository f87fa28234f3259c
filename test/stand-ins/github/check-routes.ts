import { latestChecks, latestStatuses } from "./mergeability.ts";
import { presentCheckRun, presentStatus } from "./present.ts";
import { type Actor, notFound, optionalText, refuse, type Routes, text } from "./reply.ts";
import type { CheckRun, State, Status } from "./state.ts";

const REPOSITORY = "/repos/{owner}/{repo}";
const STATES = ["error", "failure", "pending", "success"] as const;

/** Check runs, which only an app may report, and the older statuses, which anyone may who can push. */
export function checkRoutes(state: State): Routes {
  const { git, github } = state;
  const resolve = async (ref: string) => {
    const oid = (await git.find(`${ref}^{commit}`)) ?? (await git.find(`refs/heads/${ref}^{commit}`));
    if (oid === undefined) throw refuse(422, `No commit found for SHA: ${ref}`);
    return oid;
  };

  return {
    [`POST ${REPOSITORY}/check-runs`]: async ({ body, actor }) => {
      needApp(actor);
      const check: CheckRun = {
        id: state.nextId(),
        name: text(body, "name"),
        head: await resolve(text(body, "head_sha")),
        status: "queued",
        output: { title: "", summary: "" },
        startedAt: "2026-01-01T00:00:00Z",
      };
      change(check, body);
      state.checks.push(check);
      emit(state, check, "created", actor);
      return { status: 201, body: presentCheckRun(state, check) };
    },
    [`PATCH ${REPOSITORY}/check-runs/{check_run_id}`]: ({ param, body, actor }) => {
      needApp(actor);
      const check = state.checks.find(({ id }) => String(id) === param("check_run_id"));
      if (check === undefined) throw notFound();
      change(check, body);
      emit(state, check, check.status === "completed" ? "completed" : "rerequested", actor);
      return { status: 200, body: presentCheckRun(state, check) };
    },
    [`GET ${REPOSITORY}/commits/{ref}/check-runs`]: async ({ param, query }) => {
      const head = await resolve(param("ref"));
      const checks =
        query.get("filter") === "all" ? state.checks.filter((c) => c.head === head) : latestChecks(state, head);
      const items = checks
        .filter(({ name }) => !query.has("check_name") || name === query.get("check_name"))
        .filter(() => !query.has("app_id") || query.get("app_id") === String(state.app.id))
        .map((check) => presentCheckRun(state, check));
      return { status: 200, items, wrap: (page) => ({ total_count: items.length, check_runs: page }) };
    },
    [`GET ${REPOSITORY}/commits/{ref}/check-suites`]: async ({ param }) => {
      const head = await resolve(param("ref"));
      const items = latestChecks(state, head).length === 0 ? [] : [presentSuite(state, head)];
      return { status: 200, items, wrap: (page) => ({ total_count: items.length, check_suites: page }) };
    },
    [`POST ${REPOSITORY}/statuses/{sha}`]: async ({ param, body, actor }) => {
      const wanted = STATES.find((one) => one === body["state"]);
      if (wanted === undefined)
        throw refuse(422, "Validation Failed", [{ resource: "Status", field: "state", code: "invalid" }]);
      const description = optionalText(body, "description") ?? "";
      if (description.length > 140)
        throw refuse(422, "Validation Failed", [{ resource: "Status", field: "description" }]);
      const url = optionalText(body, "target_url");
      const status: Status = {
        id: state.nextId(),
        head: await resolve(param("sha")),
        context: optionalText(body, "context") ?? "default",
        state: wanted,
        description,
        ...(url !== undefined && { url }),
      };
      state.statuses.push(status);
      state.emit("status", { sha: status.head, state: status.state, context: status.context }, actor);
      return { status: 201, body: presentStatus(state, status, "status") };
    },
    [`GET ${REPOSITORY}/commits/{ref}/status`]: async ({ param }) => {
      const sha = await resolve(param("ref"));
      const latest = latestStatuses(state, sha);
      const states = latest.map((status) => status.state);
      const worst = states.find((one) => one === "failure" || one === "error");
      const total =
        worst !== undefined ? "failure" : states.length === 0 || states.includes("pending") ? "pending" : "success";
      return {
        status: 200,
        items: latest.map((status) => presentStatus(state, status, "simple-commit-status")),
        wrap: (statuses) =>
          github.shape("combined-commit-status", { sha, state: total, statuses, total_count: latest.length }),
      };
    },
  };
}

function needApp(actor: Actor): void {
  if (actor.kind !== "installation") throw refuse(403, "You must authenticate via a GitHub App.");
}

function change(check: CheckRun, body: Readonly<Record<string, unknown>>): void {
  const conclusion = optionalText(body, "conclusion");
  if (conclusion !== undefined) check.conclusion = conclusion;
  const status = conclusion === undefined ? body["status"] : "completed";
  if (status === "queued" || status === "in_progress" || status === "completed") check.status = status;
  if (check.status === "completed" && check.conclusion === undefined)
    throw refuse(422, "Invalid request.\n\nNo conclusion.");
  const output = body["output"];
  if (typeof output === "object" && output !== null) check.output = { ...check.output, ...output };
}

function presentSuite(state: State, head: string): Readonly<Record<string, unknown>> {
  const checks = latestChecks(state, head);
  const isDone = checks.every(({ status }) => status === "completed");
  const isGood = checks.every(({ conclusion }) => ["success", "neutral", "skipped"].includes(conclusion ?? ""));
  return state.github.shape("check-suite", {
    head_sha: head,
    status: isDone ? "completed" : "in_progress",
    conclusion: isDone ? (isGood ? "success" : "failure") : null,
    latest_check_runs_count: checks.length,
  });
}

function emit(state: State, check: CheckRun, action: string, actor: Actor): void {
  state.emit("check_run", { action, check_run: presentCheckRun(state, check) }, actor);
  const suite = presentSuite(state, check.head);
  if (suite["status"] === "completed") state.emit("check_suite", { action: "completed", check_suite: suite }, actor);
}
