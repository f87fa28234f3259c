import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { Duplex } from "node:stream";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { toReadablePaths } from "./readable-paths.ts";
import { createLineReader, type Frame, readFrame } from "./wire.ts";

/** Characters of one line that a host may send. */
const MAX_LINE = 2 ** 28;
/** Characters of a host's last words that are kept. */
const MAX_WORDS = 2_000;
/** With them, code that breaks out can write no file, read none but its own, and start no process or thread. */
export const CONFINED = [
  "--permission",
  "--no-warnings",
  // What erases types is WebAssembly, and runs too shortly to be worth V8's slow compiler.
  "--liftoff-only",
  ...toReadablePaths().map((path) => `--allow-fs-read=${path}`),
];
const FLAGS = [
  ...CONFINED,
  // TurboFan drops the check for interrupts from some loops, which then heed neither time nor memory limit.
  "--no-turbofan",
  // isolated-vm asks for it: isolates next to a heap that came out of a snapshot are not safe.
  "--no-node-snapshot",
  // Gives the guest a way to tidy up once, after loading; handlers never see it.
  "--expose-gc",
  // Of Node's own heap, which is apart from the isolates'.
  "--max-old-space-size=256",
  "--allow-addons",
];

/** A process that holds isolates. */
export interface Host {
  readonly pid: number | undefined;
  /** Has `compose` asked for its lines when this turn of the event loop is over; all of a turn goes out in one write. */
  send(compose: () => string): void;
  kill(): void;
}

export interface HostOptions {
  /** Words before its command, such as a program that starts it without a network; none: it is started as it is. */
  readonly launcher: readonly string[];
  /** Megabytes of resident memory at which the host gives up. */
  readonly memory: number;
  /** Niceness: 0 none, 19 the most. */
  readonly nice: number;
  readonly onFrame: (frame: Frame) => void;
  /** The process is gone and everything it said has been heard. `words` is how it ended and what it wrote to stderr. */
  readonly onEnd: (words: string) => void;
}

/**
 * Starts a host with as little as it can do with: no environment, no descriptors of this process, and a better claim
 * than this process to be killed when memory runs out.
 */
export function spawnHost({ launcher, memory, nice, onFrame, onEnd }: HostOptions): Host {
  const program = fileURLToPath(new URL(`./host/host-process${extname(import.meta.url)}`, import.meta.url));
  const [command = process.execPath, ...args] = [...launcher, process.execPath, ...FLAGS, program, String(memory)];
  const child = spawn(command, args, {
    cwd: "/",
    // The time zone is what programs would otherwise see of the machine.
    env: { TZ: "UTC" },
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const socket = child.stdio[3];
  if (!(socket instanceof Duplex)) throw new TypeError("A pipe to a child process is not a stream.");
  let words = "";
  let composers: (() => string)[] = [];

  const kill = () => {
    child.kill("SIGKILL");
  };
  const fail = (error: unknown) => {
    words = String(error);
    kill();
  };
  const readLine = createLineReader(MAX_LINE, (line) => onFrame(readFrame(line)));
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    try {
      readLine(chunk);
    } catch (error) {
      fail(error);
    }
  });
  // A write to a host that has just ended fails; that it ended is told below.
  socket.on("error", kill);
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    words = `${words}${chunk}`.slice(-MAX_WORDS);
  });
  child.on("error", fail);
  child.on("close", (code, signal) => onEnd(`${signal ?? `exit code ${code}`}${words && `: ${words}`}`));
  if (child.pid !== undefined) {
    void volunteerForKilling(child.pid);
    giveWay(child.pid, nice);
  }

  return {
    pid: child.pid,
    kill,
    send(compose) {
      if (composers.length === 0) setImmediate(flush);
      if (!composers.includes(compose)) composers.push(compose);
    },
  };

  function flush(): void {
    const turn = composers;
    composers = [];
    let lines = "";
    for (const compose of turn) lines += compose();
    if (lines !== "" && socket instanceof Duplex) socket.write(lines);
  }
}

async function volunteerForKilling(pid: number): Promise<void> {
  // Only Linux has this, and not every container lets it be written; without it the kernel chooses as it would.
  await writeFile(`/proc/${pid}/oom_score_adj`, "1000").catch(() => undefined);
}

/** Threads take after the one that starts them, and at this moment there is only one. */
function giveWay(pid: number, nice: number): void {
  if (nice === 0) return;
  try {
    setPriority(pid, nice);
  } catch {
    // It may be gone already, and a container may not allow it: then it is as important as others.
  }
}
