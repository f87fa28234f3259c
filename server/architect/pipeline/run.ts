import type { ArchitectContext } from "./context.ts";
import { defined } from "../../json/defined.ts";
import { holds, type Principal } from "../../principal.ts";
import type { Version } from "../../versions/version.ts";
import type { Workspace } from "../../capabilities/workspace/workspace.ts";
import type { GateReport } from "../../capabilities/work/gate.ts";
import type { Feedback, ChangePlan, RejectPlan } from "../planners/plan.ts";
import type { WorkedOut } from "./describe-change.ts";
import type { ArchitectAnswer, FeedbackRecord } from "./feedback-record.ts";
import type { FileChanges } from "./merge-files.ts";
import type { Base } from "./repository.ts";
import type { StepDone, WorkBook } from "./work-book.ts";

/** One piece of feedback on its way: the record as it was saved last, and its run. */
export interface Run {
  readonly record: FeedbackRecord;
  readonly book: WorkBook;
  /** The version that the feedback is about. */
  readonly version: Version;
  /** Plans that were made of it in this process because its branch had moved. */
  readonly replans: number;
}

/**
 * A plan to change files, with the commits that it was made from: `from` for all of its files but versions.yaml, which it
 * took from `head`.
 */
export interface PlannedChange {
  readonly plan: ChangePlan;
  readonly from: string;
  readonly head: string;
}

/** A change as files on a base, in a workspace of the run's own. */
export interface Built {
  readonly plan: ChangePlan;
  readonly base: Base;
  /** The version that the base is at. */
  readonly baseVersion: Version;
  /** The number that it comes after: of the base, or of the last release where the base's is not released yet. */
  readonly before: string;
  /** The number that it is to have. */
  readonly semver: string;
  /** Every file that becomes another, with the specs and the versions that are raised. */
  readonly files: FileChanges;
  readonly workspace: Workspace;
}

/** A built change, and how its verification came out. */
export interface Candidate extends Built, WorkedOut {}

/** A candidate that may be proposed. */
export interface Approved {
  readonly candidate: Candidate;
  readonly gate: GateReport;
  /** Further feedback whose changes are part of it. */
  readonly others?: readonly FeedbackRecord[];
  /** Reasons why people land it, and not the service: of a renewal alone. */
  readonly landsByPeople?: readonly string[];
}

/** The step to be done next, with all that it needs beside the run; or how it stops. */
export type Next =
  /** `anew`: its branch has moved, and what was planned does not fit any more. */
  | { readonly step: "receive"; readonly anew?: boolean }
  | { readonly step: "plan"; readonly feedback: Feedback; readonly anew: boolean }
  | { readonly step: "build"; readonly planned: PlannedChange }
  | { readonly step: "verify"; readonly planned: PlannedChange; readonly built: Built }
  | { readonly step: "approve"; readonly candidate: Candidate }
  | { readonly step: "propose"; readonly approved: Approved }
  /** `summary` says how the commit came to be verified that may land. */
  | { readonly step: "land"; readonly summary?: string }
  | { readonly step: "publish" }
  /** Lets go of the run until somebody has approved the change, which the reasons ask for. */
  | { readonly step: "wait"; readonly reasons: readonly string[] }
  /** `isOpen`: the gate of the run has not passed, so that the run cannot complete. */
  | {
      readonly step: "end";
      readonly answer: ArchitectAnswer;
      readonly isOpen?: boolean;
      /** Set where another change may pass what this one did not. */
      readonly isMendable?: true;
      readonly done?: readonly StepDone[];
    };

/** The outcome of a step: the record that the driver is to save, the steps of the run that this ends, and what follows. */
export interface Transition {
  readonly record: FeedbackRecord;
  readonly done?: readonly StepDone[];
  readonly next: Next;
}

/** Ends a run with a refusal, or with the question which of several readings is meant. */
export function toRejected(
  record: FeedbackRecord,
  { reason, accepted, readings = [], isMendable }: Omit<RejectPlan, "kind"> & { readonly isMendable?: true },
): Transition {
  const offered = readings.map(({ id, title }) => ({ id, title }));
  const how =
    offered.length === 0 ? "" : ` To choose, send \`yes ${record.id} ${offered.map(({ id }) => id).join(" | ")}\`.`;
  const notes = `${record.dry_run ? "Dry run: " : ""}${reason} ${accepted}${how}`;
  return {
    record: offered.length === 0 ? record : { ...record, offered },
    next: { step: "end", answer: { result: "rejected", notes }, ...defined({ isMendable }) },
  };
}

/** Names the workspaces of a run: `part` tells them apart, all begin with the name without one. */
export function toWorkspaceName(runId: string, part = ""): string {
  return `${runId}-${part}`;
}

/** On whose behalf feedback is worked on: whoever sent it, with what that held then and holds still. */
export function toPrincipal(
  context: Pick<ArchitectContext, "toPrincipal">,
  version: Version,
  record: FeedbackRecord,
): Principal {
  const { tenant, actor, capabilities } = record;
  const isRevoked = (capability: string) => !holds(context.toPrincipal(version, record), capability);
  return { tenant, actor, capabilities: new Set(capabilities), isRevoked };
}
