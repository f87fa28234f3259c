import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import { parse } from "yaml";
import { temporaryFolder } from "./temporary.ts";

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly "working-directory"?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
}

export interface Workflow {
  readonly on: unknown;
  readonly permissions?: unknown;
  readonly concurrency?: unknown;
  readonly jobs: Readonly<
    Record<
      string,
      { readonly permissions?: unknown; readonly "timeout-minutes"?: number; readonly steps: readonly Step[] }
    >
  >;
}

export interface Action {
  readonly inputs?: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly outputs?: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

export async function readYamlFile<Content>(file: string): Promise<Content> {
  return parse(await readFile(file, "utf8")) as Content;
}

/** What expressions can see, and where commands run. */
export interface Runner {
  readonly workspace: string;
  readonly context: Readonly<Record<string, unknown>>;
  /** Added to what GitHub sets. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Program with arguments that starts the shells, for example in another root filesystem. */
  readonly within?: readonly string[];
}

export interface StepsRun {
  readonly ok: boolean;
  readonly output: string;
  readonly summary: string;
  /** Outputs of the steps that have an id, by that. */
  readonly outputs: Readonly<Record<string, Outputs>>;
}

type Outputs = Readonly<Record<string, string>>;

/** State of a job, which its steps change. */
interface Job {
  ok: boolean;
  output: string;
  readonly temp: string;
  readonly summary: string;
}

/**
 * Runs the commands of steps as a runner of GitHub Actions would, by the same shell and with the same files. Actions of
 * this repository are entered; those of others, which check out and set up Node, have nothing to do here.
 */
export async function runSteps(steps: readonly Step[], runner: Runner): Promise<StepsRun> {
  // Actions install what is locked, which must not happen under the feet of tests.
  await promisify(execFile)(process.execPath, ["scripts/setup.mjs", "--check"]);
  const temp = await temporaryFolder();
  const summary = join(temp, "summary.md");
  await writeFile(summary, "");
  const job: Job = { ok: true, output: "", temp, summary };
  const outputs = await runAll(steps, runner, job);
  return { ok: job.ok, output: job.output, summary: await readFile(summary, "utf8"), outputs };
}

/** Runs steps in order, and returns the outputs of those with an id. */
async function runAll(
  steps: readonly Step[],
  runner: Runner,
  job: Job,
  actionPath?: string,
): Promise<Readonly<Record<string, Outputs>>> {
  const outputs: Record<string, Outputs> = {};
  for (const step of steps) {
    const known = Object.fromEntries(Object.entries(outputs).map(([id, values]) => [id, { outputs: values }]));
    const context = { ...runner.context, steps: known };
    const condition = step.if ?? "success()";
    // A condition that does not ask for the state of the job holds only while all is well.
    const asks = /\b(success|failure|always|cancelled)\(\)/.test(condition);
    if (!job.ok && !asks) continue;
    if (["false", "0", ""].includes(evaluate(condition, context, job.ok).coerceString())) continue;
    const made = await runStep(step, { ...runner, context }, job, actionPath);
    if (step.id !== undefined) outputs[step.id] = made;
  }
  return outputs;
}

async function runStep(step: Step, runner: Runner, job: Job, actionPath?: string): Promise<Outputs> {
  if (step.uses?.startsWith("./") === true) {
    const path = resolve(step.uses);
    const { inputs = {}, outputs = {}, runs } = await readYamlFile<Action>(join(path, "action.yml"));
    const given = mapValues(inputs, ({ default: fallback = "" }, name) =>
      fill(String(step.with?.[name] ?? fallback), runner.context),
    );
    const inside = { ...runner.context, inputs: given };
    const made = await runAll(runs.steps, { ...runner, context: inside }, job, path);
    const context = { ...inside, steps: mapValues(made, (values) => ({ outputs: values })) };
    return mapValues(outputs, ({ value }) => fill(value, context));
  }
  return step.run === undefined ? {} : runScript(step.run, step, runner, job, actionPath);
}

async function runScript(
  script: string,
  step: Step,
  runner: Runner,
  job: Job,
  actionPath: string | undefined,
): Promise<Outputs> {
  if (script.includes("${{")) throw new Error(`an expression inside a script: ${script}`);
  const [file, output] = [join(job.temp, "step.sh"), join(job.temp, "output")];
  await Promise.all([writeFile(file, script), writeFile(output, "")]);
  const folder = fill(step["working-directory"] ?? ".", runner.context);
  const [program = "bash", ...args] = [
    ...(runner.within ?? []),
    "bash",
    "--noprofile",
    "--norc",
    "-eo",
    "pipefail",
    file,
  ];
  const child = spawn(program, args, {
    cwd: resolve(runner.workspace, folder),
    env: {
      PATH: process.env["PATH"],
      HOME: job.temp,
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: job.summary,
      GITHUB_WORKSPACE: runner.workspace,
      RUNNER_TEMP: job.temp,
      ...(actionPath === undefined ? {} : { GITHUB_ACTION_PATH: actionPath }),
      ...runner.environment,
      ...mapValues(step.env ?? {}, (text) => fill(String(text), runner.context)),
    },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (job.output += chunk));
  const [code] = (await once(child, "close")) as [number];
  if (code !== 0) job.ok = false;
  const lines = (await readFile(output, "utf8")).matchAll(/^([\w-]+)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name = "", value = ""]) => [name, value]));
}

function mapValues<In, Out>(
  values: Readonly<Record<string, In>>,
  change: (value: In, name: string) => Out,
): Readonly<Record<string, Out>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}

/** Replaces each `${{ ... }}` by what it evaluates to; what there is none of is empty, as it is there. */
function fill(text: string, context: Runner["context"]): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => evaluate(expression, context).coerceString());
}

/** Evaluates an expression as GitHub does, by its own evaluator. Source: npm `@actions/expressions`. */
function evaluate(expression: string, context: Runner["context"], isOk = true): data.ExpressionData {
  const states = { success: isOk, failure: !isOk, always: true, cancelled: false };
  const functions = Object.entries(states).map(([name, value]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  }));
  const { tokens } = new Lexer(expression).lex();
  const parsed = new Parser(tokens, Object.keys(context), functions).parse();
  const named = new Map(functions.map((one) => [one.name, one]));
  const known = JSON.parse(JSON.stringify(context), data.reviver) as data.Dictionary;
  return new Evaluator(parsed, known, named).evaluate();
}
