import type { CommandLimits } from "../limits.ts";
import { PROXY_SOCKET, PROXY_VARIABLES, withForwarder } from "./forwarder.ts";

export interface SandboxedCommand {
  /** Folder that the sandbox shows as `/work`. */
  readonly tree: string;
  readonly writable: boolean;
  /** Below `/work`; empty for itself. */
  readonly cwd: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: CommandLimits;
  /** A Node to be found first on the sandbox's path. */
  readonly node: string;
  /** Folders of the machine that it sees as `/mnt/<name>`; absent: none. */
  readonly mounts?: readonly Mount[];
  /** The socket of the proxy through which it reaches hosts. Absent: it reaches none. */
  readonly proxy?: string;
}

export interface Mount {
  readonly name: string;
  readonly folder: string;
  readonly isWritable: boolean;
}

/**
 * Arguments that start a command. `hidden` is read from a descriptor, so that no process shows the path of the workspace.
 */
export interface SandboxArguments {
  readonly command: readonly string[];
  readonly hidden: readonly string[];
}

/** Descriptors that bubblewrap inherits. */
export const FD = { options: 3, info: 4, filter: 5 } as const;

/** The user of the commands, who owns nothing. */
export const NOBODY = 65_534;

const NODE_FOLDER = "/opt/node/bin";
const PATH = `${NODE_FOLDER}:/usr/local/bin:/usr/bin:/bin`;
const SHARED_MEMORY = 16 * 1024 * 1024;

/** Paths of the system that programs need: no configuration except for libraries and alternatives. */
const SYSTEM = [
  ["--ro-bind", "/usr", "/usr"],
  ["bin", "sbin", "lib", "lib64"].flatMap((name) => ["--symlink", `usr/${name}`, `/${name}`]),
  // bubblewrap makes folders that lead to a mount for its own user only.
  ["/etc", "/tmp", "/opt", "/opt/node", NODE_FOLDER].flatMap((folder) => ["--perms", "0755", "--dir", folder]),
  ["/etc/alternatives", "/etc/ld.so.cache"].flatMap((path) => ["--ro-bind-try", path, path]),
].flat();

/** The authorities that programs other than Node trust. */
const AUTHORITIES = ["--perms", "0755", "--dir", "/etc/ssl", "--ro-bind-try", "/etc/ssl/certs", "/etc/ssl/certs"];

const APART = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"];
const ALONE = ["--die-with-parent", "--new-session", "--clearenv", "--hostname", "sandbox"];

/**
 * Two sandboxes, one in the other. The outer one, made with what rights the service has, holds nothing but what a command
 * may see; in it, a service that is root becomes nobody, who could not have opened the folders that lead to a workspace.
 * The inner one gives up what is left. Its watcher is the first process of the outer one's, so that when it ends the kernel
 * has ended all others, and bubblewrap has seen to it that none is left to be buried.
 */
export function toSandboxArguments(options: SandboxedCommand, isRoot: boolean): SandboxArguments {
  const { tree, writable, node, proxy, mounts = [] } = options;
  const bind = writable ? "--bind" : "--ro-bind";
  const program = `${NODE_FOLDER}/node`;
  const lent = mounts.length === 0 ? [] : ["--perms", "0755", "--dir", "/mnt"];
  const outer = [
    [...ALONE, ...APART, ...(isRoot ? [] : ["--unshare-user"]), "--as-pid-1", "--info-fd", String(FD.info)],
    [...SYSTEM, "--ro-bind", node, program, "--proc", "/proc", "--dev", "/dev", bind, tree, "/work"],
    lent,
    ...mounts.map((mount) => toMount(mount, mount.folder)),
    proxy === undefined ? [] : [...AUTHORITIES, "--ro-bind", proxy, PROXY_SOCKET],
  ].flat();
  const ids = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
  const become = ["setpriv", ...ids, "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"];
  const inner = [
    ["--die-with-parent", "--clearenv", ...SYSTEM, "--ro-bind", program, program],
    // Only the outer one may mount it; what it shows is the outer one's processes.
    ["--ro-bind", "/proc", "/proc", ...innermost(options), bind, "/work", "/work"],
    lent,
    ...mounts.map((mount) => toMount(mount, `/mnt/${mount.name}`)),
    proxy === undefined ? [] : AUTHORITIES,
    ["--chdir", options.cwd === "" ? "/work" : `/work/${options.cwd}`, "--remount-ro", "/"],
  ].flat();
  // It is the first to go when memory runs out, before the service.
  const start = ["choom", "-n", "1000", "--", "bwrap", "--args", String(FD.options), "--", ...(isRoot ? become : [])];
  return {
    command: [
      ...start,
      ...(proxy === undefined ? [] : withForwarder(program, FD.filter)),
      "bwrap",
      ...inner,
      "--",
      "/usr/bin/prlimit",
      ...toBounds(options.limits),
      "--",
      ...options.command,
    ],
    hidden: outer,
  };
}

function toMount({ name, isWritable }: Mount, from: string): readonly string[] {
  return [isWritable ? "--bind" : "--ro-bind", from, `/mnt/${name}`];
}

function innermost({ environment, limits, proxy }: SandboxedCommand): readonly string[] {
  const proxied = proxy === undefined ? {} : PROXY_VARIABLES;
  const fixed = { ...environment, ...proxied, PATH, HOME: "/tmp", TMPDIR: "/tmp", LANG: "C.UTF-8" };
  return [
    ["--unshare-user", "--disable-userns", "--uid", String(NOBODY), "--gid", String(NOBODY), "--cap-drop", "ALL"],
    ["--seccomp", String(FD.filter)],
    // Its /dev is memory that nothing would limit.
    ["--dev", "/dev", "--remount-ro", "/dev", "--size", String(SHARED_MEMORY), "--tmpfs", "/dev/shm"],
    ["--size", String(limits.temporaryBytes), "--tmpfs", "/tmp"],
    Object.entries(fixed).flatMap(([name, value]) => ["--setenv", name, value]),
  ].flat();
}

/** Set inside, so that one sandbox does not count the processes of another. */
function toBounds(limits: CommandLimits): readonly string[] {
  return [
    // A second later it is killed, whatever it does about the first signal.
    `--cpu=${limits.cpuSeconds}:${limits.cpuSeconds + 1}`,
    // Not the address space: V8 reserves gigabytes of it, and uses none.
    `--data=${limits.processBytes}`,
    `--nproc=${limits.processes}`,
    `--nofile=${limits.openFiles}`,
    `--fsize=${limits.fileBytes}`,
    "--core=0",
    "--memlock=0",
  ];
}
