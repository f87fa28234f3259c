import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { CairnError } from "../../errors.ts";

/** Runs git without a shell, within time and output limits, deaf to everything that could make it run other programs. */
export interface Git {
  /**
   * Runs the command and returns its output; a failure is INTERNAL_ERROR with git's message, too slow is
   * UPSTREAM_TIMEOUT.
   */
  run(args: readonly string[], options?: RunOptions): Promise<string>;
  /** A process that stays: whoever starts it ends it. */
  start(args: readonly string[]): ChildProcessWithoutNullStreams;
}

export interface RunOptions {
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal | undefined;
  /** Exit statuses that are no failure; 0 alone unless told. */
  readonly statuses?: readonly number[];
  /** Added to the environment of this one command; stands above what holds for all. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The first git whose `cat-file` knows `--batch-command`. */
const OLDEST = [2, 36] as const;
const TIMEOUT_MS = 60_000;
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_STDERR = 8_192;
/** Time between asking a process to clean up and ending it. */
const GRACE_MS = 2_000;

/** Variables of git's own that say how to reach a remote; all others, like GIT_DIR, would change what a command means. */
const KEPT =
  /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|SSL_\w+|HTTP_\w+)$/;

const ALWAYS = {
  LC_ALL: "C",
  // A missing password is an error, not a question on a terminal nobody watches.
  GIT_TERMINAL_PROMPT: "0",
  // `ext::` and its like would run commands named in an address.
  GIT_ALLOW_PROTOCOL: "file:https:ssh:http:git",
  // A replace ref would put other content under an object id.
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_OPTIONAL_LOCKS: "0",
};

const CONFIG = [
  // Hooks and file monitors are programs that a repository chooses.
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  // Housekeeping happens when the mirror says so, never beside a fetch.
  "gc.auto=0",
  "maintenance.auto=false",
  // The operator named these folders; who owns them, often another user in a container, says nothing.
  "safe.directory=*",
].flatMap((setting) => ["-c", setting]);

export async function loadGit(options: {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly command?: string;
  /** Ends every command that runs, and refuses all others. */
  readonly signal?: AbortSignal | undefined;
}): Promise<Git> {
  const command = options.command ?? "git";
  const git = createGit(command, cleanEnvironment(options.environment), options.signal);
  const version = await git.run(["--version"]).catch((cause: unknown) => {
    // The first error is of `run`, and repeats the words of the system's.
    const reason = cause instanceof CairnError ? (cause.cause ?? cause) : cause;
    const message = `\`${command}\` cannot be run; Cairn needs git ${OLDEST.join(".")} or newer.`;
    throw new CairnError("UNAVAILABLE", message, { cause: reason });
  });
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  if (Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1])) return git;
  throw new CairnError(
    "UNAVAILABLE",
    `\`${command} --version\` says \`${version.trim()}\`; Cairn needs git ${OLDEST.join(".")} or newer.`,
  );
}

/** For remote commands on a path of this machine: what serves it has to hear, too, that its owner does not matter. */
export const SERVE_LOCALLY = "--upload-pack=git -c 'safe.directory=*' upload-pack";

/** `text` without the user name and password of any address in it. */
export function redact(text: string): string {
  return text.replaceAll(/([a-z][a-z0-9+.-]*:\/\/)[^\s/'"]*@/gi, "$1***@");
}

function createGit(command: string, environment: Record<string, string>, closing: AbortSignal | undefined): Git {
  const launch = (args: readonly string[], extra: Readonly<Record<string, string>> = {}) =>
    // A group of its own, so that ending it ends ssh, index-pack and whatever else git started.
    spawn(command, [...CONFIG, ...args], { env: { ...environment, ...ALWAYS, ...extra }, detached: true });

  return Object.freeze({
    start: (args: readonly string[]) => launch(args),
    run: (args: readonly string[], options: RunOptions = {}) =>
      new Promise<string>((resolve, reject) => {
        const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, signal, statuses = [0] } = options;
        if (signal?.aborted === true || closing?.aborted === true) {
          return reject(new CairnError("UNAVAILABLE", "The repository is closed."));
        }
        const child = launch(args, options.environment);
        const chunks: Buffer[] = [];
        let [size, stderr] = [0, ""];
        let ended: CairnError | undefined;
        const name = `git ${args.find((arg) => /^[a-z][a-z-]*$/.test(arg)) ?? args[0] ?? ""}`;
        const end = (error: CairnError) => {
          ended ??= error;
          endGroup(child);
        };
        const timer = setTimeout(() => {
          end(new CairnError("UPSTREAM_TIMEOUT", `\`${name}\` took longer than ${timeoutMs} ms.`));
        }, timeoutMs);
        const onAbort = () => end(new CairnError("UNAVAILABLE", `\`${name}\` was stopped.`));
        for (const each of [signal, closing]) each?.addEventListener("abort", onAbort);
        child.stdout.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size <= maxBytes) chunks.push(chunk);
          else end(new CairnError("INTERNAL_ERROR", `\`${name}\` printed more than ${maxBytes} bytes.`));
        });
        child.stderr.on("data", (chunk: Buffer) => {
          stderr = (stderr + chunk.toString()).slice(-MAX_STDERR);
        });
        // A process that ends before it read its input tells why on stderr.
        child.stdin.on("error", () => undefined);
        child.stdin.end(options.input ?? "");
        const settle = (settled: () => void) => {
          clearTimeout(timer);
          for (const each of [signal, closing]) each?.removeEventListener("abort", onAbort);
          settled();
        };
        child.on("error", (cause) => settle(() => reject(new CairnError("INTERNAL_ERROR", cause.message, { cause }))));
        child.on("close", (code) =>
          settle(() => {
            if (ended !== undefined) reject(ended);
            else if (code !== null && statuses.includes(code)) resolve(Buffer.concat(chunks).toString("utf8"));
            else reject(new CairnError("INTERNAL_ERROR", `\`${name}\` failed: ${lastWords(stderr, code)}`));
          }),
        );
      }),
  });
}

function cleanEnvironment(given: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && (!entry[0].startsWith("GIT_") || KEPT.test(entry[0])),
    ),
  );
}

function endGroup(child: ChildProcessWithoutNullStreams): void {
  signalGroup(child, "SIGTERM");
  const timer = setTimeout(() => signalGroup(child, "SIGKILL"), GRACE_MS);
  child.once("close", () => clearTimeout(timer));
}

function signalGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch (error) {
    // Gone already is as good.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Lines with a reason: git's own, those of its host, and those of ssh, which has no prefix for some. */
const TELLING = /^(?:fatal|error|remote|ssh):|Permission denied|Host key verification failed/;

/** Extracts git's error message, without secrets and without advice. */
function lastWords(stderr: string, code: number | null): string {
  const lines = redact(stderr)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const telling = lines.filter((line) => TELLING.test(line));
  const words = (telling.length > 0 ? telling : lines).slice(-4).join(" ");
  return words.slice(0, 600) || `exit status ${code}`;
}
