import { fileURLToPath } from "node:url";
import { type Config, type Environment, findUnknownVariables, readConfig } from "../../config/config.ts";
import { toDataPaths } from "../../config/data-folder.ts";
import { CairnError } from "../../errors.ts";
import { createLog } from "../../log/log.ts";
import { createPrettyStream, isColoured } from "../../log/pretty.ts";
import { createRedactor } from "../../log/redact.ts";
import { createShowCalls } from "../../operations/show-calls.ts";
import { openService, type Service } from "../../app/app.ts";
import { findService } from "../../instance/hold-or-ask.ts";
import { readUpstream } from "../../versions/git/upstream.ts";
import type { Version } from "../../versions/version.ts";
import type { CliContext } from "../command.ts";
import { assertSole } from "../../config/sharing.ts";
import { loadSecrets } from "./load-secrets.ts";
import { defined } from "../../json/defined.ts";
import { count } from "../../text/count.ts";
import { quoteShell } from "../../text/quote-shell.ts";

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
/** Versions named when the service starts. */
const SHOWN = 10;

/** Serves until the process is asked to end. Options win over the environment. */
export async function runService(context: CliContext, options: Options): Promise<void> {
  const { environment, out, err, stopped } = context;
  for (const sentence of findUnknownVariables(environment)) err(`cairn: ${sentence}`);
  const service = await openUnlessStopped(context, options);
  if (service === undefined) return out("Cairn was ended before it served anything.");
  for (const line of await greet(service)) out(line);
  await stopped();
  out("Cairn finishes what it has begun, and ends.");
  await service.close();
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
async function openUnlessStopped(context: CliContext, options: Options): Promise<Service | undefined> {
  const starting = new AbortController();
  let isOpen = false;
  void context.stopped().then(() => {
    if (!isOpen) starting.abort();
  });
  try {
    const service = await openConfigured(context, options, starting.signal);
    isOpen = true;
    return service;
  } catch (error) {
    if (starting.signal.aborted) return undefined;
    throw error;
  }
}

/** A service as the options and the environment have it, which prints nothing. `starting` ends its start. */
async function openConfigured(
  { environment, folder, out }: CliContext,
  options: Options,
  starting?: AbortSignal,
): Promise<Service> {
  const config = loadConfig(environment, options);
  // Logs share standard error with what goes wrong; standard output is for people.
  const redactor = createRedactor(await loadSecrets(config));
  const isDev = options.command === "dev";
  const log = createLog(config.logLevel, toLogStream(config.logFormat, environment, isDev), redactor);
  const colours = isColoured(environment, process.stdout.isTTY === true);
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
    ...defined({ starting, show }),
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

/** Greets the operator with the served versions and a first call to copy. */
async function greet({ url, registry, delay, isOpen, hasConsole, hiddenData }: Service): Promise<readonly string[]> {
  const { versions, total, served } = await registry.list({ limit: SHOWN, offset: 0, includeUnstable: true });
  const { dev, pullRequests } = registry.status();
  const quarantined = total - served - pullRequests;
  const names = versions.map(({ tag, commit, servers, state, labels, pullRequest }) => {
    const name = tag?.slice(1) ?? commit.slice(0, 10);
    if (state === "quarantined") return `  ${name}  quarantined: ${url}/versions/${commit} says why`;
    if (state === "preview") return `  ${name}  pull request ${pullRequest}, a preview: ${url}/versions/${commit}`;
    if (state === "unserved") return `  ${name}  pull request ${pullRequest}, not served: ${url}/versions/${commit}`;
    const label = labels.length === 0 ? "" : ` (${labels.join(", ")})`;
    return `  ${name}${label}  ${servers.map((server) => `${url}/agent/${name}/${server}`).join("  ")}`;
  });
  const first = dev?.commit === undefined ? "latest" : "dev";
  return [
    `Cairn serves ${count(served, "version")} at ${url}`,
    ...(quarantined > 0 ? [`${quarantined} more ${quarantined === 1 ? "is" : "are"} quarantined, so not served`] : []),
    ...names,
    ...(total === 0 && dev?.commit === undefined ? NO_VERSIONS : []),
    ...(total > SHOWN ? [`  ... and ${total - SHOWN} more: ${url}/versions`] : []),
    ...(dev?.commit === undefined ? [] : [`  dev  the uncommitted work tree, at ${url}/agent/dev`]),
    "",
    `${delay}.`,
    ...(hasConsole ? [`The console for browsers is at ${url}/`] : []),
    ...(isOpen ? OPEN : []),
    ...(hiddenData === undefined ? [] : [hiddenData]),
    ...(await firstCall(url, first, registry, isOpen)),
  ];
}

const NO_VERSIONS = [
  "",
  "A version is a commit with a tag: `v0.1.0` where its versions.yaml says `current: 0.1.0`. In the repository, `cairn validate` says",
  "whether its last commit can be one, and `cairn release --push` tags it. `cairn init my-agent` makes a repository to begin with.",
];

const OPEN = [
  "Callers need no token, so only this machine can reach it; `cairn token create` makes the first token, and changes that.",
];

/** A call that works without any network: the shortest example of a tool that needs none, of the runner if it has one. */
async function firstCall(
  url: string,
  segment: string,
  registry: Service["registry"],
  isOpen: boolean,
): Promise<readonly string[]> {
  const resolved = await registry.resolve(segment).catch(() => undefined);
  const calls = [...(resolved?.version.tools.values() ?? [])]
    .filter(({ uses }) => !uses.has("fetch") && !uses.has("mcp"))
    .flatMap(({ name, server, examples }) =>
      examples.map(({ input, error }) => ({ name, server, error, body: JSON.stringify(input) })),
    )
    .filter(({ error }) => error === undefined)
    .sort((a, b) => a.body.length - b.body.length);
  const isOwn = ({ server }: (typeof calls)[number]) => server !== "work" && server !== "tuner";
  const call = calls.find(({ server }) => server === "runner") ?? calls.find(isOwn) ?? calls[0];
  if (!call) return [];
  const token = isOpen ? "" : ` -H "authorization: Bearer $CAIRN_TOKEN"`;
  return [
    "",
    "A first call:",
    "",
    `  curl -s ${url}/agent/${segment}/api/tools/${call.name} -H 'content-type: application/json'${token} -d ${quoteShell(call.body)}`,
    "",
  ];
}
