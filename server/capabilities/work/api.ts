import type { PlanQuestion } from "../knowledge/api.ts";

/** Types of `ctx.work`, and of what handlers do in the workspace of a run. Records have the names that tools show. */

export interface Work {
  /** Tasks of the tenant. */
  readonly tasks: {
    /** Creates a task, which waits for a worker. Needs `work.write`. */
    create(request: TaskRequest): Promise<TaskRecord>;
    /** Reads a task with its latest run. Needs `work.read`. */
    get(taskId: string): Promise<{ readonly task: TaskRecord; readonly run: RunRecord | null }>;
    /** Lists tasks, newest first; `next` is the `after` of the following page. Needs `work.read`. */
    list(filter?: {
      readonly status?: TaskRecord["status"];
      readonly after?: string;
      readonly limit?: number;
    }): Promise<{ readonly tasks: readonly TaskRecord[]; readonly next: string | null }>;
    /** Answers the question of its caller's own task, with the letter of a reading or in words; it is then planned again. Needs `work.write`. */
    answer(taskId: string, answer: string): Promise<TaskRecord>;
    /** Ends a task for good, with the reason. Needs `work.write`. */
    cancel(taskId: string, reason: string): Promise<TaskRecord>;
  };
  /** Leases of workers on runs. Needs `work.execute`. */
  readonly leases: {
    /** The next task for a worker, with the run that has begun; null when there is none. */
    claim(request: {
      readonly workerId: string;
      readonly capabilities?: readonly string[];
      readonly workflows?: readonly string[];
      /** Only tasks whose steps the service can do. */
      readonly withSteps?: boolean;
      readonly taskId?: string;
      /** Seconds from each heartbeat on, 5 to 3600; absent: as the workflow says. */
      readonly leaseSeconds?: number;
    }): Promise<{ readonly task: TaskRecord; readonly run: RunRecord } | null>;
    /** Extends the lease of a worker on its run. */
    renew(runId: string, workerId: string): Promise<RunRecord>;
    /** Gives a run up, so that its task can be claimed again. */
    release(runId: string, workerId: string, reason: string): Promise<TaskRecord>;
  };
  /** Attempts at tasks. */
  readonly runs: {
    /** Reads a run. Needs `work.read`. */
    get(runId: string): Promise<RunRecord>;
    /** Ends a run and lets go of its lease. Needs `work.execute`. */
    complete(completion: {
      readonly taskId: string;
      readonly runId: string;
      readonly status: "completed" | "failed";
      readonly summary: string;
      readonly workerId: string;
    }): Promise<{ readonly task: TaskRecord; readonly run: RunRecord }>;
    /** The step to do next, by the tool that does it; null when all are done. Written at once. Needs `work.execute`. */
    beginStep(runId: string): Promise<{
      readonly task_id: string;
      readonly name: string;
      readonly tool: string;
      readonly began_at: number;
    } | null>;
    /** Ends a step that has begun. Written at once, too. Needs `work.execute`. */
    endStep(outcome: {
      readonly runId: string;
      readonly step: string;
      /** `released`: only a worker that does the task itself can do it. The run that comes back is `released`, unless it was such a worker's. */
      readonly status: "completed" | "blocked" | "failed" | "released";
      readonly beganAt: number;
      readonly message?: string;
    }): Promise<RunRecord>;
    /**
     * Hands the change of a run over to the Architect, which brings it to the repository; the run then waits for that. The last
     * step of a workflow, by the tool that the workflow names. Needs `work.propose`.
     */
    propose(runId: string): Promise<{
      /** `by_hand`: nothing takes it there, as the message says; `nothing`: the run has changed nothing. */
      readonly status: "proposed" | "by_hand" | "nothing";
      readonly message: string;
    }>;
    /** Judges what the run has changed, and writes `gate_report.json`. Needs `workspace.write`. */
    judge(runId: string): Promise<GateReport>;
    /** Lists events of a run from sequence number `from` on; waits up to `wait` milliseconds for a new one. Needs `work.read`. */
    events(
      runId: string,
      options?: { readonly from?: number; readonly limit?: number; readonly wait?: number },
    ): Promise<readonly RunEvent[]>;
  };
  /** Files that a run is judged by. */
  readonly evidence: {
    /** Reads a file of a run. Rejects with NOT_FOUND where there is none of this name. Needs `work.read`. */
    read(runId: string, name: string): Promise<{ readonly content: string }>;
    /** Writes a file of a run, which replaces an earlier one of this name. Needs `work.execute`. */
    write(
      runId: string,
      name: string,
      content: string,
    ): Promise<{ readonly run_id: string; readonly name: string; readonly path: string; readonly digest: string }>;
  };
  /** Decisions of people on runs. Needs `work.approve`. */
  readonly approvals: {
    /** Approves or rejects a run, with the approver's reason. */
    write(decision: {
      readonly taskId: string;
      readonly runId: string;
      readonly approver: string;
      readonly reason: string;
      readonly decision: "approved" | "rejected";
    }): Promise<RunRecord>;
  };
  /** Workers that were heard of. Needs `work.read`. */
  readonly workers: {
    /** Lists them with what each can do and when it was last seen. */
    list(): Promise<readonly WorkerRecord[]>;
  };
  /** Records of older schema versions, of the caller's tenant. A check needs `work.read`, an upgrade `migrate`. */
  readonly migrations: {
    /** Counts the records of each schema version. */
    check(): Promise<MigrationReport>;
    /** Rewrites the outdated ones in the present form. */
    apply(): Promise<MigrationReport>;
  };
}

export interface TaskRequest {
  readonly title: string;
  readonly objective: string;
  readonly priority?: TaskRecord["priority"];
  readonly workflow?: string;
  readonly requires?: readonly string[];
}

export interface TaskRecord {
  readonly task_id: string;
  readonly title: string;
  readonly objective: string;
  readonly status: "pending" | "running" | "blocked" | "completed" | "rejected" | "cancelled" | "dead";
  readonly priority: "critical" | "high" | "medium" | "low";
  readonly workflow: string;
  readonly commit: string;
  readonly version: string;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly run_id: string | null;
  readonly result_summary: string | null;
  readonly created_by: string;
  /** Reasons why the service cannot do its steps, in sentences; absent: it can, or has not tried. */
  readonly needs_worker?: string;
  /** Question about the objective that its requester can answer; absent: there is none. */
  readonly question?: PlanQuestion;
  /** Answers to such questions, the oldest first: they belong to the objective. */
  readonly answers?: readonly TaskAnswer[];
  readonly timestamps: RecordTimes;
}

export interface TaskAnswer {
  readonly text: string;
  /** Title of the chosen reading. */
  readonly reading?: string;
  readonly answered_at: string;
}

/** RFC 3339, in UTC. */
export interface RecordTimes {
  readonly created_at: string;
  readonly updated_at: string;
  readonly ended_at: string | null;
}

export interface RunRecord {
  readonly run_id: string;
  readonly task_id: string;
  readonly workflow: string;
  readonly status: string;
  readonly risk_level: "low" | "medium" | "high" | null;
  readonly run_path: string;
  readonly version: string;
  readonly commit: string;
  readonly worker_id: string;
  readonly fence: number;
  readonly attempt: number;
  readonly lease: { readonly seconds: number; readonly expires_at: string };
  readonly steps: readonly { readonly name: string; readonly status: string; readonly message?: string }[];
  readonly artifacts: Readonly<
    Record<string, { readonly digest: string; readonly bytes: number; readonly written_at: string }>
  >;
  readonly result_summary: string | null;
  /** Doubts about it when it began, such as an approval that nobody could give. */
  readonly warnings?: readonly string[];
  readonly timestamps: RecordTimes;
  /** Absent: the run was not handed over. */
  readonly proposal?: ProposalRecord;
}

/** The change of a run on its way to the repository. */
export interface ProposalRecord {
  /** `by_hand`: nothing takes it there, and the reason says why. `approval` waits for a person, `checks` for the forge; `landed` without a new version is the end. */
  readonly state: "by_hand" | "verifying" | "approval" | "proposing" | "checks" | "landed" | "live" | "refused";
  /** Time at which it came to stand there, RFC 3339 in UTC. */
  readonly since: string;
  /** The task of the Architect that it goes on as, and its run; null where there is none. */
  readonly feedback: string | null;
  readonly run_id: string | null;
  /** The branch that it lands on, and its own on the forge. */
  readonly base?: string;
  readonly branch?: string;
  readonly url?: string;
  /** The version that it makes; absent where no number changes. */
  readonly version?: string;
  /** The commit that has landed. */
  readonly commit?: string;
  /** Reason why it is refused, or left to people. */
  readonly reason?: string;
}

export interface RunEvent {
  readonly seq: number;
  readonly hash: string;
  readonly event: {
    readonly kind: string;
    readonly at: string;
    readonly task_id: string;
    readonly run_id: string;
    readonly actor: string;
    readonly error?: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

export interface GateReport {
  readonly status: "passed" | "blocked" | "failed";
  readonly risk_level: "low" | "medium" | "high";
  readonly checks: readonly { readonly name: string; readonly passed: boolean; readonly message?: string }[];
  readonly files: readonly string[];
}

export interface WorkerRecord {
  readonly worker_id: string;
  readonly actor: string;
  readonly capabilities: readonly string[];
  /** The workflows whose tasks it asked for; absent: all. */
  readonly workflows?: readonly string[];
  /** True where it asked only for tasks whose workflow has steps, which the service does. */
  readonly with_steps?: boolean;
  readonly seen_at: string;
}

export interface MigrationReport {
  readonly schema_version: number;
  readonly records: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly outdated: number;
  readonly problems: readonly string[];
}
