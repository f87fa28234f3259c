import { CairnError } from "../../errors.ts";
import type { Version } from "../../versions/version.ts";
import type { Workflow } from "../../versions/workflow.ts";

/** Workflow of tasks in a tree that declares none: the worker that claims one does it, and reports. */
const EXTERNAL: Workflow = Object.freeze({
  name: "external",
  description: "A worker does all of it by itself and reports.",
  writes: false,
  isDefault: true,
  maxAttempts: 3,
  leaseSeconds: 300,
  requires: [],
  steps: [],
  risk: [],
  approvals: [],
  file: "",
});

/** The name of the tool that stands for the service itself: no tool of a version can have it. */
const BY_THE_SERVICE = "@cairn";

/** Name of the workflow of tasks that are calls which somebody must approve: no worker gets them, and no tree declares others. */
export const APPROVAL = "@approval";

/** Changes of the repository that are worked out here, from feedback: no worker gets them, and no tree declares others. */
export const ARCHITECT: Workflow = Object.freeze<Workflow>({
  name: "architect",
  title: "From feedback to a version",
  description: "The Architect plans a change from feedback, verifies it, and has it proposed, landed and tagged.",
  writes: true,
  isDefault: false,
  maxAttempts: 1,
  // As long as there is: nobody else may take it up, and after a crash the service goes on with the same run.
  leaseSeconds: 7 * 86_400,
  requires: ["intake.json"],
  steps: ["plan", "execute", "verify", "gate", "propose", "land"].map((name) => ({
    name,
    tool: BY_THE_SERVICE,
    produces: [],
  })),
  risk: [
    { paths: ["manifests/policies/**", ".github/**", ".ci/**"], level: "high" },
    { paths: ["manifests/**", "tools/**", "schemas/**", "versions.yaml"], level: "medium" },
  ],
  approvals: ["high"],
  file: "",
});

/** Evidence that a run which may change files leaves in any case, besides its journal and, if it did, its patch. */
export const BASELINE = [
  "plan.json",
  "executor_report.json",
  "patch_apply_report.json",
  "verifier_report.json",
  "gate_report.json",
] as const;

/** Evidence with what a run has changed, as its verifier saw it. */
export const PATCH = "patch.diff";
/** Evidence that holds the Architect's change waiting for approval, so that no other is proposed afterwards. */
export const CANDIDATE = "candidate.json";

/** The workflow of this name, or what tasks follow that name none. @throws NOT_FOUND naming those that there are. */
export function findWorkflow({ workflows, semver }: Version, name?: string): Workflow {
  if (name === ARCHITECT.name) return ARCHITECT;
  const all = [...workflows.values()];
  const found =
    name === undefined
      ? (all.find(({ isDefault }) => isDefault) ?? EXTERNAL)
      : (workflows.get(name) ?? (name === EXTERNAL.name ? EXTERNAL : undefined));
  if (found !== undefined) return found;
  const names = [...new Set([...workflows.keys(), EXTERNAL.name])].map((one) => `\`${one}\``).join(", ");
  throw new CairnError("NOT_FOUND", `Version ${semver} has no workflow \`${name ?? ""}\`; it has ${names}.`);
}
