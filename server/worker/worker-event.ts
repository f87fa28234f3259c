/** Event of a worker, for logs. */
export interface WorkerEvent {
  readonly kind:
    | "claimed"
    | "progress"
    | "completed"
    | "failed"
    | "blocked"
    | "released"
    /** Lost to another worker, now or soon: its outcome could not be reported. */
    | "lost"
    /** Without a task to do. */
    | "idle"
    /** Something did not get through, and is tried again. */
    | "trouble";
  readonly task_id?: string;
  readonly run_id?: string;
  readonly message: string;
}
