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
  const named = strays
    .slice(0, 5)
    .map((path) => `\`${path.slice(0, 200)}\``)
    .join(", ");
  throw new CairnError("FORBIDDEN", `The plan of run \`${run.run_id}\` does not name ${named}.`);
}

/** Checks that commands of a run may write: its workflow writes, and it has a plan. */
export async function mayWrite(desk: WorkDesk, owned: Owned<Run>): Promise<boolean> {
  return findWorkflow(desk.version, owned.record.workflow).writes && (await findPlan(desk, owned)) !== undefined;
}

function findPlan(desk: WorkDesk, { tenant, record }: Owned<Run>): ReturnType<typeof readReport> {
  return readReport(desk, tenant, record, "plan.json");
}
