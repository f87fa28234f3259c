import { CairnError } from "../../errors.ts";
import { adjust } from "../adjust.ts";
import type { TunePlan } from "../planners/plan.ts";
import { toPrincipal } from "../to-principal.ts";
import type { ArchitectContext } from "./context.ts";
import { type Run, toRejected, type Transition } from "./run.ts";
import type { WorkBook } from "./work-book.ts";

/** Carries out a plan that changes internal state alone, which ends the run. */
export async function tune(
  context: ArchitectContext,
  { record, book, version }: Run,
  { adjustments }: TunePlan,
): Promise<Transition> {
  const { audit } = context;
  const { id, tenant, actor, dry_run: dryRun } = record;
  const toEnd = (notes: string): Transition => ({ record, next: { step: "end", answer: { result: "tuned", notes } } });
  let said: readonly string[];
  try {
    const principal = toPrincipal(context, version, record);
    said = await adjust({ id, version, principal, adjustments, dryRun }, context);
  } catch (error) {
    if (!(error instanceof CairnError) || !error.row.exposed || error.name === "UNAVAILABLE") throw error;
    audit.denied(error, { tenant, actor });
    const accepted = "Nothing was changed; say what should be active instead.";
    return toRejected(record, { reason: error.message, accepted });
  }
  await keepNothing(book, said);
  if (dryRun) return toEnd(`Dry run: nothing was changed. ${said.join(" ")}`);
  const details = { run: book.runId, said: [...said] };
  await audit.changed({ change: "feedback.tuned", tenant, actor, target: id, details });
  return toEnd(`${said.join(" ")} Nothing was committed; \`undo ${id}\` takes it back.`);
}

/** Keeps the evidence of a run that changes no file. */
async function keepNothing(book: WorkBook, said: readonly string[]): Promise<void> {
  const summary = said.join(" ");
  const reports = [
    { name: "plan.json", status: "planned", more: { objective: summary, files: [], instructions: "Changes no file." } },
    { name: "patch_apply_report.json", status: "nothing", more: { files: [] } },
    { name: "executor_report.json", status: "completed", more: { summary, files: [] } },
    { name: "verifier_report.json", status: "passed", more: { checks: [] } },
  ];
  await book.keep({ reports });
  await book.judge([], "low");
}
