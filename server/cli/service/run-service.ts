import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { type Config, type Environment, findUnknownVariables, readConfig } from "../../config/config.ts";
import { toDataPaths } from "../../config/data-folder.ts";
import { CairnError } from "../../errors.ts";
import { createLog } from "../../log/log.ts";
import { createPrettyStream, isColoured } from "../../log/pretty.ts";
import { createRedactor } from "../../log/redact.ts";
import { createShowCalls } from "../../operations/show-calls.ts";
import type { Service } from "../../app/app.ts";
import { createStartWorker } from "../../app/workers/start-worker.ts";
import { type Link, openLink } from "../../instance/workers/open-link.ts";
import { EXIT } from "../exit-codes.ts";
import { findService } from "../../instance/hold-or-ask.ts";
import { readUpstream } from "../../versions/git/upstream.ts";
import type { Version } from "../../versions/version.ts";
import type { CliContext } from "../command.ts";
import { findWorkerPipe } from "../../config/worker-pipe.ts";
import { assertSole } from "../../config/sharing.ts";
import { loadSecrets } from "./load-secrets.ts";
import { defined } from "../../json/defined.ts";
import { greet } from "./greet.ts";

export const SERVICE_OPTIONS = {
  port: {
    type: "string",
    valueHint: "number",
    description: "Port to listen on; 0 takes a free one (default: PORT, or 3000)",
  },
  host: { type: "string", valueHint: "address", description: "Address to listen on (default: HOST, or 127.0.0.1)" },
  data: {
    type: "string",
    valueHint: "folder",
    description: "Where Cairn keeps its data (default: CAIRN_DATA, or .cairn)",
  },
} as const;

interface Options {
  /** The command that wants the service. */
  readonly command: "serve" | "dev" | "stdio";
  readonly port?: string | undefined;
  readonly host?: string | undefined;
  readonly data?: string | undefined;
  readonly repository?: string | undefined;
  readonly workTree?: string;
  /** Hears of each state of that checkout that can be served. */
  readonly onWorkTree?: (version: Version) => Promise<void>;
}

/** Cairn's own checkout, which the embedded repository begins from. */
const CHECKOUT = fileURLToPath(new URL("../../../", import.meta.url));

/** A service, or what has its processes. */
interface Running {
  /** Lines that greet the operator. */
  readonly lines: readonly string[];
  readonly close: () => Promise<void>;
}

/** Serves until the process is asked to end. Options win over the environment. */
export async function runService(context: CliContext, options: Options): Promise<void> {
  const { environment, out, err, stopped } = context;
  const pipe = findWorkerPipe(environment);
  if (pipe !== undefined) return runWorker(context, options, pipe);
  for (const sentence of findUnknownVariables(environment)) err(`cairn: ${sentence}`);
  const hasWorkers = options.command === "serve" && loadConfig(environment, options).workers > 1;
  const running = await openUnlessStopped(stopped, (starting) =>
    hasWorkers ? openConfiguredPrimary(context, options, starting) : openGreeting(context, options, starting),
  );
  if (running === undefined) return out("Cairn was ended before it served anything.");
  for (const line of running.lines) out(line);
  await stopped();
  out("Cairn finishes what it has begun, and ends.");
  await running.close();
}

/** Serves as a worker, until its primary or somebody else asks it to end. Without its primary it ends at once. */
async function runWorker(context: CliContext, options: Options, pipe: number): Promise<void> {
  const socket = new Socket({ fd: pipe, readable: true, writable: true });
  const worker = await openLink(socket, () => process.exit(EXIT.ENVIRONMENT));
  const stopped = () => Promise.race([context.stopped(), worker.stopping]);
  const running = await openUnlessStopped(stopped, (starting) => openGreeting(context, options, starting, worker));
  if (running === undefined) return;
  worker.announce({ lines: running.lines });
  await stopped();
  await running.close();
}

/** A service that somebody on this machine can use as long as it stays. */
export interface UsableService {
  readonly url: string;
  /** Says whether it ends with `close`. */
  readonly isOwn: boolean;
  readonly close: () => Promise<void>;
}

/** A service of our own, or the one of the process that has the data folder. It prints nothing. */
export async function openOrJoin(context: CliContext, options: Options): Promise<UsableService> {
  const running = await findRunning(context, options);
  if (running !== undefined) return running;
  try {
    const { url, close } = await openConfigured(context, options);
    return { url, isOwn: true, close };
  } catch (error) {
    // Another one may have come first.
    const first = await findRunning(context, options);
    if (first === undefined) throw error;
    return first;
  }
}

/** The service of the process that has the data folder; UNAVAILABLE when it serves another repository. */
async function findRunning(context: CliContext, options: Options): Promise<UsableService | undefined> {
  const { data, repository } = loadConfig(context.environment, options);
  const found = await findService(data);
  if (found === undefined) return undefined;
  const wanted = repository === undefined ? toDataPaths(data).origin : readUpstream(repository, context.folder).shown;
  if (found.repository === wanted) return { url: found.url, isOwn: false, close: () => Promise.resolve() };
  const advice = `not for \`${wanted}\`; name another folder with \`--data\``;
  throw new CairnError("UNAVAILABLE", `\`${data}\` is in use for \`${found.repository}\`, ${advice}.`);
}

/** A first copy of a repository may take minutes, in which nobody who ends the service waits for it. */
async function openUnlessStopped(
  stopped: CliContext["stopped"],
  open: (starting: AbortSignal) => Promise<Running>,
): Promise<Running | undefined> {
  const starting = new AbortController();
  let isOpen = false;
  void stopped().then(() => {
    if (!isOpen) starting.abort();
  });
  try {
    const running = await open(starting.signal);
    isOpen = true;
    return running;
  } catch (error) {
    if (starting.signal.aborted) return undefined;
    throw error;
  }
}

async function openGreeting(...given: Parameters<typeof openConfigured>): Promise<Running> {
  const service = await openConfigured(...given);
  return { lines: await greet(service), close: service.close };
}

/** The process that has the data folder, with workers that are started as this one was. */
async function openConfiguredPrimary(
  { environment, folder }: CliContext,
  options: Options,
  starting: AbortSignal,
): Promise<Running> {
  const config = loadConfig(environment, options);
  const log = createLog(
    config.logLevel,
    toLogStream(config.logFormat, environment, false),
    createRedactor(await loadSecrets(config)),
  );
  const program = [process.execPath, ...process.execArgv, process.argv[1] ?? "", "serve"];
  const start = createStartWorker(program, folder);
  const { openPrimary } = await import("../../app/workers/open-primary.ts");
  return openPrimary({ config, command: "serve", environment, checkout: CHECKOUT, start, starting, log });
}

/** A service as the options and the environment have it, which prints nothing. `starting` ends its start. */
async function openConfigured(
  { environment, folder, out }: CliContext,
  options: Options,
  starting?: AbortSignal,
  worker?: Link,
): Promise<Service> {
  const config = loadConfig(environment, options);
  // Logs share standard error with what goes wrong; standard output is for people.
  const redactor = createRedactor(await loadSecrets(config));
  const isDev = options.command === "dev";
  const log = createLog(config.logLevel, toLogStream(config.logFormat, environment, isDev), redactor);
  const colours = isColoured(environment, process.stdout.isTTY === true);
  // A primary serves nothing, and needs no room for what does.
  const { openService } = await import("../../app/app.ts");
  const show = isDev ? createShowCalls({ print: out, colours, now: Date.now }) : undefined;
  return openService({
    config,
    command: options.command,
    environment,
    folder,
    checkout: options.workTree ?? CHECKOUT,
    ...defined({ workTree: options.workTree, onWorkTree: options.onWorkTree }),
    log,
    redactor,
    ...defined({ starting, worker, show }),
  });
}

/** Opens standard error for lines of JSON, or for people: as the format says, or in `dev`, or where it is a terminal. */
function toLogStream(
  format: Config["logFormat"],
  environment: Environment,
  isDev: boolean,
): { write(line: string): void } {
  const isTerminal = process.stderr.isTTY === true;
  if (format === "json" || (format === "auto" && !isTerminal && !isDev)) return process.stderr;
  return createPrettyStream(process.stderr, { colours: isColoured(environment, isTerminal) });
}

/**
 * Refuses an empty option, which is more likely a shell variable that nobody has set. An empty variable counts as absent.
 * @throws BAD_REQUEST
 */
export function refuseEmpty(options: Readonly<Record<string, string | undefined>>): void {
  const empty = Object.entries(options).find(([, value]) => value?.trim() === "");
  if (empty === undefined) return;
  throw new CairnError("BAD_REQUEST", `The value of ${empty[0]} is empty; leave it out to have the default.`);
}

function loadConfig(environment: Environment, { port, host, data, repository, workTree }: Options): Config {
  refuseEmpty({ "--port": port, "--host": host, "--data": data, "the repository": repository });
  const overrides = {
    PORT: port,
    HOST: host,
    CAIRN_DATA: data,
    CAIRN_REPO: repository ?? workTree,
    // What people work in is theirs to change, whatever is set for services.
    CAIRN_FORGE: workTree === undefined ? undefined : "none",
  };
  const given = Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
  const result = readConfig({ ...environment, ...given });
  if (result.ok && workTree !== undefined) assertSole(result.config.store);
  if (result.ok) return result.config;
  throw new CairnError(
    "BAD_REQUEST",
    `The configuration is wrong:\n${result.problems.map((line) => `  ${line}`).join("\n")}`,
  );
}
