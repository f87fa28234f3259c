import type { RiskLevel } from "../../versions/workflow.ts";
import type { ProposalRecord } from "./api.ts";
import { createRecordReader } from "../../json/stored.ts";
import { type Timestamps, toTimestamps, type WORK_SCHEMA_VERSION } from "./task.ts";

export type RunStatus =
  "running" | "blocked" | "approved" | "completed" | "failed" | "lost" | "released" | "cancelled" | "rejected";

export interface RunStep {
  readonly name: string;
  readonly status: "running" | "completed" | "blocked" | "failed";
  readonly began_at: string;
  readonly ended_at: string | null;
  readonly message?: string;
}

export interface Artifact {
  /** SHA-256 of the content, in hexadecimal. */
  readonly digest: string;
  /** Of UTF-8. */
  readonly bytes: number;
  readonly written_at: string;
}

/** One attempt at a task. */
export interface Run {
  readonly schema_version: typeof WORK_SCHEMA_VERSION;
  readonly run_id: string;
  readonly task_id: string;
  readonly workflow: string;
  readonly status: RunStatus;
  readonly risk_level: RiskLevel | null;
  readonly run_path: string;
  readonly timestamps: Timestamps;
  readonly version: string;
  readonly commit: string;
  readonly worker_id: string;
  /** Whose credentials claimed it. */
  readonly actor: { readonly tenant: string; readonly name: string };
  /** The revision of the queue's entry at the claim: an older one can write nothing. */
  readonly fence: number;
  readonly attempt: number;
  readonly lease: { readonly seconds: number; readonly expires_at: string };
  readonly steps: readonly RunStep[];
  readonly artifacts: Readonly<Record<string, Artifact>>;
  readonly result_summary: string | null;
  /** Doubts about it when it began, as sentences. */
  readonly warnings?: readonly string[];
  /** Its change on the way to the repository; absent: it was not handed over. */
  readonly proposal?: ProposalRecord;
}

export const readRun = createRecordReader<Run>("run");

/** A run that is under way, or may be taken up again. */
const OPEN: ReadonlySet<RunStatus> = new Set(["running", "blocked", "approved"]);

export function isOpen({ status }: Run): boolean {
  return OPEN.has(status);
}

/** The run as it is from `at` on. */
export function changeRun(run: Run, at: number, change: Partial<Omit<Run, "timestamps">>): Run {
  const changed = { ...run, ...change };
  return { ...changed, timestamps: toTimestamps(run.timestamps, at, !isOpen(changed)) };
}
