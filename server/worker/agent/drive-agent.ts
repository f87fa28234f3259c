import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CairnError } from "../../errors.ts";
import { createRedactor, type Redactor } from "../../log/redact.ts";
import type { Execute, ExecuteContext, Outcome } from "../execute.ts";
import type { ClaimedTask } from "../work-tools.ts";
import type { CodingAgent } from "./coding-agents.ts";
import { type Files, loadWorkspace, readFolder, writeFiles } from "./folder.ts";
import { runProgram } from "./run-program.ts";
import { advance, submit } from "./submit.ts";
import { listChanges } from "./to-patch.ts";

export interface AgentOptions {
  readonly agent: CodingAgent;
  /** Milliseconds that one round may take. */
  readonly timeoutMs: number;
  /** Times that the agent is run for one attempt of a task: once, and again for as long as what it made is refused. */
  readonly rounds: number;
  /** The whole environment of the agent, beside the variables that this worker sets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names of the variables whose values are secret: in nothing that leaves, and in no file that it changes. */
  readonly secrets: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** One attempt at a task. */
interface Attempt extends AgentOptions {
  readonly claimed: ClaimedTask;
  readonly context: ExecuteContext;
  readonly redactor: Redactor;
  /** A folder of the attempt's own; the agent works in `tree` below it. */
  readonly home: string;
  readonly original: Files;
  /** Files of the workspace after the last patch. */
  submitted: Files;
}

type Round = { readonly outcome: Outcome } | { readonly findings: string };

/** Characters of an agent's output that a summary shows. */
const SHOWN = 2_000;
/** Characters of findings that go back to an agent. */
const FINDINGS_LENGTH = 20_000;

/**
 * Has a coding agent do tasks, each in a copy of its run's workspace. What the agent changes goes back as a patch and through
 * the steps of the workflow, like any plan; what they find goes back to the agent for another round.
 */
export function createAgentExecute(options: AgentOptions): Execute {
  const values = options.secrets.flatMap((name) => options.environment[name] ?? []);
  const redactor = createRedactor(values);
  return async (claimed, context) => {
    const resumed = await resume(claimed, context);
    if (resumed !== undefined) return resumed;
    const home = await mkdtemp(join(tmpdir(), "cairn-agent-"));
    try {
      const original = await loadWorkspace(context.client, claimed.run_id, context.signal);
      const tree = join(home, "tree");
      await mkdir(tree);
      await writeFiles(tree, original);
      return await doRounds({ ...options, claimed, context, redactor, home, original, submitted: original });
    } finally {
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    }
  };
}

/** Goes on with a run that somebody has approved: what was approved is there, and stays. Undefined for any other run. */
async function resume({ task_id, run_id }: ClaimedTask, context: ExecuteContext): Promise<Outcome | undefined> {
  const { run } = await context.client.taskStatus({ task_id }, { signal: context.signal });
  if (run?.run_id !== run_id || run.artifacts["approval.json"] === undefined) return undefined;
  const done = await advance(run_id, context);
  return "outcome" in done ? done.outcome : { status: "failed", summary: done.findings };
}

async function doRounds(attempt: Attempt): Promise<Outcome> {
  const { rounds, context } = attempt;
  let findings = "";
  for (let round = 1; round <= rounds; round++) {
    const done = await doRound(attempt, round, findings);
    if ("outcome" in done) return done.outcome;
    findings = attempt.redactor.text(done.findings).slice(0, FINDINGS_LENGTH).toWellFormed();
    context.tell(`round ${round} of ${rounds}: ${findings.slice(0, SHOWN).toWellFormed()}`);
  }
  const times = rounds === 1 ? "one round" : `${rounds} rounds`;
  return { status: "failed", summary: `What the agent made is refused after ${times}: ${findings}` };
}

async function doRound(attempt: Attempt, round: number, findings: string): Promise<Round> {
  const { agent, home, context, redactor, claimed, environment, timeoutMs } = attempt;
  const { signal, client, tell } = context;
  const prompt = toPrompt(claimed, findings);
  const file = join(home, "prompt.md");
  await writeFile(file, prompt, { mode: 0o600 });
  tell(`round ${round}: ${agent.command[0] ?? ""} runs.`);
  const ended = await runProgram({
    command: agent.command.map((word) => (word === "{prompt}" ? file : word)),
    folder: join(home, "tree"),
    environment: { ...environment, CAIRN_PROMPT_FILE: file },
    input: prompt,
    timeoutMs,
    signal,
  });
  if (ended.kind === "stopped") return { outcome: { status: "released", summary: "The worker stops." } };
  const output = redactor.text(ended.output);
  await client.artifactWrite(
    { run_id: claimed.run_id, name: `agent_round_${round}.txt`, content: output === "" ? "(nothing)" : output },
    { signal },
  );
  const why = explainEnd(ended, timeoutMs);
  if (why !== undefined) {
    const summary = `${why} The last it printed: ${output.slice(-SHOWN).toWellFormed()}`;
    return { outcome: { status: "failed", summary } };
  }
  return judge(attempt);
}

function explainEnd({ kind, code }: Awaited<ReturnType<typeof runProgram>>, timeoutMs: number): string | undefined {
  if (kind === "missing") return "The agent's program cannot be started: is it installed, and on the PATH?";
  if (kind === "timed_out") return `The agent did not end within ${timeoutMs / 1000} seconds.`;
  if (kind === "noisy") return "The agent printed more than a worker takes.";
  return code === 0 ? undefined : `The agent ended with ${code === undefined ? "a signal" : `exit code ${code}`}.`;
}

/** Takes what the agent has made, as far as it can be part of a change, through the steps of the workflow. */
async function judge(attempt: Attempt): Promise<Round> {
  const { agent, home, original, claimed, context, environment, secrets, now } = attempt;
  const { files, faults } = await readFolder(join(home, "tree"), agent.leaves);
  const changed = listChanges(original, files);
  if (changed.length === 0 && faults.length === 0) {
    return { outcome: { status: "failed", summary: "The agent has changed nothing." } };
  }
  const leaks = changed.flatMap((path) =>
    secrets
      .filter((name) => (environment[name] ?? "") !== "" && files.get(path)?.text.includes(environment[name] ?? ""))
      .map((name) => `\`${path}\` has the value of ${name} in it, which is secret.`),
  );
  if (leaks.length + faults.length > 0) return { findings: [...leaks, ...faults].join("\n") };
  context.tell(`changed: ${changed.slice(0, 10).join(", ")}${changed.length > 10 ? ", ..." : ""}`);
  try {
    const before = attempt.submitted;
    const accept = () => void (attempt.submitted = files);
    return await submit({ claimed, context, before, files, changed, now, accept, by: agent.command[0] ?? "" });
  } catch (error) {
    // A path that no workspace takes, or too much of it: the agent can mend that.
    const isMendable =
      error instanceof CairnError && ["BAD_REQUEST", "PAYLOAD_TOO_LARGE", "UNPROCESSABLE"].includes(error.name);
    if (isMendable) return { findings: error.message };
    throw error;
  }
}

/** The prompt, as Markdown. What the task says is data in it: an agent may still do what it says, in its folder. */
function toPrompt({ title, objective, task }: ClaimedTask, findings: string): string {
  // A task that comes back says what became of the attempt before, which had a folder of its own.
  const earlier = task?.result_summary ?? "";
  const parts = [
    `# ${title}`,
    "Change the files of the current folder so that the objective below is met. Work without asking anybody. Change nothing outside of this folder, make no commits, and keep to what the objective needs. The folder is a copy of the repository of an agent's tools: `manifests/` declares them, `tools/` has their handlers, `versions.yaml` the versions. What you leave in the folder is taken as your change, and verified.",
    "## Objective",
    objective,
  ];
  for (const { text, reading } of task?.answers ?? []) {
    parts.push("## What was asked about it, and answered", reading ?? text);
  }
  if (findings !== "")
    parts.push("## What was wrong with your change so far", "Your files are as you left them. Mend this:", findings);
  else if (earlier !== "")
    parts.push(
      "## What was wrong with an earlier change",
      "It was made by an attempt before this one, and is not here:",
      earlier,
    );
  return `${parts.join("\n\n")}\n`;
}
