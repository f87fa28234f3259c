import type { Json } from "../../store/store.ts";
import { createRecordReader } from "../../json/stored.ts";
import type { PlanQuestion } from "../knowledge/api.ts";
import type { TaskAnswer } from "./api.ts";
import { toTime } from "../../text/to-time.ts";

export const WORK_SCHEMA_VERSION = 1;

export type TaskStatus = "pending" | "running" | "blocked" | "completed" | "rejected" | "cancelled" | "dead";

/** In the order in which they are served. */
export const PRIORITIES = ["critical", "high", "medium", "low"] as const;

export type Priority = (typeof PRIORITIES)[number];

export interface Timestamps {
  /** RFC 3339, in UTC, as are the others. */
  readonly created_at: string;
  readonly updated_at: string;
  readonly ended_at: string | null;
}

/** Stored task. Its members have the names that tools show, so that a record needs no translation. */
export interface Task {
  readonly schema_version: typeof WORK_SCHEMA_VERSION;
  readonly task_id: string;
  readonly title: string;
  readonly objective: string;
  readonly status: TaskStatus;
  readonly priority: Priority;
  readonly timestamps: Timestamps;
  readonly workspace_path: string | null;
  readonly workflow: string;
  readonly version: string;
  readonly commit: string;
  readonly created_by: string;
  readonly requires: readonly string[];
  /** Reasons why the service cannot do its steps: it is for workers that do tasks themselves. Absent: for all workers. */
  readonly needs_worker?: string;
  /** Question about the objective, which its requester can answer while it waits. */
  readonly question?: PlanQuestion;
  /** Answers so far, which belong to the objective. */
  readonly answers?: readonly TaskAnswer[];
  readonly attempts: number;
  readonly max_attempts: number;
  readonly run_id: string | null;
  readonly result_summary: string | null;
}

/** Joins the objective with what was answered about it in words: all that the requester has said. */
export function toAsked({ objective, answers = [] }: Pick<Task, "objective" | "answers">): string {
  return [objective, ...answers.flatMap(({ text, reading }) => (reading === undefined ? [text] : []))].join("\n\n");
}

/** Finds the title of the reading that the requester has chosen last; undefined where the words since then count. */
export function findChosen({ answers = [] }: Pick<Task, "answers">): string | undefined {
  return answers.at(-1)?.reading;
}

/** Tells whether a task waits for its creator's answer to what the planners ask. */
export function isAsking({ status, question }: Pick<Task, "status" | "question">): boolean {
  return status === "pending" && question !== undefined;
}

export const readTask = createRecordReader<Task>("task");

const ENDED: ReadonlySet<TaskStatus> = new Set(["completed", "rejected", "cancelled", "dead"]);

export function isEnded({ status }: Task): boolean {
  return ENDED.has(status);
}

/** The task as it is from `at` on. */
export function changeTask(task: Task, at: number, change: Partial<Omit<Task, "timestamps">>): Task {
  const changed = { ...task, ...change };
  return { ...changed, timestamps: toTimestamps(task.timestamps, at, isEnded(changed)) };
}

export function toTimestamps({ created_at }: Pick<Timestamps, "created_at">, at: number, ended: boolean): Timestamps {
  const updated_at = toTime(at);
  return { created_at, updated_at, ended_at: ended ? updated_at : null };
}

export function toRecord(record: object): Json {
  return record as Json;
}
