import { ARTIFACT_BYTES } from "../work/evidence.ts";
import type { WorkBook } from "./work-book.ts";
import type { Candidate } from "./work-out.ts";

const MESSAGE_LENGTH = 20_000;

/** Writes what was planned, done and found into the run, whose gate goes by it. */
export async function keepEvidence(book: WorkBook, candidate: Candidate): Promise<void> {
  const { plan, files, diff, verification, semver, impact } = candidate;
  const paths = [...files.keys()].toSorted();
  await book.keep({
    reports: [
      {
        name: "plan.json",
        status: "planned",
        more: {
          objective: `${plan.title}\n${plan.changes.join("\n")}`,
          files: paths,
          instructions: "Change these files as the plan says, and raise the versions that the change needs.",
          impact: [impact],
        },
      },
      {
        name: "patch_apply_report.json",
        status: "applied",
        more: { files: paths.map((path) => ({ path, status: "applied" })) },
      },
      { name: "executor_report.json", status: "completed", more: { summary: `Made ${semver}.`, files: paths } },
      {
        name: "verifier_report.json",
        status: verification.status,
        more: {
          checks: verification.checks.map(({ name, status, message }) => ({
            name,
            passed: status !== "failed",
            message: `${status}: ${message}`.slice(0, MESSAGE_LENGTH).toWellFormed(),
          })),
          metrics: Object.fromEntries(verification.checks.map(({ name, durationMs }) => [`${name}_ms`, durationMs])),
        },
      },
    ],
    texts: new Map(Buffer.byteLength(diff) <= ARTIFACT_BYTES ? [["patch.diff", diff]] : []),
    done: [
      { step: "plan", message: `Planned: ${plan.title}` },
      { step: "execute", message: `Changed ${paths.length} files.` },
      { step: "verify", message: `${verification.status}; it needs ${verification.required}.` },
    ],
  });
}
