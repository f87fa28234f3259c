import { isAbsolute } from "node:path";
import { CairnError } from "../errors.ts";
import { defined } from "../json/defined.ts";
import { type ConfigReader, readNumber, readSecret } from "./config-reader.ts";
import type { SecretReference } from "./secret-reference.ts";
import { isLoopback } from "./secure-url.ts";

/** Place of the store: the data folder, or a database. */
export type StoreConfig =
  | { readonly engine: "lmdb" }
  | {
      readonly engine: "postgres";
      readonly database: StoreDatabase;
      /** Absent: the server asks for none. */
      readonly password?: SecretReference;
      /** Milliseconds that a call of the store may take. */
      readonly limitMs: number;
      /** Base URL at which other nodes of the database reach this one; absent: it has the database for itself. */
      readonly nodeAddress?: string;
    };

/** Address of a database, without any secret. */
export interface StoreDatabase {
  /** Name, address, or the absolute path of the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Absent: the first of the account's search path. */
  readonly schema?: string;
  /** `verified`: encrypted, and the server's certificate is verified. */
  readonly ssl: "off" | "verified";
  /** Absolute path of certificates to trust in place of the system's. */
  readonly rootCertificate?: string;
}

export const STORE_VARIABLES = {
  CAIRN_STORE:
    "Where the store is: `lmdb`, in the data folder, or the `postgres:` URL of a database, with its user and without a password ([PostgreSQL](postgresql.md)). Default `lmdb`.",
  CAIRN_STORE_PASSWORD:
    "Where the password of the store's database is: `env:NAME` or `file:/path`. Default: the server asks for none.",
  CAIRN_STORE_TIMEOUT:
    "Seconds that a call of a store on PostgreSQL may take, from `1` to `300`; then it is UNAVAILABLE. Default `10`.",
  CAIRN_NODE_ADDRESS:
    "Base URL at which other nodes reach this one, for example `http://10.0.0.7:3000`: nodes that set it share a store on PostgreSQL ([several nodes](nodes.md)). Default: one node at a time.",
} as const;

const DEFAULT_TIMEOUT_S = 10;
const LONGEST_TIMEOUT_S = 300;
const DEFAULT_PORT = 5432;
const PARAMETERS: ReadonlySet<string> = new Set(["host", "schema", "sslmode", "sslrootcert"]);
const EXAMPLE = "it must be `lmdb`, or a `postgres:` URL with user, host and database";

type StoreReader = ConfigReader<keyof typeof STORE_VARIABLES>;

/** Reads where the store is. Problems never show the URL, which may have a password in it. */
export function readStoreConfig(read: StoreReader): StoreConfig {
  const text = read.get("CAIRN_STORE");
  const nodeAddress = readNodeAddress(read);
  if (text === undefined || text === "lmdb") {
    if (nodeAddress !== undefined)
      read.problem("CAIRN_NODE_ADDRESS is set, and nodes share a database only: set CAIRN_STORE");
    return { engine: "lmdb" };
  }
  const database = readDatabase(text, (problem) => read.problem(`CAIRN_STORE: ${problem}`));
  const password = readSecret(read, "CAIRN_STORE_PASSWORD");
  const seconds = readNumber(read, "CAIRN_STORE_TIMEOUT") ?? DEFAULT_TIMEOUT_S;
  if (seconds > LONGEST_TIMEOUT_S) {
    read.wrong("CAIRN_STORE_TIMEOUT", `it must be a whole number from 1 to ${LONGEST_TIMEOUT_S}`);
  }
  if (database === undefined) return { engine: "lmdb" };
  return { engine: "postgres", database, limitMs: seconds * 1_000, ...defined({ password, nodeAddress }) };
}

/** Reads the address of this node. Unlike other addresses, http may leave the machine: nodes often have a network of their own. */
function readNodeAddress({ get, wrong }: StoreReader): string | undefined {
  const text = get("CAIRN_NODE_ADDRESS")?.replace(/\/$/, "");
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.origin === text) return text;
  return wrong("CAIRN_NODE_ADDRESS", "it must be http or https, host and port, without a path");
}

/** Reads where the store is, for what needs nothing else of the configuration. @throws BAD_REQUEST */
export function loadStoreConfig(environment: StoreReader["environment"]): StoreConfig {
  const problems: string[] = [];
  const problem = (text: string) => void problems.push(text);
  const config = readStoreConfig({
    get: (name) => environment[name]?.trim() || undefined,
    wrong: (name, expected) => problem(`${name}: ${expected}`),
    oneOf: (_name, _values, fallback) => fallback,
    problem,
    environment,
  });
  if (problems.length === 0) return config;
  throw new CairnError("BAD_REQUEST", `The configuration is wrong:\n  ${problems.join("\n  ")}`);
}

/** Reads `postgres://user@host:port/database?schema=&sslmode=&sslrootcert=&host=`. */
function readDatabase(text: string, problem: (text: string) => undefined): StoreDatabase | undefined {
  const url = URL.parse(text);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) return problem(EXAMPLE);
  if (url.password !== "") {
    return problem(
      "the URL has a password in it, which logs and lists of processes would show; set CAIRN_STORE_PASSWORD",
    );
  }
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) {
    return problem(`the parameter \`${unknown}\` is not one of ${[...PARAMETERS].join(", ")}`);
  }
  const host = url.searchParams.get("host") ?? url.hostname.replace(/^\[(.*)\]$/, "$1");
  const [user, database] = [decodeURIComponent(url.username), decodeURIComponent(url.pathname.slice(1))];
  if (host === "" || user === "" || database === "" || database.includes("/")) {
    return problem("the URL lacks user, host or database");
  }
  const schema = url.searchParams.get("schema") ?? undefined;
  if (schema !== undefined && !/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    return problem("`schema` must have small letters, digits and _ only");
  }
  const rootCertificate = url.searchParams.get("sslrootcert") ?? undefined;
  if (rootCertificate !== undefined && !isAbsolute(rootCertificate)) {
    return problem("`sslrootcert` must be an absolute path");
  }
  const ssl = readSsl(url, host, problem);
  if (ssl === undefined) return undefined;
  const port = url.port === "" ? DEFAULT_PORT : Number(url.port);
  return Object.freeze({ host, port, user, database, ssl, ...defined({ schema, rootCertificate }) });
}

/** A database by its address, as logs and messages show it. */
export function showDatabase({ host, port, database, schema }: StoreDatabase): string {
  return `${host}:${port}/${database}${schema === undefined ? "" : `?schema=${schema}`}`;
}

/**
 * Encryption: for another machine it is on, and its certificate is verified. `require` and `prefer` are refused, because
 * whoever stands between could answer in the server's place, read all state and change it.
 */
function readSsl(
  { searchParams }: URL,
  host: string,
  problem: (text: string) => undefined,
): StoreDatabase["ssl"] | undefined {
  const isHere = isAbsolute(host) || isLoopback(host);
  const mode = searchParams.get("sslmode") ?? (isHere ? "disable" : "verify-full");
  if (mode === "disable") return "off";
  if (mode === "verify-full") return "verified";
  return problem("`sslmode` must be `verify-full`, or `disable` on a network of your own");
}
