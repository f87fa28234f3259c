import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { expect } from "vitest";
import { eventually } from "../helpers/eventually.ts";
import { findFreePort } from "../helpers/free-port.ts";
import type { AtEnd } from "../helpers/temporary.ts";
import type { Image } from "./build-image.ts";

export interface Container {
  readonly url: string;
  /** Number of its first process on this machine. */
  readonly pid: number;
  /** Runs a command in it, as `docker exec` does; rejects when that fails. */
  exec(...command: readonly string[]): Promise<string>;
  /** The exit code, once it has ended. */
  readonly ended: Promise<number | null>;
}

interface ContainerOptions {
  /** Folder that becomes `/data`. */
  readonly volume: string;
  /** Path of the repository that it serves. */
  readonly repository: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Processes, mounts and signals of its own. The network is this machine's. */
const OWN = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--as-pid-1", "--die-with-parent", "--new-session"];
const FILES = ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--chmod", "1777", "/tmp"];
/** Rights to become the account, and nothing else: with that, the kernel takes these away, too. */
const RIGHTS = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"];

/**
 * Starts a container with bubblewrap as `docker run --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges` does, with
 * the image's own account, environment and command; resolves once `/readyz` says that it is ready.
 */
export async function startContainer(
  { config, root }: Image,
  { volume, repository, environment: more }: ContainerOptions,
  atEnd: AtEnd,
): Promise<Container> {
  const port = await findFreePort();
  const own = Object.entries({ ...more, PORT: String(port), CAIRN_REPO: "/srv" }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const environment = ["--ignore-environment", ...config.Env, ...own];
  const [uid, gid] = config.User.split(":");
  const account = ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
  const command = ["env", `--chdir=${config.WorkingDir}`, ...environment, ...config.Entrypoint, ...config.Cmd];
  const folders = ["--bind", volume, "/data", "--ro-bind", repository, "/srv", "--chdir", "/"];
  const child = spawn(
    "bwrap",
    ["--ro-bind", root, "/", ...FILES, ...folders, ...OWN, ...RIGHTS, "--info-fd", "3", "--", ...account, ...command],
    { stdio: ["ignore", "pipe", "pipe", "pipe"] },
  );
  const ended = once(child, "exit").then(([code]) => code as number | null);
  let first: number | undefined;
  // bubblewrap's own end does not reach a process that became another account, so its first one is killed, and all others with it.
  atEnd(async () => {
    if (first !== undefined && child.exitCode === null) process.kill(first, "SIGKILL");
    child.kill("SIGKILL");
    await ended;
  });
  let output = "";
  for (const stream of child.stdio.slice(1, 3)) stream?.on("data", (chunk: Buffer) => (output += chunk));
  let info = "";
  for await (const chunk of child.stdio[3] as Readable) if ((info += chunk).includes("}")) break;
  const { "child-pid": pid } = JSON.parse(info) as { "child-pid": number };
  first = pid;
  const url = `http://127.0.0.1:${port}`;
  const ready = eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200));
  await ready.catch((cause: unknown) => {
    throw new Error(`The container is not ready:\n${output}`, { cause });
  });
  const inside = ["--target", String(pid), "--mount", "--pid", "--ipc", "--uts", "--root", "--wd"];
  const exec = async (...args: readonly string[]) => {
    const { stdout } = await promisify(execFile)("nsenter", [...inside, ...account, "env", ...environment, ...args]);
    return stdout;
  };
  return { url, pid, exec, ended };
}
