import { ARTIFACT_BYTES } from "../work/evidence.ts";
import type { WorkBook } from "./work-book.ts";
import type { Candidate } from "./work-out.ts";

const MESSAGE_LENGTH = 20_000;

/** Writes what was planned, done and found into the run, whose gate goes by it. */
export async function keepEvidence(book: WorkBook, candidate: Candidate): Promise<void> {
  const { plan, files, diff, verification, semver, impact } = candidate;
  const paths = [...files.keys()].toSorted();
  await book.report("plan.json", "planned", {
    objective: `${plan.title}\n${plan.changes.join("\n")}`,
    files: paths,
    instructions: "Change these files as the plan says, and raise the versions that the change needs.",
    impact: [impact],
  });
  await book.step("plan", "completed", `Planned: ${plan.title}`);
  await book.report("patch_apply_report.json", "applied", {
    files: paths.map((path) => ({ path, status: "applied" })),
  });
  await book.report("executor_report.json", "completed", { summary: `Made ${semver}.`, files: paths });
  await book.step("execute", "completed", `Changed ${paths.length} files.`);
  if (Buffer.byteLength(diff) <= ARTIFACT_BYTES) await book.write("patch.diff", diff);
  await book.report("verifier_report.json", verification.status, {
    checks: verification.checks.map(({ name, status, message }) => ({
      name,
      passed: status !== "failed",
      message: `${status}: ${message}`.slice(0, MESSAGE_LENGTH).toWellFormed(),
    })),
    metrics: Object.fromEntries(verification.checks.map(({ name, durationMs }) => [`${name}_ms`, durationMs])),
  });
  await book.step("verify", "completed", `${verification.status}; it needs ${verification.required}.`);
}
