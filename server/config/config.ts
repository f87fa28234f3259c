import { type LentFolder, readMounts } from "./mounts.ts";
import { resolve } from "node:path";
import { type Ceilings, readCeilings } from "./allowance.ts";
import { AUTH_VARIABLES, type AuthConfig, readAuthConfig } from "./config-auth.ts";
import { DRIFT_VARIABLES, type DriftConfig, readDriftConfig } from "./config-drift.ts";
import { FORGE_VARIABLES, type ForgeSettings, readForgeConfig } from "./config-forge.ts";
import { readTraceConfig, TRACE_VARIABLES, type TraceConfig } from "./config-traces.ts";
import { type AddressRange, readRanges } from "./public-address.ts";
import { MODEL_VARIABLES, type ModelConfig, readModelConfig } from "./config-model.ts";
import { readEgressMap } from "./egress-map.ts";
import { findNodeAddress, findSharingProblems, findWorkerProblems } from "./sharing.ts";
import { readStoreConfig, STORE_VARIABLES, type StoreConfig } from "./config-store.ts";
import { readSecretsConfig, SECRETS_VARIABLES, type SecretsConfig } from "./config-secrets.ts";
import { suggest } from "../text/suggest.ts";
import { defined } from "../json/defined.ts";

/** Everything the surroundings decide, read once at start. `docs/configuration.md` explains each variable. */
export interface Config extends ForgeSettings {
  readonly host: string;
  readonly port: number;
  /** Processes that answer requests; with more than one, a further one has the data folder. */
  readonly workers: number;
  /** Absolute path of the data folder. */
  readonly data: string;
  readonly store: StoreConfig;
  /** Path or URL of the repository to serve; absent: the embedded one. */
  readonly repository?: string;
  /** Seconds between looks at the repository, besides watching a local one. */
  readonly fetchInterval: number;
  /** Absolute path of the allowed signers of tags; absent: tags need no signature. */
  readonly tagSigners?: string;
  /** Says whether heads of pull requests may be tried, each over a store of its own that is thrown away. */
  readonly previews: boolean;
  /** Says whether browsers get the console at `/`. */
  readonly console: boolean;
  /** Says whether plain requests to MCP are read without node:http. */
  readonly leanHttp: boolean;
  /** Host names, besides loopback, that requests may be addressed to. */
  readonly allowedHosts: readonly string[];
  /** Networks of the proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly AddressRange[];
  /** Scheme and host as clients see them; absent: as each request has them. */
  readonly publicUrl?: string;
  /** Origins, besides loopback, that browsers may call from. */
  readonly allowedOrigins: readonly string[];
  /** Replaces an egress host by a base URL of the operator's choice, which may be a private address. */
  readonly egressMap: ReadonlyMap<string, string>;
  /** Folders that commands of upstreams may see, by name. */
  readonly mounts: ReadonlyMap<string, LentFolder>;
  readonly model?: ModelConfig;
  readonly secrets: SecretsConfig;
  readonly auth: AuthConfig;
  /** Absolute path of the key that signs the audit's checkpoints; absent: one in the data folder. */
  readonly auditKey?: string;
  readonly durability: "effects" | "always";
  /** Days that bodies of calls are kept, of tools whose manifest allows it; 0: they are not. */
  readonly recordDays: number;
  /** Seconds that calls which have begun may still take once the service is asked to end. */
  readonly drainGrace: number;
  /** Limits that no version can raise. */
  readonly ceilings: Ceilings;
  readonly logLevel: LogLevel;
  /** Form of log lines; `auto`: for people on a terminal, JSON elsewhere. */
  readonly logFormat: (typeof LOG_FORMATS)[number];
  /** Absent: no traces, or those of an SDK that was loaded before Cairn. */
  readonly traces?: TraceConfig;
  /** Absent: the service asks no sources of imports. */
  readonly drift?: DriftConfig;
}

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "silent"] as const;
const LOG_FORMATS = ["auto", "json", "text"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The variables that `readConfig` reads, for documentation and its test. */
export const CONFIG_VARIABLES = {
  HOST: "Address to listen on. Default `127.0.0.1`.",
  PORT: "Port to listen on; `0` takes a free one. Default `3000`.",
  CAIRN_WORKERS:
    "Processes of `cairn serve` that answer requests, from `1` to `64`, so that a machine of many cores is used; with more than one, a further one has the store ([workers](workers.md)). Default `1`.",
  CAIRN_DATA: "Folder for everything Cairn keeps: the copy of the repository and the store. Default `.cairn`.",
  ...STORE_VARIABLES,
  CAIRN_REPO:
    "Repository to serve: a path or a URL (https, ssh, git, file). Default: a bare repository in the data folder, made from the committed history of this checkout on first start.",
  CAIRN_FETCH_INTERVAL:
    "Seconds between looks at the repository; a local one is watched besides. Default `30` for a path, `60` for a URL.",
  CAIRN_REQUIRE_SIGNED_TAGS:
    "Path of an allowed-signers file of `ssh-keygen`: tags that none of its keys has signed are quarantined. Default: tags need no signature.",
  CAIRN_PREVIEWS:
    "`on`: callers who hold `preview:call` may try heads of pull requests, over stores of their own that are thrown away ([previews](rest.md#previews)). `off`: what no served tag leads to answers no calls. Default `off`.",
  CAIRN_CONSOLE: "`on`: browsers get the [console](console.md) at `/`. `off`: nothing answers there. Default `on`.",
  CAIRN_LEAN_HTTP:
    "`on`: plain POSTs to MCP servers are read by a short way of Cairn's own, and all others by Node's HTTP server. `off`: Node's reads all; the answers do not differ. Default `on`.",
  CAIRN_ALLOWED_HOSTS: "Comma-separated host names, besides loopback and `HOST`, that requests may be addressed to.",
  CAIRN_TRUSTED_PROXIES:
    "Comma-separated addresses or networks (`127.0.0.1,10.0.0.0/8`) of the proxies in front, whose `X-Forwarded-For` names the client. Default: none, so that nobody can forge an address by that header ([proxies](deploy.md#behind-a-proxy)).",
  CAIRN_ALLOWED_ORIGINS: "Comma-separated origins, besides loopback, that web pages may call from.",
  ...FORGE_VARIABLES,
  ...DRIFT_VARIABLES,
  ...AUTH_VARIABLES,
  CAIRN_EGRESS_MAP:
    "Comma-separated `host=URL` pairs: where tools ask for `host`, ask `URL` instead (a mirror, a proxy, a stand-in). Unlike tools, this may name private addresses.",
  CAIRN_MOUNTS:
    "Comma-separated `name=folder` pairs: folders of this machine that commands of upstreams may see as `/mnt/<name>`, to read; `name=folder:rw`: also to write ([upstreams](upstreams.md#commands)). Default: none.",
  ...MODEL_VARIABLES,
  ...SECRETS_VARIABLES,
  CAIRN_AUDIT_KEY:
    "Path of the key that signs the audit's checkpoints. Default: one that is made in the data folder at first start.",
  CAIRN_DURABILITY:
    "`effects`: calls that change nothing may have their record trail the answer by at most 100 ms. `always`: every answer waits for its record. Default `effects`.",
  CAIRN_RECORD_DAYS:
    "Days that inputs and outputs are kept of tools whose manifest says `record: true` ([replay](replay.md)); `0` keeps none. Default `7`.",
  CAIRN_DRAIN_GRACE:
    "Seconds that calls which have begun may still take once the service is asked to end. Default `20`.",
  CAIRN_LIMITS:
    "Comma-separated ceilings over the limits that versions set, for example `tenant.rate=6000,actor.concurrency=20,actor.dailyCost=10000,tool.rate=600` ([limits](limits.md)). Default: none.",
  CAIRN_LOG_LEVEL: "`trace`, `debug`, `info`, `warn`, `error` or `silent`. Default `info`.",
  CAIRN_LOG_FORMAT:
    "`json`: a line of JSON for each event. `text`: for people. Default `auto`: `text` on a terminal, `json` elsewhere.",
  ...TRACE_VARIABLES,
} as const;

/** More would wait for the one process that writes. */
const MOST_WORKERS = 64;

type Variable = keyof typeof CONFIG_VARIABLES;
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the configuration, or says everything that is wrong with it at once. */
export function readConfig(
  environment: Environment,
): { readonly ok: true; readonly config: Config } | { readonly ok: false; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const get = (name: Variable) => environment[name]?.trim() || undefined;
  const wrong = (name: Variable, expected: string) => {
    problems.push(`${name} is \`${environment[name]}\`; ${expected}`);
    return undefined;
  };
  const integer = (name: Variable, min: number, max: number, fallback: number): number => {
    const text = get(name);
    if (text === undefined) return fallback;
    const number = Number(text);
    return Number.isInteger(number) && number >= min && number <= max
      ? number
      : (wrong(name, `it must be a whole number from ${min} to ${max}`) ?? fallback);
  };
  const oneOf = <Value extends string>(name: Variable, values: readonly Value[], fallback: Value): Value => {
    const text = get(name);
    if (text === undefined) return fallback;
    return values.find((value) => value === text) ?? wrong(name, `it must be one of ${values.join(", ")}`) ?? fallback;
  };
  const list = (name: Variable) =>
    (get(name) ?? "")
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean);

  const repository = get("CAIRN_REPO");
  const isRemote = isUrl(repository) && !/^file:/i.test(repository ?? "");
  const problem = (text: string) => void problems.push(text);
  const read = { get, wrong, oneOf, problem, environment };
  const { auth, publicUrl } = readAuthConfig(read);
  const forge = readForgeConfig(read, repository, isRemote);
  const traces = readTraceConfig(read);
  const auditKey = get("CAIRN_AUDIT_KEY");
  const tagSigners = get("CAIRN_REQUIRE_SIGNED_TAGS");
  const model = readModelConfig(read);
  const drift = readDriftConfig(read);
  const store = readStoreConfig(read);
  const ownHosts = [publicUrl, findNodeAddress(store)].flatMap((url) => (url ? [new URL(url).hostname] : []));
  const config: Config = {
    host: get("HOST") ?? "127.0.0.1",
    port: integer("PORT", 0, 65_535, 3000),
    workers: integer("CAIRN_WORKERS", 1, MOST_WORKERS, 1),
    data: readDataFolder(environment),
    store,
    ...defined({ repository }),
    ...forge,
    fetchInterval: integer("CAIRN_FETCH_INTERVAL", 1, 86_400, isUrl(repository) ? 60 : 30),
    ...(tagSigners === undefined ? {} : { tagSigners: resolve(tagSigners) }),
    previews: oneOf("CAIRN_PREVIEWS", ["off", "on"], "off") === "on",
    console: oneOf("CAIRN_CONSOLE", ["on", "off"], "on") === "on",
    leanHttp: oneOf("CAIRN_LEAN_HTTP", ["on", "off"], "on") === "on",
    allowedHosts: [...list("CAIRN_ALLOWED_HOSTS"), ...ownHosts],
    ...defined({ publicUrl }),
    trustedProxies: readRanges(list("CAIRN_TRUSTED_PROXIES"), (expected) => wrong("CAIRN_TRUSTED_PROXIES", expected)),
    allowedOrigins: list("CAIRN_ALLOWED_ORIGINS").filter(
      (origin) =>
        URL.parse(origin)?.origin === origin ||
        wrong("CAIRN_ALLOWED_ORIGINS", `\`${origin}\` is no origin such as https://example.com`),
    ),
    egressMap: readEgressMap(list("CAIRN_EGRESS_MAP"), (expected) => wrong("CAIRN_EGRESS_MAP", expected)),
    mounts: readMounts(list("CAIRN_MOUNTS"), (expected) => wrong("CAIRN_MOUNTS", expected)),
    ...defined({ model }),
    secrets: readSecretsConfig(read),
    auth,
    ...(auditKey && { auditKey: resolve(auditKey) }),
    durability: oneOf("CAIRN_DURABILITY", ["effects", "always"], "effects"),
    recordDays: integer("CAIRN_RECORD_DAYS", 0, 3650, 7),
    drainGrace: integer("CAIRN_DRAIN_GRACE", 0, 3600, 20),
    ceilings: readCeilings(list("CAIRN_LIMITS"), (expected) => wrong("CAIRN_LIMITS", expected)),
    logLevel: oneOf("CAIRN_LOG_LEVEL", LOG_LEVELS, "info"),
    logFormat: oneOf("CAIRN_LOG_FORMAT", LOG_FORMATS, "auto"),
    ...defined({ traces, drift }),
  };
  problems.push(...findSharingProblems(config), ...findWorkerProblems(config));
  return problems.length === 0 ? { ok: true, config: Object.freeze(config) } : { ok: false, problems };
}

/** Variables of the command line. */
const CLIENT_VARIABLES = ["CAIRN_TOKEN", "CAIRN_URL"];
/** Variables that the workflows of `cairn init` set for themselves. */
const WORKFLOW_VARIABLES = ["CAIRN_REPORT", "CAIRN_NOTES", "CAIRN_ROOT"];
/** Variables that Kubernetes sets in every container for a service named `cairn`. */
const OF_KUBERNETES = /^CAIRN_(?:\w+_)?(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)?)$/;

/** Sentences about variables that begin like Cairn's and are none: a misspelt one would silently leave its default. */
export function findUnknownVariables(environment: Environment): readonly string[] {
  const settable = [...Object.keys(CONFIG_VARIABLES), ...CLIENT_VARIABLES];
  const known = new Set([...settable, ...WORKFLOW_VARIABLES]);
  // Without the prefix, which makes any two short names look alike.
  const byBareName = new Map(settable.map((one) => [one.replace(/^CAIRN_/, ""), one]));
  // Secrets may be called as their owner likes.
  const named = new Set(
    Object.values(environment).flatMap((value) =>
      [...(value ?? "").matchAll(/(?<=^|=|\s|,)env:(\w+)/g)].map(([, name]) => name),
    ),
  );
  return Object.entries(environment).flatMap(([name, value]) => {
    if (!name.startsWith("CAIRN_") || known.has(name) || named.has(name)) return [];
    if (OF_KUBERNETES.test(name) && (name !== "CAIRN_PORT" || value?.includes("://"))) return [];
    const meant = byBareName.get(suggest(name.slice("CAIRN_".length), [...byBareName.keys()]) ?? "");
    return `${name} is set, and Cairn has no such variable${meant === undefined ? "" : `; did you mean ${meant}?`}`;
  });
}

/** The absolute path, for what needs nothing else of the configuration. */
export function readDataFolder(environment: Environment): string {
  return resolve(environment["CAIRN_DATA"]?.trim() || ".cairn");
}

/** Says whether `CAIRN_REPO` names a repository elsewhere rather than a folder: `https://...` or `git@host:path`. */
export function isUrl(repository: string | undefined): boolean {
  return repository !== undefined && /^(?:[a-z][a-z0-9+.-]*:\/\/|[^/\s]+@[^/\s]+:)/i.test(repository);
}
