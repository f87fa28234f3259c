/** What happened to a worker, for whoever wants to log it. */
export interface WorkerEvent {
  readonly kind:
    | "claimed"
    | "progress"
    | "completed"
    | "failed"
    | "blocked"
    | "released"
    /** Somebody else may have the task by now, or will: how it came out could not be told. */
    | "lost"
    /** There was nothing to do. */
    | "idle"
    /** Something did not get through, and is tried again. */
    | "trouble";
  readonly task_id?: string;
  readonly run_id?: string;
  readonly message: string;
}
