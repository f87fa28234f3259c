import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { CairnError } from "../../../errors.ts";
import type { Revoked } from "../../../versions/policy.ts";
import { COMMAND_LIMITS } from "../limits.ts";
import type { Network } from "./network.ts";
import { openProxy, type Proxy } from "./open-proxy.ts";
import { killProcess } from "./process-tree.ts";
import type { AvailableSandbox } from "./probe-sandbox.ts";
import { type Mount, NOBODY } from "./sandbox-arguments.ts";
import { startSandboxed, type StartedSandbox, waitUntilGone } from "./start-sandboxed.ts";
import { watchUsage } from "./watch-usage.ts";

/** Process in a sandbox that others speak with as long as it runs. */
export interface SandboxedServer {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when it has ended, with `ended with <code>` or the limit that it reached. */
  readonly ended: Promise<string>;
  /** Ends it: its input first, and what is left of it a moment later. Resolves when nothing is left. */
  end(): Promise<void>;
}

export interface ServerProcessOptions {
  readonly sandbox: AvailableSandbox;
  readonly command: readonly string[];
  readonly mounts: readonly Mount[];
  /** Hosts that it reaches, as under `egress`; none: no network. */
  readonly hosts: readonly string[];
  readonly network: Network;
  readonly revoked?: () => Revoked;
}

/** Milliseconds that a server has to end by itself when its input ends. */
const GRACE_MS = 1_000;

/** Starts a server in a sandbox with an empty folder of its own. Rejects with UNAVAILABLE where it does not come about. */
export async function openServerProcess(options: ServerProcessOptions): Promise<SandboxedServer> {
  const tree = await mkdtemp(join(tmpdir(), "cairn-upstream-"));
  let proxy: Proxy | undefined;
  const remove = async () => {
    await proxy?.close();
    await rm(tree, { recursive: true, force: true });
  };
  try {
    const { sandbox, command, mounts, hosts, network, revoked } = options;
    const { node, filter, isRoot } = sandbox;
    const limits = COMMAND_LIMITS;
    await chmod(tree, 0o755);
    if (isRoot) await chown(tree, NOBODY, NOBODY);
    if (hosts.length > 0) proxy = await openProxy({ hosts, limits, network, revoked });
    const reach = proxy === undefined ? {} : { proxy: proxy.socket };
    const place = { tree, writable: true, cwd: "", environment: {}, mounts };
    const started = await startSandboxed({ ...place, command, limits, node, filter, isRoot, ...reach });
    const { stdin, stdout, stderr } = started.child;
    if (stdin === null || stdout === null || stderr === null) throw new TypeError("A child process has no pipes.");
    const ended = watch(started, tree).then(async (how) =>
      remove().then(
        () => how,
        // A command may have taken from us what we need to look into its folders.
        () => `${how} and left files that cannot be removed`,
      ),
    );
    return { stdin, stdout, stderr, ended, end: () => end(started, stdin, ended) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Watches what a server takes until it ends. Resolves with how it ended. */
async function watch({ child, ended, init: begun }: StartedSandbox, tree: string): Promise<string> {
  const over = new AbortController();
  try {
    const init = await begun;
    if (init === undefined) child.kill("SIGKILL");
    const watching =
      init === undefined ? undefined : watchUsage({ pid: init.pid, tree, limits: COMMAND_LIMITS, signal: over.signal });
    const hit = watching?.then((limit) => {
      if (limit !== undefined && init !== undefined) killProcess(init);
      return limit;
    });
    const code = await ended;
    over.abort();
    if (init !== undefined) await waitUntilGone(init);
    const limit = await hit;
    return limit === undefined ? `ended with ${code}` : `ended with its limit of ${limit}`;
  } catch (error) {
    return error instanceof CairnError ? error.message : "ended with a failure of the sandbox";
  } finally {
    over.abort();
  }
}

async function end({ init }: StartedSandbox, stdin: Writable, ended: Promise<string>): Promise<void> {
  stdin.end();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((pass) => (timer = setTimeout(() => pass("late"), GRACE_MS)));
  const first = await Promise.race([ended, late]);
  clearTimeout(timer);
  const process = await init;
  if (first === "late" && process !== undefined) killProcess(process);
  await ended;
}
