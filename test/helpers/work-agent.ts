import { readFile } from "node:fs/promises";
import { globSync } from "node:fs";
import { onTestFinished } from "vitest";
import { createRepository } from "./repository.ts";
import { type AtEnd, temporaryFolder } from "./temporary.ts";

export interface WorkAgentOptions {
  /** Of the workflow `plain`, which has no steps and asks for nothing. */
  readonly leaseSeconds?: number;
  readonly maxAttempts?: number;
  /** Further files. */
  readonly files?: Readonly<Record<string, string>>;
  readonly atEnd?: AtEnd;
}

/**
 * A repository with this checkout's work server, and workflows for tests: `plain` without steps, `noted` whose one step
 * leaves a note, `slow` whose step takes three seconds, `asking` that waits for an approval, `failing`.
 */
export async function createWorkAgent(options: WorkAgentOptions = {}): Promise<string> {
  const { leaseSeconds = 300, maxAttempts = 3, files: more = {}, atEnd = onTestFinished } = options;
  const files = globSync(["manifests/work/*.yaml", "tools/work/*.ts", "tools/_lib/work/*.ts"]);
  const own = await Promise.all(files.map(async (file) => [file, await readFile(file, "utf8")] as const));
  const repository = await createRepository(await temporaryFolder(atEnd));
  await repository.release("1.0.0", {
    ...Object.fromEntries(own),
    "manifests/agent.yaml": "name: test-agent\ndescription: Work for tests.\nhostApi: 1.3.0\n",
    "versions.yaml": "current: 1.0.0\nversions:\n  1.0.0:\n    changes:\n      - Everything.\n",
    "manifests/workflows/plain.yaml": [
      "name: plain\ndescription: A worker does all of it.\ndefault: true",
      `leaseSeconds: ${leaseSeconds}\nmaxAttempts: ${maxAttempts}\n`,
    ].join("\n"),
    "manifests/policies/access.yaml": 'roles: { all: ["tool:*"] }\n',
    "manifests/workflows/external.yaml":
      "name: external\ndescription: A worker reports.\nrequires: [executor_report.json]\n",
    ...more,
    ...Object.assign({}, ...Object.entries(STEPS).map(([name, code]) => toWorkflow(name, code, leaseSeconds))),
  });
  return repository.path;
}

/** Bodies of the tools that the workflows with one step have, by the workflow's name. */
const STEPS: Readonly<Record<string, string>> = {
  noted: `await ctx.work.evidence.write(run_id, "notes.md", "Done by " + task_id + ".");
  return { status: "completed", message: "Noted." };`,
  slow: `await ctx.work.evidence.write(run_id, "notes.md", "Slowly.");
  await ctx.work.runs.events(run_id, { from: 1000, wait: 3000 });
  return { status: "completed" };`,
  asking: `const approval = await ctx.work.evidence.read(run_id, "approval.json").catch(() => undefined);
  if (approval === undefined) return { status: "blocked", message: "Somebody has to agree." };
  return { status: "completed", message: "Agreed." };`,
  failing: `return { status: "failed", message: "It does not work." };`,
};

function toWorkflow(name: string, code: string, leaseSeconds: number): Record<string, string> {
  const tool = `step_${name}`;
  return {
    [`manifests/workflows/${name}.yaml`]: `name: ${name}\ndescription: Has one step.\nleaseSeconds: ${leaseSeconds}\nsteps:\n  - { name: ${name}, tool: ${tool} }\n`,
    [`manifests/work/${tool}.yaml`]: `name: ${tool}
version: 1.0.0
description: Does the step of ${name}.
input: { type: object, required: [task_id, run_id], properties: { task_id: { type: string }, run_id: { type: string } } }
output: { type: object, required: [status], properties: { status: { type: string }, message: { type: string } } }
sideEffect: true
uses: [work.read, work.execute]
`,
    [`tools/work/${tool}.ts`]: `export default async ({ task_id, run_id }, ctx) => {\n  ${code}\n};\n`,
  };
}
