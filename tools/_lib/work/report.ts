import type { StepInput } from "./step-input.ts";

interface More {
  /** Start of the work on it, in milliseconds since 1970. */
  readonly began?: number;
  readonly metrics?: Readonly<Record<string, number>>;
  readonly warnings?: readonly string[];
  readonly errors?: readonly string[];
}

/** Creates the members that all reports have in common. */
export function createReport(of: StepInput, at: number, status: string, more: More = {}) {
  const { began, metrics = {}, warnings = [], errors = [] } = more;
  const created_at = toTime(at);
  const timestamps =
    began === undefined ? { created_at } : { created_at, started_at: toTime(began), ended_at: created_at };
  return { schema_version: 1, task_id: of.task_id, run_id: of.run_id, timestamps, status, metrics, warnings, errors };
}

function toTime(at: number): string {
  return new Date(at).toISOString();
}
