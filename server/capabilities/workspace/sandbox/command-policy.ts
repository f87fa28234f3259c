import { CairnError } from "../../../errors.ts";
import type { AllowedCommand, Revoked } from "../../../versions/policy.ts";
import { allowsCommand } from "../../../versions/covers.ts";
import { revokesCommand } from "../../../versions/revoked.ts";
import { quote } from "../check-path.ts";
import { COMMAND_LIMITS, type CommandLimits } from "../limits.ts";
import type { Version } from "../../../versions/version.ts";

/** Policy of the commands that a run may start, with their limits. */
export interface CommandPolicy {
  readonly allow: readonly AllowedCommand[];
  /** Reads what policies have revoked, as of now; absent: nothing. */
  readonly revoked?: () => Revoked;
  /** Names of environment variables that a command may be given. */
  readonly env: readonly string[];
  /** True when commands may change files of the workspace. */
  readonly write: boolean;
  /** Limits that are lower than `COMMAND_LIMITS`. */
  readonly limits?: Partial<CommandLimits>;
}

const MAX_ARGUMENTS = 256;
const MAX_ARGUMENT_BYTES = 64 * 1024;
/** Variables that the sandbox sets, or that would have the loader run other code before the allowed program. */
const RESERVED = /^(?:PATH|HOME|TMPDIR|LD_.*|GLIBC_TUNABLES|BASH_ENV|ENV|NODE_OPTIONS|PYTHONSTARTUP|PERL5OPT|RUBYOPT)$/;

/** Rejects with BAD_REQUEST a command or policy that makes no sense, FORBIDDEN one that is not allowed. */
export function checkCommand(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  policy: CommandPolicy,
): void {
  const [program = ""] = command;
  checkPolicy(policy);
  if (!isProgram(program)) {
    throw new CairnError(
      "BAD_REQUEST",
      `The program ${quote(program)} is no name; it is looked for on the sandbox's own path.`,
    );
  }
  if (command.length > MAX_ARGUMENTS) throw refuse(`it has more than ${MAX_ARGUMENTS} arguments`);
  if (command.some((arg) => arg.includes("\0") || !arg.isWellFormed())) throw refuse("an argument is not text");
  if (command.reduce((sum, arg) => sum + Buffer.byteLength(arg) + 1, 0) > MAX_ARGUMENT_BYTES) {
    throw refuse(`its arguments have more than ${MAX_ARGUMENT_BYTES} bytes`);
  }
  if (!policy.allow.some((allowed) => allowsCommand(allowed, command))) {
    throw new CairnError("FORBIDDEN", `The policy allows no command ${quote(command.join(" "))}.`, {
      details: {
        program,
        allowed: policy.allow.map((allowed) => [allowed.program, ...allowed.arguments].join(" ")),
      },
    });
  }
  if (policy.revoked !== undefined && revokesCommand(policy.revoked(), command)) {
    const message = `The policies of the default branch have revoked the command ${quote(command.join(" "))}.`;
    throw new CairnError("FORBIDDEN", message, { details: { program } });
  }
  for (const [name, value] of Object.entries(environment)) {
    if (!policy.env.includes(name)) throw new CairnError("FORBIDDEN", `The policy allows no variable ${quote(name)}.`);
    if (value.includes("\0") || !value.isWellFormed()) throw refuse(`the value of \`${name}\` is not text`);
  }
}

/** Hosts that a command may reach: those of the entries that allow this very command, and of no other. */
export function toHosts(command: readonly string[], { allow }: CommandPolicy): readonly string[] {
  return [...new Set(allow.filter((allowed) => allowsCommand(allowed, command)).flatMap(({ hosts }) => hosts))];
}

/** The limits of a policy, none above what holds for all. */
export function toLimits({ limits = {} }: CommandPolicy): CommandLimits {
  const lower = (key: keyof CommandLimits) => Math.min(COMMAND_LIMITS[key], limits[key] ?? COMMAND_LIMITS[key]);
  return {
    wallMs: lower("wallMs"),
    cpuSeconds: lower("cpuSeconds"),
    processBytes: lower("processBytes"),
    memoryBytes: lower("memoryBytes"),
    processes: lower("processes"),
    openFiles: lower("openFiles"),
    fileBytes: lower("fileBytes"),
    workspaceBytes: lower("workspaceBytes"),
    workspaceFiles: lower("workspaceFiles"),
    temporaryBytes: lower("temporaryBytes"),
    outputBytes: lower("outputBytes"),
    inputBytes: lower("inputBytes"),
    connections: lower("connections"),
    networkBytes: lower("networkBytes"),
  };
}

function checkPolicy({ allow, env, limits }: CommandPolicy): void {
  const program = allow.find((allowed) => !isProgram(allowed.program))?.program;
  if (program !== undefined) throw new CairnError("BAD_REQUEST", `The policy's program ${quote(program)} is no name.`);
  const name = env.find((variable) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable) || RESERVED.test(variable));
  if (name !== undefined)
    throw new CairnError("BAD_REQUEST", `The policy's variable ${quote(name)} can never be given.`);
  const limit = Object.entries(limits ?? {}).find(([, value]) => !Number.isSafeInteger(value) || value < 1);
  if (limit !== undefined)
    throw new CairnError("BAD_REQUEST", `The policy's limit \`${limit[0]}\` is no positive whole number.`);
}

function isProgram(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._+-]{0,63}$/.test(name);
}

function refuse(reason: string): CairnError {
  return new CairnError("BAD_REQUEST", `The command is refused: ${reason}.`);
}

/** The command policy of a version: all that its policies allow together, less what is `revoked`. Commands only read. */
export function toCommandPolicy({ policies }: Version, revoked?: () => Revoked): CommandPolicy {
  const allow = policies.flatMap(({ commands }) => commands);
  return { allow, env: [], write: false, ...(revoked === undefined ? {} : { revoked }) };
}
