import type { RunEvent, RunRecord, TaskRecord } from "../capabilities/work/api.ts";

/** Inputs and outputs of the work server's tools, under their names there. */

export interface TaskCreate {
  readonly title: string;
  readonly objective: string;
  readonly priority?: TaskRecord["priority"];
  readonly workflow?: string;
  /** Abilities that a worker needs to get it. */
  readonly requires?: readonly string[];
}

export interface TaskSummary {
  readonly task_id: string;
  readonly title: string;
  readonly objective: string;
  readonly status: TaskRecord["status"];
  readonly priority: string;
  readonly workflow: string;
}

export interface TaskStatus extends TaskSummary {
  readonly attempts: number;
  readonly result_summary: string | null;
  /** Reasons why the service cannot do it. */
  readonly needs_worker?: string;
  /** Question that its creator can answer. */
  readonly question?: TaskRecord["question"];
  /** The latest; null before the first. */
  readonly run: RunRecord | null;
}

export interface TaskList {
  readonly status?: TaskRecord["status"];
  /** `next` of the page before. */
  readonly after?: string;
  readonly limit?: number;
}

export interface TaskPage {
  readonly tasks: readonly TaskRecord[];
  readonly next: string | null;
}

export interface TaskClaim {
  readonly worker_id: string;
  readonly capabilities?: readonly string[];
  /** Only tasks of these. */
  readonly workflows?: readonly string[];
  /** Only tasks whose workflow has steps. */
  readonly with_steps?: boolean;
  /** Only this task. */
  readonly task_id?: string;
  /** Seconds that the lease lasts, from 5 to 3600; as long as the workflow says unless given. */
  readonly duration_sec?: number;
}

export interface ClaimedTask {
  readonly task: TaskRecord;
  readonly task_id: string;
  readonly title: string;
  readonly objective: string;
  readonly workflow: string;
  readonly run_id: string;
  readonly run_path: string;
  readonly status: "claimed";
  /** Grows with each claim of the task. */
  readonly fence: number;
  readonly lease_seconds: number;
  readonly lease_expires_at: string;
  /** Doubts about the run at its beginning. */
  readonly warnings?: readonly string[];
}

export interface HeldRun {
  readonly run_id: string;
  readonly worker_id: string;
}

export interface TaskComplete extends HeldRun {
  readonly task_id: string;
  readonly status: "completed" | "failed";
  readonly result_summary: string;
}

export interface Completed {
  readonly task_id: string;
  readonly run_id: string;
  readonly status: "completed" | "failed";
  readonly result_summary: string;
  readonly lease_released: true;
}

export interface Renewed {
  readonly run_id: string;
  readonly lease_expires_at: string;
  readonly lease_seconds: number;
}

export interface TaskState {
  readonly task_id: string;
  readonly status: TaskRecord["status"];
}

export interface ArtifactRead {
  readonly task_id: string;
  readonly run_id: string;
  readonly artifact_name: string;
}

/** `error` says why there is nothing; otherwise `raw` is the text, and `content` what it says if it is JSON. */
export interface ArtifactContent {
  readonly content?: unknown;
  readonly raw?: string;
  readonly error?: string;
}

export interface ArtifactWrite {
  readonly run_id: string;
  readonly name: string;
  readonly content: string;
}

export interface ArtifactWritten {
  readonly run_id: string;
  readonly artifact_name: string;
  readonly artifact_path: string;
  readonly status: "written";
  readonly digest: string;
}

export interface ApprovalWrite {
  readonly task_id: string;
  readonly run_id: string;
  readonly approver: string;
  readonly reason: string;
  readonly decision?: "approved" | "rejected";
}

export interface Approval {
  readonly task_id: string;
  readonly run_id: string;
  readonly approver: string;
  readonly status: "approved" | "rejected";
}

export interface FolderListing {
  /** Names; those of folders end with `/`. */
  readonly entries: readonly string[];
}

export interface FileRead {
  readonly path: string;
  readonly content: string;
  readonly executable?: boolean;
}

export interface PatchApplied {
  readonly status: "applied" | "rejected";
  /** Outcome of each file. */
  readonly files: readonly object[];
}

export interface Advanced {
  readonly run_id: string;
  /** `step`: there is more to do. `released`: a worker has to do it, and the task was given back for one. */
  readonly state: "step" | "done" | "blocked" | "failed" | "released";
  readonly step?: string;
  readonly message?: string;
}

export interface RunEvents {
  readonly run_id: string;
  /** The first line wanted; 0 is the first of all. */
  readonly from?: number;
  readonly limit?: number;
  /** Milliseconds to wait for something new. */
  readonly wait?: number;
}

/** A run for a reviewer; docs/work.md has its members. */
export interface RunReport {
  readonly run_id: string;
  /** The whole page as text. */
  readonly markdown: string;
  readonly [member: string]: unknown;
}

export type JournalLine = RunEvent["event"] & Pick<RunEvent, "seq" | "hash">;

export interface RunHistory {
  readonly run_id: string;
  readonly status: string;
  readonly events: readonly JournalLine[];
  /** `from` of what follows. */
  readonly next: number;
}
