import { guardPlan } from "../../../server/architect/guard/guard-plan.ts";
import type { ChangePlan, Feedback } from "../../../server/architect/planners/plan.ts";
import type { Ground, TriedPlan } from "../../../server/architect/planners/planner.ts";
import { SHAPES_ONLY } from "../../../server/log/redact.ts";
import { loader } from "../../helpers/loader.ts";
import { isPartOfVersion } from "../../../server/versions/tree.ts";
import { createMemoryTree, type Files } from "../../fixtures/trees/create-memory-tree.ts";

/** A small repository that feedback is about: one tool, with all that stands around one. */
export const REPOSITORY: Readonly<Record<string, string>> = {
  "versions.yaml": `current: 1.0.0
labels:
  stable: 1.0.0
versions:
  1.0.0:
    changes:
      - First version.
`,
  "manifests/agent.yaml": `name: greeter
description: Greets people.
hostApi: 1.0.0
defaults:
  limits: { time: 5000, cpu: 500, memory: 64, payload: 65536 }
`,
  "manifests/runner/server.yaml": `name: runner
description: The tools that do the work.
resources:
  - { uri: "state://active", name: Active, mimeType: application/json, provider: state.active }
`,
  "manifests/runner/greet.yaml": `name: runner.greet
version: 1.0.0
description: Greets somebody by name.
input:
  type: object
  required: [who]
  properties:
    who: { type: string, description: Whom to greet. }
  additionalProperties: false
output:
  type: object
  required: [greeting]
  properties:
    greeting: { type: string, description: What to say. }
  additionalProperties: false
requiredCapabilities: [tool:runner.greet]
uses: [fetch]
egress: [names.example.com]
redact: [/who]
limits:
  time: 2000
cost: { units: 2 }
parameters: [tone]
examples:
  - description: By name.
    input: { who: Ada }
    output: { greeting: "Hello, Ada!" }
  - description: Anybody gets a greeting.
    input: { who: Bob }
    matches: { type: object, properties: { greeting: { type: string, pattern: "^Hello" } }, required: [greeting] }
  - description: Nobody gets none.
    input: { who: "" }
    error: BAD_REQUEST
`,
  "manifests/parameters/tone.yaml": `description: How warm greetings are.
parameters:
  warmth: { type: categorical, values: [plain, warm], default: plain }
  length: { type: int, min: 1, max: 5, default: 2 }
experiment:
  strategy: { kind: thompson }
  arms:
    plain: {}
    warm: { warmth: warm }
  reward: { range: [0, 1] }
  stop: { delta: 0.05, promote: false }
  guardrail: { maxErrorRate: 0.1, maxDrop: 0.05 }
`,
  "manifests/policies/access.yaml": `roles:
  reader: ["tool:runner.greet"]
egress: [names.example.com]
commands:
  - { program: node, arguments: [--test] }
limits:
  actor: { rate: 60 }
retirement: { quietDays: 30 }
revoke: { roles: [guest, contractor], commands: [{ program: bash }] }
`,
  "manifests/workflows/change.yaml": `name: change
description: Changes tools.
writes: true
risk:
  - { paths: ["manifests/policies/**"], level: high }
approvals: [high]
`,
  "tools/runner/greet.ts": `export default (input: { who: string }): { greeting: string } => {
  return { greeting: \`Hello, \${input.who}!\` };
};
`,
  "schemas/greeting.schema.json": `{ "type": "string" }
`,
  "test/tools/runner/greet.test.ts": `import { expect, test } from "vitest";
import greet from "../../../tools/runner/greet.ts";

test("greets by name", () => {
  expect(greet({ who: "Ada" })).toEqual({ greeting: "Hello, Ada!" });
});

test("greets everybody else", () => {
  expect(greet({ who: "Bob" }).greeting).toContain("Bob");
});
`,
  "docs/greet.md": "# Greeting\n\nThe tool greets somebody by name.\n",
  "README.md": "# Greeter\n",
  "package.json": '{ "private": true }\n',
  ".github/workflows/ci.yml": "on: push\n",
  ".ci/run": "#!/bin/sh\nnpm test\n",
  ".env": "OPENAI_API_KEY=sk-0123456789abcdefghijkl\n",
  "deploy.key": "not for models\n",
};

/** Tries a draft as the pipeline does, but for verification. */
async function tryByGuard(
  ground: Pick<Ground, "version" | "files" | "readText">,
  plan: ChangePlan,
  feedback: Feedback,
): Promise<TriedPlan> {
  const guarded = await guardPlan(plan, { planner: "model", feedback, ground, redactor: SHAPES_ONLY });
  if (guarded.kind === "change") return { findings: [], approvals: guarded.doubts ?? [] };
  return { findings: guarded.kind === "reject" ? [`${guarded.reason} ${guarded.accepted}`] : [], approvals: [] };
}

/** What planners look at, of `REPOSITORY` with other files put in. A link is no text, as in a commit. */
export async function createGround(files: Files = {}, signal = new AbortController().signal): Promise<Ground> {
  const all: Files = { ...REPOSITORY, ...files };
  const parts = Object.fromEntries(Object.entries(all).filter(([path]) => isPartOfVersion(path)));
  const loaded = await loader.load(createMemoryTree(parts), "c".repeat(40));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems, undefined, 2));
  const commit = {
    version: loaded.version,
    files: Object.keys(all).sort(),
    readText: (path: string) => {
      const content = Object.hasOwn(all, path) ? all[path] : undefined;
      return Promise.resolve(typeof content === "string" ? content : undefined);
    },
  };
  return {
    ...commit,
    tryPlan: (plan, feedback) => tryByGuard(commit, plan, feedback),
    propose: () => Promise.reject(new Error("planners of this test propose nothing")),
    reverse: async () => undefined,
    now: Date.now,
    signal,
  };
}
