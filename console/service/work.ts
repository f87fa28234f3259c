import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Approvals, Run, Task } from "./answers.ts";
import { ask } from "./request.ts";
import { callTool } from "./tools.ts";

export type TaskStatus = Task["status"];

/** A task as `task_status` answers, with its latest run. */
export interface TaskDetail extends Pick<
  Task,
  | "task_id"
  | "title"
  | "objective"
  | "status"
  | "priority"
  | "workflow"
  | "attempts"
  | "result_summary"
  | "needs_worker"
  | "question"
  | "answers"
> {
  readonly run: Run | null;
}

interface TaskPage {
  readonly tasks: readonly Task[];
  readonly next: string | null;
}

/** A run for a reviewer, as `run_report` answers. */
export interface RunReport {
  readonly run_id: string;
  readonly task_id: string;
  readonly workflow: string;
  readonly asked: { readonly title: string; readonly objective: string; readonly by: string; readonly at: string };
  readonly planned: {
    readonly files: readonly string[];
    readonly steps: readonly string[];
    readonly impact: readonly string[];
  } | null;
  readonly changed: { readonly files: readonly string[]; readonly added: number; readonly removed: number } | null;
  readonly tried: {
    readonly attempt: number;
    readonly worker_id: string;
    readonly version: string;
    readonly commit: string;
    readonly steps: readonly { readonly name: string; readonly status: string; readonly message: string | null }[];
    readonly checks: readonly {
      readonly by: string;
      readonly name: string;
      readonly passed: boolean;
      readonly message?: string;
    }[];
  };
  readonly decided: {
    readonly risk_level: string | null;
    readonly approval: {
      readonly decision: string;
      readonly by: string;
      readonly reason: string;
      readonly at: string;
    } | null;
  };
  /** The way of the change to the repository; absent in older versions. */
  readonly landing?: NonNullable<Run["proposal"]> | null;
  readonly outcome: { readonly status: string; readonly summary: string | null; readonly ended_at: string | null };
  readonly evidence: readonly { readonly name: string; readonly bytes: number }[];
}

/** A line of a run's journal. */
export interface RunEvent {
  readonly seq: number;
  readonly kind: string;
  readonly at: string;
  readonly actor: string;
  readonly error?: string;
  readonly details: Readonly<Record<string, unknown>>;
}

interface RunEvents {
  readonly status: string;
  readonly events: readonly RunEvent[];
  readonly next: number;
}

/**
 * Milliseconds between two looks at what others may have changed; each is a call that the log keeps. A reader who leaves the page
 * does not end it, for then the log would say CANCELLED.
 */
const LOOK = 10_000;
/** Milliseconds that the service holds a request for events that are not there yet; below what proxies cut off. */
const WAIT = 20_000;
const TASKS = 50;

/** Tasks of the reader's tenant, newest first, page after page. */
export function taskList(version: string, status: TaskStatus | undefined) {
  return infiniteQueryOptions({
    queryKey: ["tasks", version, status],
    queryFn: ({ pageParam }) => {
      const filter = { ...(status === undefined ? {} : { status }), ...(pageParam === "" ? {} : { after: pageParam }) };
      return callTool<TaskPage>(version, "task_list", { ...filter, limit: TASKS });
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    refetchInterval: LOOK,
  });
}

export function taskDetail(version: string, task: string) {
  return queryOptions({
    queryKey: ["task", version, task],
    queryFn: () => callTool<TaskDetail>(version, "task_status", { task_id: task }),
    refetchInterval: LOOK,
  });
}

/** Answers the question of a task with the letter of a reading or in words; it is then planned again. */
export function answerTask(version: string, task: string, answer: string): Promise<unknown> {
  return callTool(version, "task_answer", { task_id: task, answer });
}

export function runReport(version: string, run: string) {
  return queryOptions({
    queryKey: ["run", version, run],
    queryFn: () => callTool<RunReport>(version, "run_report", { run_id: run }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && data.outcome.ended_at !== null ? false : LOOK),
  });
}

/** A piece of evidence as it was written. Rejects where there is none. */
export function evidence(version: string, task: string, run: string, name: string) {
  return queryOptions({
    queryKey: ["evidence", version, run, name],
    queryFn: async () => {
      const input = { task_id: task, run_id: run, artifact_name: name };
      const { raw, error } = await callTool<{ readonly raw?: string; readonly error?: string }>(
        version,
        "artifact_read",
        input,
      );
      if (raw === undefined) throw new Error(error);
      return raw;
    },
  });
}

/** Events of a run from a line on; the service answers when there are some, or after a while without. */
export function loadEvents(version: string, run: string, from: number, signal: AbortSignal): Promise<RunEvents> {
  return callTool<RunEvents>(version, "run_events", { run_id: run, from, wait: from === 0 ? 0 : WAIT }, { signal });
}

/** Runs and calls that wait for a person, and the tool that takes decisions. */
export function approvals(version: string) {
  return queryOptions({
    queryKey: ["approvals", version],
    queryFn: ({ signal }) => ask<Approvals>(`/agent/${encodeURIComponent(version)}/api/approvals`, { signal }),
    refetchInterval: LOOK,
  });
}

export interface Decision {
  /** The tool that takes decisions. */
  readonly decider: string;
  readonly task: string;
  readonly run: string;
  readonly approver: string;
  readonly reason: string;
  readonly decision: "approved" | "rejected";
}

export function decide(version: string, { decider, task, run, ...decision }: Decision): Promise<unknown> {
  return callTool(version, decider, { task_id: task, run_id: run, ...decision });
}
