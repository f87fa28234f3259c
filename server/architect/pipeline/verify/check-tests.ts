import { CairnError } from "../../../errors.ts";
import { isObject } from "../../../json/is-object.ts";
import { checkCommand, toCommandPolicy } from "../../../capabilities/workspace/sandbox/command-policy.ts";
import type { AgentCheck } from "../../../versions/agent-check.ts";
import type { Revoked } from "../../../versions/policy.ts";
import type { Version } from "../../../versions/version.ts";
import type { Workspace } from "../../../capabilities/workspace/workspace.ts";
import type { CommandResult } from "../../../capabilities/workspace/sandbox/run-command.ts";
import { failed, type Outcome, passed, skipped } from "./outcome.ts";

/** Lines of a command's output that are told. */
const MAX_LINES = 20;

/**
 * Runs the checks that the agent would declare, so that one which is new or another is tried before it holds up what comes
 * after it. One that is taken out is not run: a broken check must not be what keeps it from being taken out. Which commands
 * are allowed is what `before` says, and they cannot write: no change allows itself anything, or becomes another while it is
 * judged. Fails, too, where the commands of `after` would not be allowed by its own policies: nothing could be changed then.
 */
export async function checkTests(
  before: Version,
  after: Version,
  workspace: Workspace,
  signal: AbortSignal,
  revoked?: () => Revoked,
): Promise<Outcome> {
  const { checks } = after.agent;
  if (checks.length === 0) return skipped("`checks` of manifests/agent.yaml names no command.");
  const policy = toCommandPolicy(before, revoked);
  const results: (readonly string[])[] = [];
  let ran = 0;
  for (const check of checks) {
    signal.throwIfAborted();
    const locked = findLock(check, after);
    if (locked !== undefined) {
      results.push([`${check.name}: ${locked}`]);
      continue;
    }
    try {
      const { command, timeout } = check;
      const result = await workspace.exec.run({ command, timeoutMs: timeout }, policy, signal);
      ran += 1;
      results.push(result.exit_code === 0 ? [] : toFailure(check, result));
    } catch (error) {
      results.push([`${check.name}: ${toRefusal(error)}`]);
    }
  }
  const broken = results.filter((lines) => lines.length > 0);
  const summary = `${checks.length - broken.length} of ${checks.length} commands went well.`;
  const outcome = broken.length === 0 ? passed(summary) : failed(summary, ...broken.flat());
  return { ...outcome, tried: { ran, skipped: checks.length - ran } };
}

/** Finds the reason why a check could not run on the next change. */
function findLock({ command }: AgentCheck, after: Version): string | undefined {
  try {
    checkCommand(command, {}, toCommandPolicy(after));
    return undefined;
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return `${error.message} After this change no other could pass; keep the command under \`commands\` of the policies, or take the check out.`;
  }
}

function toFailure({ name, command, timeout }: AgentCheck, result: CommandResult): readonly string[] {
  const { exit_code: code, limits_hit: limits, stdout, stderr } = result;
  const time = limits.includes("time") ? `, it has ${timeout} ms` : "";
  const end = code === null ? `was ended by a limit (${limits.join(", ")}${time})` : `ended with ${code}`;
  const said = `${stdout}\n${stderr}`.split("\n").filter((line) => line.trim() !== "");
  return [`${name}: \`${command.join(" ")}\` ${end}.`, ...said.slice(-MAX_LINES).map((line) => `    ${line}`)];
}

/** Describes why a command was not run; rejects where the reason is neither in the change nor in the machine. */
function toRefusal(error: unknown): string {
  if (!(error instanceof CairnError) || error.name === "CANCELLED" || error.name === "NOT_FOUND") throw error;
  if (error.name === "FORBIDDEN") {
    return `${error.message} A version's policies have to allow it before a check may run it: send that as a change of its own.`;
  }
  if (error.name !== "UNAVAILABLE") return error.message;
  // The engine gives the reason where this machine has no sandbox.
  if (!isObject(error.details) || error.details["reason"] === undefined) throw error;
  return `${error.message} It needs bubblewrap (\`apt-get install bubblewrap\`) and util-linux; docs/workspaces.md has the rest.`;
}
