import { CairnError } from "../../errors.ts";
import type { Owned, WorkDesk } from "../work/desk.ts";
import { readReport } from "../work/evidence.ts";
import { isPlanned } from "../work/gate.ts";
import type { Run } from "../work/run.ts";
import { findWorkflow } from "../work/workflows.ts";

/**
 * Refuses a write of files that the plan of a run does not name.
 *
 * @throws CONFLICT before there is a plan; FORBIDDEN where the workflow only reads, and for files that the plan does not name.
 */
export async function assertPlanned(desk: WorkDesk, owned: Owned<Run>, paths: readonly string[]): Promise<void> {
  const { record: run } = owned;
  const plan = await findPlan(desk, owned);
  if (plan === undefined) {
    throw new CairnError(
      "CONFLICT",
      `Run \`${run.run_id}\` has no \`plan.json\`, and nothing is written without a plan.`,
    );
  }
  if (!findWorkflow(desk.version, run.workflow).writes) {
    const message = `Run \`${run.run_id}\` only reads: its workflow \`${run.workflow}\` does not say \`writes: true\`.`;
    throw new CairnError("FORBIDDEN", message);
  }
  const planned = Array.isArray(plan["files"]) ? (plan["files"] as readonly string[]) : [];
  const strays = paths.filter((path) => !isPlanned(run.task_id, planned, path));
  if (strays.length === 0) return;
  throw new CairnError("FORBIDDEN", `The plan of run \`${run.run_id}\` does not name ${namePaths(strays)}.`);
}

/** Names the first few paths, for a sentence. */
export function namePaths(paths: readonly string[]): string {
  return paths
    .slice(0, 5)
    .map((path) => `\`${path.slice(0, 200)}\``)
    .join(", ");
}

/** Refuses a change of files that the gate has let pass: nobody would judge it. @throws CONFLICT */
export async function assertNotPassed(desk: WorkDesk, owned: Owned<Run>): Promise<void> {
  if (!(await hasPassed(desk, owned))) return;
  const message = `The gate of run \`${owned.record.run_id}\` has let its change pass, so the files stay as they are.`;
  throw new CairnError("CONFLICT", message);
}

/** Checks that commands of a run may write: its workflow writes, it has a plan, and its gate has not let the change pass. */
export async function mayWrite(desk: WorkDesk, owned: Owned<Run>): Promise<boolean> {
  if (!findWorkflow(desk.version, owned.record.workflow).writes || (await hasPassed(desk, owned))) return false;
  return (await findPlan(desk, owned)) !== undefined;
}

async function hasPassed(desk: WorkDesk, { tenant, record }: Owned<Run>): Promise<boolean> {
  return (await readReport(desk, tenant, record, "gate_report.json"))?.["status"] === "passed";
}

function findPlan(desk: WorkDesk, { tenant, record }: Owned<Run>): ReturnType<typeof readReport> {
  return readReport(desk, tenant, record, "plan.json");
}
