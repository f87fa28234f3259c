import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { CairnError } from "../../../errors.ts";
import { SYSTEM_PATH } from "../../../capabilities/workspace/system-program.ts";

/** Limits of one run of the compiler. */
export interface CompilerLimits {
  readonly timeMs: number;
  /** Private memory; the kernel refuses more. */
  readonly memoryBytes: number;
}

/** End of a run, by itself or at a limit. */
export interface Compiled {
  readonly end: "done" | "time" | "memory" | "crash";
  /** Lines that say what is wrong, the first ones. */
  readonly errors: readonly string[];
  /** Files that it has read. */
  readonly files: readonly string[];
}

const MAX_ERRORS = 10_000;
const MAX_FILES = 10_000;
const MAX_LINE = 4_000;

/**
 * Has the compiler look at the project in a folder. It runs no code of what it reads, knows no plugins, writes nothing and
 * is told nothing of this process's environment.
 */
export async function runCompiler(options: {
  readonly compiler: string;
  readonly folder: string;
  readonly limits: CompilerLimits;
  readonly signal: AbortSignal;
}): Promise<Compiled> {
  const { compiler, folder, limits, signal } = options;
  const { timeMs, memoryBytes } = limits;
  const bounds = [`--data=${memoryBytes}`, `--cpu=${Math.ceil(timeMs / 1000) * 2}`, "--fsize=0", "--core=0"];
  const asked = ["-p", "tsconfig.json", "--pretty", "false", "--listFiles"];
  const child = spawn("prlimit", [...bounds, "--", compiler, ...asked], {
    cwd: folder,
    env: { PATH: SYSTEM_PATH, GOMEMLIMIT: String(Math.floor(memoryBytes / 2)) },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeMs,
    killSignal: "SIGKILL",
    signal,
  });
  const errors: string[] = [];
  const files: string[] = [];
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (said.length < MAX_LINE) said += text;
  });
  createInterface(child.stdout).on("line", (line) => {
    const isFile = line.startsWith("/");
    if (isFile && files.length < MAX_FILES) files.push(line);
    // What is indented goes on with the error above, in more detail than anyone is told.
    if (!isFile && /^\S/.test(line) && errors.length < MAX_ERRORS) errors.push(line.slice(0, MAX_LINE));
  });
  const [code, ended] = await once(child, "close").catch((cause: unknown) => {
    if (signal.aborted) throw new CairnError("CANCELLED", "Type checking was given up.", { cause });
    throw new CairnError(
      "UNAVAILABLE",
      "The TypeScript compiler cannot be started; it needs `prlimit` of util-linux.",
      {
        cause,
      },
    );
  });
  return { end: toEnd(code, ended, said, errors.length), errors, files };
}

function toEnd(code: unknown, signal: unknown, said: string, errors: number): Compiled["end"] {
  if (signal === "SIGKILL" || signal === "SIGXCPU") return "time";
  if (code === 0 || (errors > 0 && said === "")) return "done";
  return /out of memory|cannot allocate memory|failed to reserve|pthread_create failed/i.test(said)
    ? "memory"
    : "crash";
}
