import { readSecretReference, loadReferencedSecret } from "../../config/secret-reference.ts";
import { CairnError } from "../../errors.ts";
import { type CodingAgent, CODING_AGENTS, toShellAgent } from "../../worker/agent/coding-agents.ts";
import { createAgentExecute } from "../../worker/agent/drive-agent.ts";
import type { Execute } from "../../worker/execute.ts";
import type { CommandContext } from "../command.ts";
import { readNumber } from "../read-number.ts";
import { readRepeated } from "../repeated.ts";

const NAMES = Object.keys(CODING_AGENTS);
/** Seconds that one round may take, unless chosen, and at most. */
const TIMEOUT = 1_800;
const MAX_TIMEOUT = 21_600;
const ROUNDS = 3;
const MAX_ROUNDS = 10;
/** Variables that a program needs to be found and to work; no others of the worker's reach an agent unless named. */
const PASSED = ["PATH", "HOME", "USER", "LANG", "TMPDIR"];

/** The options by which `cairn worker` has a coding agent do the tasks. */
export const AGENT_OPTIONS = {
  exec: {
    type: "string",
    valueHint: "command",
    description:
      "Have a coding agent do the tasks: a shell command, run in a copy of the run's workspace. The prompt is on its standard input and in the file $CAIRN_PROMPT_FILE",
  },
  "coding-agent": {
    type: "string",
    valueHint: NAMES.join("|"),
    description: "The same with a well-known agent and its flags for use without a person",
  },
  env: {
    type: "string",
    valueHint: "NAME[=reference]",
    description:
      "A variable that the agent gets: NAME alone as it is here, or `env:OTHER` or `file:/path` behind `=`. Its value is secret. May stand several times; others of this environment do not reach it",
  },
  timeout: {
    type: "string",
    valueHint: "seconds",
    description: `How long the agent may take for one round (default: ${TIMEOUT})`,
  },
  rounds: {
    type: "string",
    valueHint: "number",
    description: `How often the agent is run for one attempt, with what was wrong before (default: ${ROUNDS})`,
  },
} as const;

interface AgentArgs {
  readonly exec?: string | undefined;
  readonly "coding-agent"?: string | undefined;
  readonly timeout?: string | undefined;
  readonly rounds?: string | undefined;
}

/** Reads what does the tasks; `undefined`: the service. Rejects with BAD_REQUEST what does not fit together. */
export async function readAgentExecute(
  { environment, now }: CommandContext,
  args: AgentArgs,
  rawArgs: readonly string[],
): Promise<Execute | undefined> {
  const named = readRepeated(rawArgs, "env");
  const agent = readAgent(args);
  if (agent === undefined) {
    if (named.length === 0 && args.timeout === undefined && args.rounds === undefined) return undefined;
    throw new CairnError("BAD_REQUEST", "`--env`, `--timeout` and `--rounds` need `--exec` or `--coding-agent`.");
  }
  const timeout = readNumber("timeout", args.timeout, { otherwise: TIMEOUT, min: 1, max: MAX_TIMEOUT, isWhole: false });
  const rounds = readNumber("rounds", args.rounds, { otherwise: ROUNDS, min: 1, max: MAX_ROUNDS, isWhole: true });
  const secrets: Record<string, string> = {};
  for (const text of named) {
    const [, name = "", reference] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(text) ?? [];
    if (name === "")
      throw new CairnError("BAD_REQUEST", "`--env` takes the name of a variable, and a reference behind `=`.");
    secrets[name] = await loadVariable(name, reference ?? `env:${name}`, environment);
  }
  const passed = PASSED.flatMap((name) =>
    environment[name] === undefined ? [] : [[name, environment[name]] as const],
  );
  return createAgentExecute({
    agent,
    timeoutMs: timeout * 1000,
    rounds,
    environment: { ...Object.fromEntries(passed), ...secrets },
    secrets: Object.keys(secrets),
    now,
  });
}

function readAgent({ exec, "coding-agent": name }: AgentArgs): CodingAgent | undefined {
  if (exec !== undefined && name !== undefined) {
    throw new CairnError(
      "BAD_REQUEST",
      "`--exec` and `--coding-agent` both say what does the tasks; give one of them.",
    );
  }
  if (exec !== undefined) {
    if (exec.trim() === "") throw new CairnError("BAD_REQUEST", "`--exec` needs a command.");
    return toShellAgent(exec);
  }
  if (name === undefined) return undefined;
  const known = Object.hasOwn(CODING_AGENTS, name) ? CODING_AGENTS[name] : undefined;
  if (known !== undefined) return known;
  const names = NAMES.map((one) => `\`${one}\``).join(", ");
  throw new CairnError(
    "BAD_REQUEST",
    `\`--coding-agent\` knows ${names}; for any other, give its command with \`--exec\`.`,
  );
}

async function loadVariable(name: string, text: string, environment: CommandContext["environment"]): Promise<string> {
  const reference = readSecretReference(`--env ${name}`, text, environment, (problem) => {
    throw new CairnError("BAD_REQUEST", `${problem}.`);
  });
  if (reference === undefined) throw new CairnError("BAD_REQUEST", `--env ${name} names nothing.`);
  return loadReferencedSecret(`--env ${name}`, reference);
}
