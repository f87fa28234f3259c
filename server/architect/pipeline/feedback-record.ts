import type { ErrorBody } from "../../errors.ts";
import type { Change } from "../../forge/forge.ts";
import type { ImportName } from "../../imports/drift/drift.ts";
import { feedbackKey, openFeedbackKey } from "../../store/keys.ts";
import { renewalPlanKey } from "../../store/renewal-keys.ts";
import type { Json } from "../../store/store.ts";
import { createRecordReader } from "../../json/stored.ts";
import { defined } from "../../json/defined.ts";
import type { ProposalRecord } from "../../capabilities/work/api.ts";
import type { RecordDesk, WorkDesk } from "../../capabilities/work/desk.ts";
import { followProposal, type Settled } from "../../capabilities/work/proposals/follow-proposal.ts";
import type { Planner } from "../planners/planner.ts";

/** Stages of feedback; `approval` waits for a person, `checks` for the forge. */
export const STAGES = ["received", "approval", "proposing", "checks", "landed", "ended"] as const;

export type Stage = (typeof STAGES)[number];

/**
 * Record of one piece of feedback: its message, its sender and its progress, with all that is needed to continue after a
 * crash.
 */
export interface FeedbackRecord {
  readonly schema_version: 1;
  /** Also the id of its task. */
  readonly id: string;
  readonly tenant: string;
  readonly actor: string;
  readonly capabilities: readonly string[];
  /** The sender's roles then. */
  readonly roles: readonly string[];
  /** Servers that the credentials it came with are good for. */
  readonly servers: readonly string[];
  /** The version that it is about. */
  readonly version: string;
  readonly commit: string;
  /** Scope of its task and its run in the store. */
  readonly scope: string;
  readonly message: string;
  readonly attachments: readonly string[];
  readonly dry_run: boolean;
  /** Set where it came to an address that moves: it is then about what its branch has, too. */
  readonly moving?: boolean;
  /** Set where the sender agrees to be named on the forge. */
  readonly credit?: boolean;
  /** Readings offered to the sender where the message may mean several things. */
  readonly offered?: readonly Offer[];
  /** The sender's answer to what earlier feedback was offered; `message` is what was sent then. */
  readonly choice?: Offer & { readonly of: string };
  /** Set where the service itself asks for it: an import is to be renewed, and the plan for that was handed in with it. */
  readonly renewal?: Renewal;
  /** Set where the change was made by a run of the `work` server, which hands its patch in with it. */
  readonly work?: HandedWork;
  /** RFC 3339. */
  readonly created_at: string;
  readonly run_id: string | null;
  readonly stage: Stage;
  readonly planner: Planner["name"] | null;
  /** Number of times it was proposed and withdrawn because its base had moved. */
  readonly attempt: number;
  readonly proposal: Proposed | null;
  readonly outcome: Outcome | null;
}

/** Import whose source has changed. */
export interface Renewal extends ImportName {
  /** Place that the source was asked at, without credentials. */
  readonly from: string;
  /** SHA-256 of what the source has of the import. */
  readonly fingerprint: string;
}

/** A run that a worker has done, with a patch for the repository. */
export interface HandedWork {
  readonly task_id: string;
  readonly run_id: string;
  /** Whose credentials the worker has, with the roles that they had then. */
  readonly worker: { readonly tenant: string; readonly actor: string; readonly roles: readonly string[] };
  /** Set where what it was refused for may be mended by another attempt. */
  readonly is_mendable?: true;
}

/** One thing that a message may mean. */
export interface Offer {
  readonly id: "a" | "b" | "c";
  /** The changes that it would make, in sentences. */
  readonly title: string;
}

/** A change on its way to its base. What it is called and made from is decided before the forge hears of it. */
export interface Proposed {
  /** Names the change on the forge; of a second attempt another. */
  readonly key: string;
  /** Time in RFC 3339. */
  readonly at: string;
  readonly base: string;
  /** The commit of the base that it was made from. */
  readonly from: string;
  readonly semver: string;
  /** True if the change is a new version: labels and pages change without one. */
  readonly isRelease: boolean;
  /** The id of the event in the audit log that says that it was proposed. */
  readonly audit: string;
  readonly change: Change | null;
  /** The commit that was verified, and may land. */
  readonly head: string | null;
  /** Set before it is taken back. */
  readonly ending: Ending | null;
  /** Commit of the base that has it; null where none has. */
  readonly landed: string | null;
  /** Other feedback whose changes are part of the same commit; absent: none. */
  readonly together?: readonly string[];
  /** SHA-256 of its files, by which its first commit is known after a crash; absent in older records. */
  readonly files?: string;
}

export interface Ending {
  /** True if another attempt is made from the base as it is then. */
  readonly again: boolean;
  readonly reason: string;
  /** Set where another change may pass what this one did not. */
  readonly isMendable?: true;
}

export type Outcome =
  | { readonly kind: "answer"; readonly answer: ArchitectAnswer }
  /** Planning failed; another attempt may succeed. */
  | { readonly kind: "error"; readonly error: ErrorBody };

/** As spec/1 has the body of the response. */
export interface ArchitectAnswer {
  readonly result: "committed" | "tuned" | "rejected";
  readonly new_version?: string;
  readonly commit_hash?: string;
  readonly notes: string;
}

export const readFeedbackRecord = createRecordReader<FeedbackRecord>("feedback-record");

/** Characters of the reason that a run keeps. */
const REASON_LENGTH = 9_000;
/** States of the change of a run, by the stage of its feedback. */
const STATES = {
  received: "verifying",
  approval: "approval",
  proposing: "proposing",
  checks: "checks",
  landed: "landed",
  ended: "refused",
} as const satisfies Readonly<Record<Stage, ProposalRecord["state"]>>;

/** Members of a record while nothing has come of it. */
const FRESH = {
  schema_version: 1,
  run_id: null,
  stage: "received",
  planner: null,
  attempt: 0,
  proposal: null,
  outcome: null,
} as const satisfies Partial<FeedbackRecord>;

/** Stages a new piece of feedback, which is open until it has an outcome. */
export function openFeedback(desk: WorkDesk, about: Omit<FeedbackRecord, keyof typeof FRESH>): FeedbackRecord {
  const record: FeedbackRecord = { ...about, ...FRESH };
  desk.set(feedbackKey(record.tenant, record.id), record as unknown as Json);
  desk.set(openFeedbackKey(record.id), record.tenant);
  return record;
}

/** Stages a record as it stands, and in the run that it has come from, if there is one, where its change stands. */
export async function saveFeedback(desk: RecordDesk, record: FeedbackRecord): Promise<void> {
  desk.set(feedbackKey(record.tenant, record.id), record as unknown as Json);
  if (record.work !== undefined) await followProposal(desk, record.work.run_id, toProposal(record), toSettled(record));
  if (record.outcome === null) return;
  desk.delete(openFeedbackKey(record.id));
  if (record.renewal !== undefined) desk.delete(renewalPlanKey(record.tenant, record.id));
}

function toProposal({ id, run_id, stage, proposal, outcome }: FeedbackRecord): Omit<ProposalRecord, "since"> {
  const { base, change, semver, isRelease, landed } = proposal ?? {};
  const hasLanded = outcome?.kind === "answer" && outcome.answer.result !== "rejected";
  return {
    // Labels and pages change without a version.
    state: outcome === null ? STATES[stage] : !hasLanded ? "refused" : isRelease === true ? "live" : "landed",
    feedback: id,
    run_id,
    ...defined({
      base,
      branch: change?.branch,
      url: change?.url,
      version: isRelease === true ? semver : undefined,
      commit: landed ?? undefined,
      reason: outcome === null || hasLanded ? undefined : toReason(outcome),
    }),
  };
}

function toSettled({ outcome, work }: FeedbackRecord): Settled | undefined {
  if (outcome === null) return undefined;
  const hasLanded = outcome.kind === "answer" && outcome.answer.result !== "rejected";
  // What failed for reasons of the service's own may go better another time.
  return { summary: toReason(outcome), hasLanded, isMendable: outcome.kind === "error" || work?.is_mendable === true };
}

function toReason(outcome: Outcome): string {
  const reason = outcome.kind === "answer" ? outcome.answer.notes : outcome.error.message;
  return reason.slice(0, REASON_LENGTH).toWellFormed();
}
