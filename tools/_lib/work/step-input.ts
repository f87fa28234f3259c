/** Input of a step of a workflow. */
export interface StepInput {
  readonly task_id: string;
  readonly run_id: string;
}
