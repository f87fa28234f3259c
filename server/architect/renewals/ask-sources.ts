import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadReferencedSecret, type SecretReference } from "../../config/secret-reference.ts";
import { CairnError } from "../../errors.ts";
import { type KnownImport, listImports } from "../../imports/drift/list-imports.ts";
import { type HandedState, loadStates } from "../../imports/drift/saved-drift.ts";
import type { Git } from "../../versions/git/git.ts";

/** State of an import next to its source; `skipped`: nothing is asked, as its source is a command. */
export type AskedImport = KnownImport & { readonly found: HandedState | { readonly state: "skipped" } };

/** Asks the sources of all imports of a commit. Rejects where nothing came of that; a source that fails is a state. */
export type AskSources = (commit: string, signal: AbortSignal) => Promise<readonly AskedImport[]>;

export interface AskSourcesOptions {
  readonly git: Git;
  /** Repository with the commits. */
  readonly gitDir: string;
  /** The program of `cairn drift`, as Node starts it. */
  readonly program: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Bearer tokens of sources, by name of the import. */
  readonly tokens: ReadonlyMap<string, SecretReference>;
}

/** Variables by which programs find each other and the network; none of them is a credential. */
const PASSED = [
  "PATH",
  "TMPDIR",
  "LANG",
  "TZ",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "CAIRN_EGRESS_MAP",
] as const;
/** Milliseconds that a process may take to end, once asked to. */
const GRACE_MS = 5_000;
const MAX_ERRORS = 4_000;
const CLEAN = ["core.hooksPath=/dev/null", "core.autocrlf=false"].flatMap((setting) => ["-c", setting]);
/** Exit codes of `cairn drift --save` that come with a file. */
const DONE: ReadonlySet<number | null> = new Set([0, 1, 4]);

/**
 * Creates what asks sources, in a process of its own. It reads what strangers write, and runs the code made of that: so it has neither
 * the token of the forge nor any other secret of the service but the tokens of sources. What it hands back is data, read as strictly as
 * a file from elsewhere.
 */
export function createAskSources({ git, gitDir, program, environment, tokens }: AskSourcesOptions): AskSources {
  return async (commit, signal) => {
    const place = await mkdtemp(join(tmpdir(), "cairn-drift-"));
    try {
      const [folder, home, file] = [join(place, "tree"), join(place, "home"), join(place, "drift.json")];
      await mkdir(home);
      await git.run(["clone", "--quiet", "--shared", "--no-checkout", "--template=", "--", gitDir, folder]);
      await git.run(["-C", folder, ...CLEAN, "checkout", "--quiet", "--detach", commit]);
      const known = await listImports(folder);
      const asked = known.filter(({ isCommand }) => !isCommand);
      if (asked.length === 0) return known.map(toSkipped);
      const { options, values } = await toCredentials(asked, tokens);
      const argv = [program, "drift", "--guarded", "--save", file, ...options];
      const passed = PASSED.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]]));
      const variables = { ...Object.fromEntries(passed), ...values, HOME: home, CAIRN_DATA: join(place, "data") };
      const { code, errors } = await run(argv, { folder, variables, signal });
      if (!DONE.has(code)) throw new CairnError("UNAVAILABLE", `Sources could not be asked: ${errors}`);
      const states = await loadStates(file, commit, known);
      return known.map((one) => {
        const found = one.isCommand ? undefined : states.get(one);
        return found === undefined ? toSkipped(one) : { ...one, found };
      });
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  };
}

function toSkipped(one: KnownImport): AskedImport {
  return { ...one, found: { state: "skipped" } };
}

/** Loads the tokens of these imports into variables, and names them. @throws UNAVAILABLE */
async function toCredentials(known: readonly KnownImport[], tokens: AskSourcesOptions["tokens"]) {
  const options: string[] = [];
  const values: Record<string, string> = {};
  for (const { name } of known) {
    const reference = tokens.get(name);
    if (reference === undefined) continue;
    const variable = `CAIRN_DRIFT_TOKEN_${options.length}`;
    values[variable] = await loadReferencedSecret(`CAIRN_DRIFT_TOKENS (${name})`, reference);
    options.push("--token-env", `${name}=${variable}`);
  }
  return { options, values };
}

interface Surroundings {
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Runs the program to its end. Rejects with CANCELLED where `signal` has ended it. */
async function run(argv: readonly string[], { folder, variables, signal }: Surroundings) {
  const child = spawn(process.execPath, [...argv], {
    cwd: folder,
    env: variables,
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  // The process may have started others.
  const end = (kind: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, kind);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    end("SIGTERM");
    timer = setTimeout(() => end("SIGKILL"), GRACE_MS);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (errors.length < MAX_ERRORS) errors += text.slice(0, MAX_ERRORS - errors.length);
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject).once("close", resolve);
    });
    if (signal.aborted) throw new CairnError("CANCELLED", "Asking the sources took too long, or was given up.");
    return { code, errors: errors.trim() };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
