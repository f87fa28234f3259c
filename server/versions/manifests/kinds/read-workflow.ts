import { findGlobMistake } from "../../matches-path.ts";
import type { Problem } from "../../problem.ts";
import type { Workflow, WorkflowStep } from "../../workflow.ts";
import { deepFreeze } from "../deep-freeze.ts";
import type { Manifest } from "../manifest.ts";
import { checkUnique } from "./check-unique.ts";
import type { FileRead } from "./file-read.ts";

type Named = "name" | "description";

/** A workflow's manifest, as its schema allows it. */
export type WorkflowContent = Pick<Workflow, Named> &
  Partial<Omit<Workflow, Named | "isDefault" | "steps" | "file">> & {
    readonly default?: boolean;
    readonly steps?: readonly (Omit<WorkflowStep, "produces"> & Partial<WorkflowStep>)[];
  };

export interface WorkflowFile {
  readonly workflow: Workflow;
  readonly problem: Manifest<WorkflowContent>["problem"];
}

/** As the descriptions in `schemas/workflow.schema.json` have them. */
const DEFAULTS = { writes: false, maxAttempts: 3, leaseSeconds: 300, requires: [], risk: [], approvals: [] } as const;

export function readWorkflow(stem: string, manifest: Manifest<WorkflowContent>): FileRead<WorkflowFile> {
  const { file, content, problem } = manifest;
  const { default: isDefault = false, steps = [], risk = [], ...rest } = content;
  const workflow: Workflow = deepFreeze({
    ...DEFAULTS,
    ...rest,
    isDefault,
    steps: steps.map((step) => ({ produces: [], ...step })),
    risk,
    file,
  });
  const problems: Problem[] = [];
  if (content.name !== stem) {
    const message = `The workflow \`${content.name}\` is in the file \`${stem}.yaml\`.`;
    problems.push(problem("name-mismatch", ["name"], message, `Write \`name: ${stem}\`, or rename the file.`));
  }
  problems.push(...checkUnique(steps, "name", ["steps"], problem), ...checkOwners(), ...checkGlobs());
  return { value: { workflow, problem }, problems };

  /** Two steps could not both be the only one to write an artifact. */
  function checkOwners(): readonly Problem[] {
    const owners = new Map<string, string>();
    return workflow.steps.flatMap(({ name, produces }, step) =>
      produces.flatMap((artifact, index) => {
        const owner = owners.get(artifact);
        if (owner === undefined) owners.set(artifact, name);
        if (owner === undefined) return [];
        const message = `\`${artifact}\` is already produced by the step \`${owner}\`.`;
        const fix = "Have one step produce it, or give it another name.";
        return [problem("workflow-invalid", ["steps", step, "produces", index], message, fix)];
      }),
    );
  }

  function checkGlobs(): readonly Problem[] {
    return risk.flatMap(({ paths }, rule) =>
      paths.flatMap((glob, index) => {
        const mistake = findGlobMistake(glob);
        if (mistake === undefined) return [];
        const fix = "Write a path, with `*`, `?` or `**` where it may differ, such as `src/**/*.ts`.";
        return [problem("wrong-value", ["risk", rule, "paths", index], `\`${glob}\` ${mistake}.`, fix)];
      }),
    );
  }
}
