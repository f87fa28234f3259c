/** What a step of a workflow is given. */
export interface StepInput {
  readonly task_id: string;
  readonly run_id: string;
}
