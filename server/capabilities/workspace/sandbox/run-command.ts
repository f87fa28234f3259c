import { CairnError } from "../../../errors.ts";
import { inFolder } from "../beneath.ts";
import { runSystemProgram } from "../system-program.ts";
import { type CommandPolicy, checkCommand, toHosts, toLimits } from "./command-policy.ts";
import type { Connection } from "./connection-log.ts";
import type { Network } from "./network.ts";
import { openProxy } from "./open-proxy.ts";
import type { TrafficOptions } from "./tunnel.ts";
import type { Sandbox } from "./probe-sandbox.ts";
import { type SandboxResult, type SandboxRun, runSandboxed } from "./run-sandboxed.ts";
import { NOBODY } from "./sandbox-arguments.ts";
import { isDiskFull, isOverfull } from "./watch-usage.ts";

export interface CommandRequest {
  /** A program and its arguments; no shell reads them. */
  readonly command: readonly string[];
  /** A folder of the workspace; absent: its root. */
  readonly cwd?: string;
  /** Absent: as long as the policy lets it. */
  readonly timeoutMs?: number;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface CommandResult extends Omit<SandboxResult, "limits_hit"> {
  readonly limits_hit: readonly (SandboxResult["limits_hit"][number] | "network")[];
  /** Connections that it tried through the proxy, allowed or not. */
  readonly connections: readonly Connection[];
}

/** Name of the mount with the repository that is lent to a command. */
const LENT = "git";
const GIT_ENVIRONMENT = {
  GIT_DIR: `/mnt/${LENT}`,
  GIT_WORK_TREE: "/work",
  // The repository can only be read.
  GIT_OPTIONAL_LOCKS: "0",
} as const;

/**
 * Runs a command of a policy on the files of a workspace. Rejects with UNAVAILABLE where there is no sandbox. When it
 * rejects after the command began, the error's details have the connections, too.
 */
export async function runCommand(options: {
  readonly sandbox: Sandbox;
  readonly tree: string;
  readonly request: CommandRequest;
  readonly policy: CommandPolicy;
  readonly network: Network;
  /** Lends a repository to commands that ask git; absent: they find none. */
  readonly lend?: (() => Promise<string>) | undefined;
  readonly signal?: AbortSignal | undefined;
}): Promise<CommandResult> {
  const { sandbox, tree, request, policy, network, signal } = options;
  const { command, cwd = "", stdin = "", env: environment = {}, timeoutMs } = request;
  if (signal?.aborted === true) throw new CairnError("CANCELLED", "The command was given up before it began.");
  checkCommand(command, environment, policy);
  if (!sandbox.available) {
    const message = `Commands cannot be run, because there is no sandbox for them here: ${sandbox.reason}`;
    throw new CairnError("UNAVAILABLE", message, { details: { reason: sandbox.reason } });
  }
  const limits = toLimits(policy);
  if (Buffer.byteLength(stdin) > limits.inputBytes) {
    throw new CairnError("PAYLOAD_TOO_LARGE", `The command's input has more than ${limits.inputBytes} bytes.`);
  }
  if (timeoutMs !== undefined && !(Number.isSafeInteger(timeoutMs) && timeoutMs >= 1)) {
    throw new CairnError("BAD_REQUEST", "`timeoutMs` is no positive whole number.");
  }
  await inFolder(tree, cwd, async () => undefined);
  if (await isDiskFull(tree)) throw new CairnError("UNAVAILABLE", "The disk is nearly full, so no command is run.");
  if (await isOverfull(tree, limits)) {
    const message = `The workspace holds more than ${limits.workspaceFiles} files or ${limits.workspaceBytes} bytes already.`;
    throw new CairnError("CONFLICT", message);
  }
  const repository = command[0] === "git" ? await options.lend?.() : undefined;
  // What this service wrote is its own; the command is somebody else.
  if (sandbox.isRoot)
    await runSystemProgram("chown", [
      "-R",
      "-h",
      "--from=0",
      `${NOBODY}:${NOBODY}`,
      "--",
      tree,
      ...(repository === undefined ? [] : [repository]),
    ]);
  const run = {
    tree,
    writable: policy.write,
    cwd,
    command,
    environment: { ...environment, ...(repository !== undefined && GIT_ENVIRONMENT) },
    ...(repository !== undefined && { mounts: [{ name: LENT, folder: repository, isWritable: false }] }),
    limits,
    stdin,
    signal,
    timeoutMs: Math.min(timeoutMs ?? limits.wallMs, limits.wallMs),
    node: sandbox.node,
    filter: sandbox.filter,
    isRoot: sandbox.isRoot,
  };
  return runConnected(run, { hosts: toHosts(command, policy), revoked: policy.revoked }, network);
}

async function runConnected(
  run: SandboxRun,
  reach: Pick<TrafficOptions, "hosts" | "revoked">,
  network: Network,
): Promise<CommandResult> {
  if (reach.hosts.length === 0) return { ...(await runSandboxed(run)), connections: [] };
  const proxy = await openProxy({ ...reach, limits: run.limits, network });
  const [ran] = await Promise.allSettled([runSandboxed({ ...run, proxy: proxy.socket })]);
  const { connections, isLimited } = await proxy.close();
  if (ran.status === "rejected") throw tellConnections(ran.reason, connections);
  const { limits_hit, ...result } = ran.value;
  return { ...result, limits_hit: isLimited ? [...limits_hit, "network"] : limits_hit, connections };
}

function tellConnections(error: unknown, connections: readonly Connection[]): unknown {
  if (!(error instanceof CairnError) || connections.length === 0) return error;
  return new CairnError(error.name, error.message, { cause: error, details: { connections } });
}
