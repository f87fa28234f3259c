import { CairnError } from "../../errors.ts";
import { quote } from "../check-path.ts";
import { COMMAND_LIMITS, type CommandLimits } from "../limits.ts";

/** Which commands a run may start, and with how much. */
export interface CommandPolicy {
  readonly allow: readonly AllowedCommand[];
  /** Names of environment variables that a command may be given. */
  readonly env: readonly string[];
  /** Hosts that commands may reach: none can be had yet, so anything but an empty list is refused. */
  readonly hosts: readonly string[];
  /** Whether commands may change files of the workspace. */
  readonly write: boolean;
  /** What is lower than `COMMAND_LIMITS`. */
  readonly limits?: Partial<CommandLimits>;
}

export interface AllowedCommand {
  /** As found on the sandbox's own path: a name, never a path. */
  readonly program: string;
  /**
   * A pattern for each argument, in which `*` stands for any characters; `**` as the last one stands for any further
   * arguments. Absent: any arguments, except for a shell, which then is not allowed at all.
   */
  readonly args?: readonly string[];
}

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "busybox"]);
const MAX_ARGUMENTS = 256;
const MAX_ARGUMENT_BYTES = 64 * 1024;
/** What the sandbox sets itself, or what would have the loader run other code before the program that is allowed. */
const RESERVED = /^(?:PATH|HOME|TMPDIR|LD_.*|GLIBC_TUNABLES|BASH_ENV|ENV|NODE_OPTIONS|PYTHONSTARTUP|PERL5OPT|RUBYOPT)$/;

/** Rejects with BAD_REQUEST a command or policy that makes no sense, FORBIDDEN or EGRESS_DENIED one that is not allowed. */
export function checkCommand(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  policy: CommandPolicy,
): void {
  const [program = "", ...args] = command;
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
  if (!policy.allow.some((allowed) => allowed.program === program && matchesAll(allowed, args))) {
    throw new CairnError("FORBIDDEN", `The policy allows no command ${quote(command.join(" "))}.`, {
      details: {
        program,
        allowed: policy.allow.map((allowed) => [allowed.program, ...(allowed.args ?? ["**"])].join(" ")),
      },
    });
  }
  for (const [name, value] of Object.entries(environment)) {
    if (!policy.env.includes(name)) throw new CairnError("FORBIDDEN", `The policy allows no variable ${quote(name)}.`);
    if (value.includes("\0") || !value.isWellFormed()) throw refuse(`the value of \`${name}\` is not text`);
  }
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
  };
}

function checkPolicy({ allow, env, hosts, limits }: CommandPolicy): void {
  if (hosts.length > 0) {
    const message = "Commands have no network, so a policy that names hosts for them cannot be kept here. Name none.";
    throw new CairnError("EGRESS_DENIED", message, { details: { hosts } });
  }
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

function matchesAll({ program, args: patterns }: AllowedCommand, args: readonly string[]): boolean {
  if (patterns === undefined) return !SHELLS.has(program);
  const isOpen = patterns.at(-1) === "**";
  const fixed = isOpen ? patterns.slice(0, -1) : patterns;
  const hasEnough = isOpen ? args.length >= fixed.length : args.length === fixed.length;
  return hasEnough && fixed.every((pattern, at) => matches(pattern, args[at] ?? ""));
}

/** In time that is linear in both: each piece between stars is taken where it comes first, the last one at the end. */
function matches(pattern: string, text: string): boolean {
  const [head = "", ...pieces] = pattern.split("*");
  const tail = pieces.pop();
  if (tail === undefined) return text === pattern;
  if (!text.startsWith(head) || text.length < head.length + tail.length || !text.endsWith(tail)) return false;
  let at = head.length;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= text.length - tail.length;
}

function refuse(reason: string): CairnError {
  return new CairnError("BAD_REQUEST", `The command is refused: ${reason}.`);
}
