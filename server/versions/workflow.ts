/** Workflow of tasks of the `work` service, as a manifest declares it, with every default filled in. */
export interface Workflow {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** True if its runs may change files of their workspace. */
  readonly writes: boolean;
  /** True if tasks that name no workflow have this one; one of a version at most. */
  readonly isDefault: boolean;
  /** Number of tries of a task before it fails. */
  readonly maxAttempts: number;
  /** Seconds that a worker has a task without a heartbeat. */
  readonly leaseSeconds: number;
  /** Artifacts without which a run cannot be completed. */
  readonly requires: readonly string[];
  /** In their order; none: a worker does all of it by itself. */
  readonly steps: readonly WorkflowStep[];
  /** The first rule with a path that matches a changed file says how risky it is, none: low; the riskiest file decides. */
  readonly risk: readonly RiskRule[];
  /** Levels of risk at which somebody has to approve a run. */
  readonly approvals: readonly RiskLevel[];
  /** The manifest, for diagnostics. */
  readonly file: string;
}

export interface WorkflowStep {
  readonly name: string;
  /** Full name of a tool of the version, which is given `task_id` and `run_id`. */
  readonly tool: string;
  /** Artifacts that nobody but this step's tool may write. */
  readonly produces: readonly string[];
}

interface RiskRule {
  /** Globs, as `matchesPath` reads them. */
  readonly paths: readonly string[];
  readonly level: RiskLevel;
}

export type RiskLevel = "low" | "medium" | "high";
