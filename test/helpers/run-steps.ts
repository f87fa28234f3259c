import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import { parse } from "yaml";
import { temporaryFolder } from "./temporary.ts";

export interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
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
  readonly inputs?: Readonly<Record<string, { readonly default?: string }>>;
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
}

export interface StepsRun {
  readonly ok: boolean;
  readonly output: string;
  readonly summary: string;
}

/**
 * Runs the commands of steps as a runner of GitHub Actions would, by the same shell and with the same files. Actions of
 * this repository are entered; those of others, which check out and set up Node, have nothing to do here.
 */
export async function runSteps(steps: readonly Step[], runner: Runner): Promise<StepsRun> {
  const temp = await temporaryFolder();
  const summary = join(temp, "summary.md");
  await writeFile(summary, "");
  const state = { ok: true, output: "" };
  await runAll(steps, runner, state, { temp, summary });
  return { ...state, summary: await readFile(summary, "utf8") };
}

async function runAll(
  steps: readonly Step[],
  runner: Runner,
  state: { ok: boolean; output: string },
  files: { readonly temp: string; readonly summary: string },
  actionPath?: string,
): Promise<void> {
  for (const step of steps) {
    const condition = step.if ?? "success()";
    // A condition that does not ask for the state of the job holds only while all is well.
    const asks = /\b(success|failure|always|cancelled)\(\)/.test(condition);
    if (!state.ok && !asks) continue;
    // Nothing is to be installed under a test's feet, and here all of it is.
    if (step.run?.includes("scripts/setup.mjs") === true) continue;
    if (["false", "0", ""].includes(evaluate(condition, runner.context, state.ok).coerceString())) continue;
    if (step.uses?.startsWith("./") === true) {
      const path = resolve(step.uses);
      const { inputs = {}, runs } = await readYamlFile<Action>(join(path, "action.yml"));
      const given = Object.fromEntries(
        Object.entries(inputs).map(([name, { default: fallback = "" }]) => [
          name,
          fill(String(step.with?.[name] ?? fallback), runner.context),
        ]),
      );
      await runAll(runs.steps, { ...runner, context: { ...runner.context, inputs: given } }, state, files, path);
    } else if (step.run !== undefined) {
      if (step.run.includes("${{")) throw new Error(`an expression inside a script: ${step.run}`);
      const script = join(files.temp, "step.sh");
      await mkdir(dirname(script), { recursive: true });
      await writeFile(script, step.run);
      const env = Object.fromEntries(
        Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(String(text), runner.context)]),
      );
      const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
        cwd: runner.workspace,
        env: {
          PATH: process.env["PATH"],
          HOME: files.temp,
          CI: "true",
          GITHUB_ACTIONS: "true",
          GITHUB_STEP_SUMMARY: files.summary,
          RUNNER_TEMP: files.temp,
          ...(actionPath === undefined ? {} : { GITHUB_ACTION_PATH: actionPath }),
          ...runner.environment,
          ...env,
        },
      });
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (state.output += chunk));
      const [code] = (await once(child, "close")) as [number];
      if (code !== 0) state.ok = false;
    }
  }
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
