import { type FilePatch, readPatch } from "./patch/read-patch.ts";
import { CairnError } from "../../errors.ts";
import type { RunningCall } from "../../kernel/call.ts";
import { askProposal } from "../tuner/actions/propose.ts";
import { findChosen, toAsked } from "../work/task.ts";
import { findTask, type Owned, type WorkDesk } from "../work/desk.ts";
import { readArtifact, readReport } from "../work/evidence.ts";
import { judgeRun } from "../work/gate.ts";
import type { Run } from "../work/run.ts";
import { PATCH } from "../work/workflows.ts";
import { namePaths } from "./planned-files.ts";
import { prepare, runArguments } from "./prepare.ts";
import type { RunWorkspace } from "./nodes/run-workspace.ts";

/** Syscalls that look at the workspace of a run, which stays as it is. */
export const WORKSPACE_CHECKS = {
  "repository.plan": prepare(runArguments("repository.plan"), async ({ desk, run, workspace, call, options }) => {
    if (options.plan === undefined) throw new CairnError("UNAVAILABLE", "Nothing here plans what words ask for.");
    const { record: task } = await findTask(desk, run.record.task_id);
    const { store, ledgers } = options;
    const { version, principal, info, settled, signal } = call;
    const { tenant, actor } = principal;
    const asker = { version, tenant, actor, callId: info.conversationId, now: desk.now, ledgers, settled, store };
    const planned = await options.plan({
      runId: run.record.run_id,
      commit: workspace.base,
      tenant: run.tenant,
      objective: toAsked(task),
      choice: findChosen(task),
      propose: (experiment) => askProposal(asker, experiment),
      signal,
      onStep: toProgress(call),
    });
    const { by, planner, files, why, doubts } = planned;
    return { answer: planned, details: { by, planner, files, why, doubts } };
  }),
  "repository.validate": prepare(runArguments("repository.validate"), async ({ workspace }) => {
    const problems = await workspace.validate();
    return { answer: { problems }, details: { problems: problems.length } };
  }),
  "repository.verify": prepare(runArguments("repository.verify"), async ({ desk, workspace, call }) => {
    const { signal } = call;
    const verification = await workspace.verify({ tenant: desk.tenant, signal, onCheck: toProgress(call) });
    const checks = Object.fromEntries(verification.checks.map(({ name, status }) => [name, status]));
    return { answer: verification, details: { status: verification.status, checks } };
  }),
  "run.judge": prepare(runArguments("run.judge"), async ({ desk, run, workspace }, { runId }) => {
    const { files, unfit } = await workspace.git.status();
    const changed = [...files, ...unfit].map(({ path }) => path).toSorted();
    const wrong = await findWrongEvidence(desk, run, workspace, changed);
    const report = await judgeRun(desk, runId, changed, { wrong });
    return { answer: report, details: { status: report.status, risk_level: report.risk_level } };
  }),
};

/** Finds what a worker's evidence says of the change that is not so, as sentences. */
async function findWrongEvidence(
  desk: WorkDesk,
  { tenant, record: run }: Owned<Run>,
  { git }: RunWorkspace,
  changed: readonly string[],
): Promise<readonly string[]> {
  const patch = await readArtifact(desk, tenant, run, PATCH);
  const { diff, truncated } = await git.diff();
  const differing = patch === undefined || truncated ? [] : findDifferences(patch, diff);
  const { files } = (await readReport(desk, tenant, run, "executor_report.json")) ?? {};
  const unchanged = Array.isArray(files) ? files.map(String).filter((path) => !changed.includes(path)) : [];
  return [
    ...(differing.length === 0 ? [] : [`\`${PATCH}\` is not the change of the workspace, in ${namePaths(differing)}.`]),
    ...(unchanged.length === 0
      ? []
      : [`\`executor_report.json\` names ${namePaths(unchanged)}, which did not change.`]),
  ];
}

/** Reports each message to the caller as one step more. */
function toProgress({ onProgress }: RunningCall): (message: string) => void {
  let progress = 0;
  return (message) => onProgress?.({ progress: ++progress, message });
}

/** Name of a patch as a whole, where it cannot be read file by file. */
const ALL = "all of it";

/**
 * Finds the files in which a patch does something else than another one. How many lines stand around a change, and in which order
 * files come, makes no difference. A change that is no text is compared byte by byte.
 */
function findDifferences(patch: string, actual: string): readonly string[] {
  if (patch === actual || (patch.trim() === "" && actual.trim() === "")) return [];
  const [one, other] = [patch, actual].map(readFiles);
  if (one === undefined || other === undefined) return [ALL];
  return [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path)).toSorted();
}

/** Describes for each file how a patch changes it, as text to compare; undefined for a patch that cannot be read. */
function readFiles(text: string): ReadonlyMap<string, string> | undefined {
  if (text.trim() === "") return new Map();
  try {
    return new Map(readPatch(text).map((file) => [file.path, toText(file)]));
  } catch (error) {
    if (error instanceof CairnError) return undefined;
    throw error;
  }
}

function toText({ change, from, hunks }: FilePatch): string {
  const lines = hunks.flatMap((hunk) => hunk.lines.filter((line) => /^[+-]/.test(line)));
  return JSON.stringify([change, change === "renamed" ? from : "", lines]);
}
