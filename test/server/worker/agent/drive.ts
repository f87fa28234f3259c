import { readPatch } from "../../../../server/capabilities/workspace/patch/read-patch.ts";
import { CairnError } from "../../../../server/errors.ts";
import { toShellAgent } from "../../../../server/worker/agent/coding-agents.ts";
import { type AgentOptions, createAgentExecute } from "../../../../server/worker/agent/drive-agent.ts";
import type { WorkClient } from "../../../../server/worker/work-client.ts";
import type { Advanced, ClaimedTask } from "../../../../server/worker/work-tools.ts";

const FILES: Readonly<Record<string, string>> = { "README.md": "Hello.\n", "tools/a.ts": "1;\n", "logo.png": "\0" };
/** Value of the variable `TOKEN`, which is secret. */
export const SECRET = "hunter2-hunter2";
/** Answers of the steps of a run that goes well. */
export const STEPS: readonly Advanced[] = [
  { run_id: "r1", state: "step", step: "verify" },
  { run_id: "r1", state: "done", step: "gate", message: "Committed." },
];

interface Given extends Partial<AgentOptions> {
  /** Answers of the service's steps, in their order. */
  readonly steps?: readonly Advanced[];
  /** Rejects a patch. */
  readonly refuse?: (patch: string) => void;
  readonly signal?: AbortSignal;
  readonly onTell?: (message: string) => void;
  /** Somebody has approved the run already. */
  readonly isApproved?: boolean;
  readonly task?: Partial<ClaimedTask["task"]>;
}

/** Has a coding agent, by default a shell command, do a task of a service in memory; all that it was sent and told. */
export async function drive(
  command: string,
  { steps = STEPS, refuse, signal, onTell, isApproved, task, ...given }: Given = {},
) {
  const written = new Map<string, string>();
  const patches: string[] = [];
  const plans: (readonly string[])[] = [];
  const told: string[] = [];
  const left = [...steps];
  const client = {
    fsList: async ({ path }: { path?: string }) => ({
      entries: path === undefined ? ["README.md", "logo.png", "tools/"] : ["a.ts"],
    }),
    fsRead: async ({ path }: { path: string }) => {
      if (path === "logo.png") throw new CairnError("UNPROCESSABLE", "It is not UTF-8 text.");
      return { path, content: FILES[path] };
    },
    async artifactWrite({ name, content }: { name: string; content: string }) {
      if (name === "plan.json") plans.push((JSON.parse(content) as { files: readonly string[] }).files);
      written.set(name, content);
    },
    fsApplyPatch: async ({ patch }: { patch: string }) => {
      refuse?.(patch);
      // The service's own reader of patches takes each.
      readPatch(patch);
      patches.push(patch);
      return { status: "applied", files: [] };
    },
    taskStatus: async () => ({ run: { run_id: "r1", artifacts: isApproved === true ? { "approval.json": {} } : {} } }),
    runAdvance: async () => left.shift() ?? { run_id: "r1", state: "done" },
  } as unknown as WorkClient;
  const execute = createAgentExecute({
    agent: toShellAgent(command),
    timeoutMs: 20_000,
    rounds: 3,
    environment: { PATH: process.env["PATH"] ?? "", TOKEN: SECRET },
    secrets: ["TOKEN"],
    now: () => Date.UTC(2026, 0, 1),
    ...given,
  });
  const about = { task_id: "t1", run_id: "r1", title: "Greet $(touch pwned)", objective: "Say `id`." };
  const claimed = { ...about, task } as ClaimedTask;
  const outcome = await execute(claimed, {
    client,
    signal: signal ?? new AbortController().signal,
    tell: (message) => {
      told.push(message);
      onTell?.(message);
    },
  });
  return { outcome, written, patches, plans, told };
}
