import type { RiskLevel, Workflow } from "../../versions/workflow.ts";
import { matchesPath } from "../../versions/matches-path.ts";
import { isObject } from "../../json/is-object.ts";
import { findHeldRun, note, saveRun, type WorkDesk } from "./desk.ts";
import { putArtifact, readReport } from "./evidence.ts";
import { changeRun, type Run } from "./run.ts";
import { WORK_SCHEMA_VERSION } from "./task.ts";
import { toTime } from "../../text/to-time.ts";
import { findWorkflow } from "./workflows.ts";

export interface GateCheck {
  readonly name: string;
  readonly passed: boolean;
  readonly message?: string;
}

export interface GateReport {
  readonly status: "passed" | "blocked" | "failed";
  readonly risk_level: RiskLevel;
  readonly checks: readonly GateCheck[];
  readonly files: readonly string[];
}

const LEVELS: readonly RiskLevel[] = ["low", "medium", "high"];

/** Path of a task's spec in its workspace. */
export function specPath(taskId: string): string {
  return `docs/specs/${taskId}_SPEC.md`;
}

/** Checks that a run may change the file: the plan names it, or it is the task's spec. */
export function isPlanned(taskId: string, planned: readonly string[], path: string): boolean {
  return path === specPath(taskId) || planned.includes(path);
}

/** The riskiest of the files; the first rule with a matching path says how risky a file is. */
export function toRiskLevel({ risk }: Pick<Workflow, "risk">, files: readonly string[]): RiskLevel {
  const levels = files.map(
    (file) => risk.find(({ paths }) => paths.some((glob) => matchesPath(glob, file)))?.level ?? "low",
  );
  return LEVELS[Math.max(0, ...levels.map((level) => LEVELS.indexOf(level)))] ?? "low";
}

function riskier(one: RiskLevel, other: RiskLevel): RiskLevel {
  return LEVELS.indexOf(one) > LEVELS.indexOf(other) ? one : other;
}

/**
 * Judges a run before its end: every changed file traces to its plan and spec, its reports agree, and a person approved
 * what is too risky otherwise. The report is the run's evidence, which only the service writes. `least` is the lowest
 * risk of the change, in any files; `wrong` says what its evidence has wrong about the change.
 */
export async function judgeRun(
  desk: WorkDesk,
  runId: string,
  changed: readonly string[],
  { least = "low", wrong = [] }: { readonly least?: RiskLevel; readonly wrong?: readonly string[] } = {},
): Promise<GateReport> {
  const { tenant, record: run } = await findHeldRun(desk, runId);
  const workflow = findWorkflow(desk.version, run.workflow);
  const statusOf = async (name: string) => (await readReport(desk, tenant, run, name))?.["status"];
  const plan = await readReport(desk, tenant, run, "plan.json");
  const planned = Array.isArray(plan?.["files"]) ? (plan["files"] as readonly string[]) : [];
  const strays = changed.filter((file) => !isPlanned(run.task_id, planned, file));
  const spec = specPath(run.task_id);
  const hasSpec = changed.length === 0 || changed.includes(spec);
  const level = riskier(
    least,
    toRiskLevel(
      workflow,
      changed.filter((file) => file !== spec),
    ),
  );
  const checks: GateCheck[] = [
    toCheck("plan", plan !== undefined, "There is no `plan.json`."),
    toCheck("spec", hasSpec, `There is no \`${spec}\`.`),
    toCheck("traceability", strays.length === 0, `The plan does not name ${strays.map(quote).join(", ")}.`),
  ];
  if (wrong.length > 0) checks.push(toCheck("evidence", false, wrong.join(" ")));
  for (const [name, good] of REPORTS) {
    const status = await statusOf(name);
    const told = status === undefined ? `There is no \`${name}\`.` : `\`${name}\` says \`${String(status)}\`.`;
    checks.push(toCheck(name, typeof status === "string" && good.includes(status), told));
  }
  const isSound = checks.every(({ passed }) => passed);
  const untried = await findUntried(desk, tenant, run);
  const doubts = Array.isArray(plan?.["doubts"]) ? (plan["doubts"] as readonly string[]) : [];
  const needsApproval = workflow.approvals.includes(level) || untried.length > 0 || doubts.length > 0;
  const isApproved = !needsApproval || (await statusOf("approval.json")) === "approved";
  if (needsApproval)
    checks.push(toCheck("approval", isApproved, `A change of ${level} risk needs somebody's approval.`));
  if (untried.length > 0) checks.push(toCheck("tried", isApproved, untried.join(" ")));
  if (doubts.length > 0) checks.push(toCheck("doubts", isApproved, doubts.join(" ")));
  const report: GateReport = {
    status: !isSound ? "failed" : isApproved ? "passed" : "blocked",
    risk_level: level,
    checks,
    files: changed,
  };
  keep(desk, tenant, run, report);
  return report;
}

/** Statuses that the other reports must have. */
const REPORTS: readonly (readonly [string, readonly string[]])[] = [
  ["executor_report.json", ["completed", "success"]],
  ["patch_apply_report.json", ["applied", "nothing"]],
  ["verifier_report.json", ["passed"]],
];

/**
 * Finds what the change declares and its verification did not try, as sentences. Nobody saw that it holds, so somebody has to
 * approve it, unless a policy takes it as it is: a change could otherwise pass because what would stop it cannot be had.
 */
async function findUntried(desk: WorkDesk, tenant: string, run: Run): Promise<readonly string[]> {
  if (desk.version.policies.some(({ allowsSkippedChecks }) => allowsSkippedChecks === true)) return [];
  const metrics = (await readReport(desk, tenant, run, "verifier_report.json"))?.["metrics"];
  if (!isObject(metrics)) return [];
  return DECLARED.flatMap(([name, what]) => {
    const count = Number(metrics[name] ?? 0);
    return count > 0 ? [`The verification did not try ${count} ${what}.`] : [];
  });
}

/** Metrics of a verification about what the repository declares. */
const DECLARED = [
  ["tests_not_run", "of the declared checks"],
  ["examples_not_run", "of the examples that the change may break"],
] as const;

function keep(desk: WorkDesk, tenant: string, run: Run, report: GateReport): void {
  const errors = report.checks.flatMap(({ passed, message }) => (passed || message === undefined ? [] : [message]));
  const document = {
    schema_version: WORK_SCHEMA_VERSION,
    task_id: run.task_id,
    run_id: run.run_id,
    timestamps: { created_at: toTime(desk.now) },
    metrics: { files: report.files.length },
    warnings: [],
    errors,
    ...report,
  };
  const kept = putArtifact(desk, tenant, run, "gate_report.json", JSON.stringify(document));
  saveRun(desk, tenant, changeRun(kept, desk.now, { risk_level: report.risk_level }));
  note(desk, tenant, run, "gate.judged", { status: report.status, risk_level: report.risk_level });
}

function toCheck(name: string, passed: boolean, otherwise: string): GateCheck {
  return passed ? { name, passed } : { name, passed, message: otherwise };
}

function quote(text: string): string {
  return `\`${text}\``;
}
