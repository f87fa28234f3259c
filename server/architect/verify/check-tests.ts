import { CairnError } from "../../errors.ts";
import { isObject } from "../../is-object.ts";
import { toCommandPolicy } from "../../syscalls/command-policy.ts";
import type { AgentCheck } from "../../versions/agent-check.ts";
import type { Revoked } from "../../versions/policy.ts";
import type { Version } from "../../versions/version.ts";
import type { Workspace } from "../../workspace/open-workspaces.ts";
import type { CommandResult } from "../../workspace/sandbox/run-command.ts";
import { failed, type Outcome, passed, skipped } from "./outcome.ts";

/** Lines of a command's output that are told. */
const MAX_LINES = 20;

/**
 * Runs the checks that the agent declares. Which there are and which commands are allowed is what `before` says, and they
 * cannot write: a change neither judges itself nor becomes another while it is judged.
 */
export async function checkTests(
  before: Version,
  workspace: Workspace,
  signal: AbortSignal,
  revoked?: () => Revoked,
): Promise<Outcome> {
  const { checks } = before.agent;
  if (checks.length === 0) return skipped("`checks` of manifests/agent.yaml names no command.");
  const policy = { ...toCommandPolicy(before, revoked), write: false };
  const results: (readonly string[])[] = [];
  for (const { name, command, timeout } of checks) {
    signal.throwIfAborted();
    try {
      const result = await workspace.exec.run({ command, timeoutMs: timeout }, policy, signal);
      results.push(result.exit_code === 0 ? [] : toFailure({ name, command, timeout }, result));
    } catch (error) {
      results.push([`${name}: ${toRefusal(error)}`]);
    }
  }
  const broken = results.filter((lines) => lines.length > 0);
  const summary = `${checks.length - broken.length} of ${checks.length} commands went well.`;
  return broken.length === 0 ? passed(summary) : failed(summary, ...broken.flat());
}

function toFailure({ name, command, timeout }: AgentCheck, result: CommandResult): readonly string[] {
  const { exit_code: code, limits_hit: limits, stdout, stderr } = result;
  const time = limits.includes("time") ? `, it has ${timeout} ms` : "";
  const end = code === null ? `was ended by a limit (${limits.join(", ")}${time})` : `ended with ${code}`;
  const said = `${stdout}\n${stderr}`.split("\n").filter((line) => line.trim() !== "");
  return [`${name}: \`${command.join(" ")}\` ${end}.`, ...said.slice(-MAX_LINES).map((line) => `    ${line}`)];
}

/** Why a command was not run; rejects where that says nothing about the change or the machine. */
function toRefusal(error: unknown): string {
  if (!(error instanceof CairnError) || error.name === "CANCELLED" || error.name === "NOT_FOUND") throw error;
  if (error.name !== "UNAVAILABLE") return error.message;
  // The engine gives the reason where this machine has no sandbox.
  if (!isObject(error.details) || error.details["reason"] === undefined) throw error;
  return `${error.message} It needs bubblewrap (\`apt-get install bubblewrap\`) and util-linux; docs/workspaces.md has the rest.`;
}
