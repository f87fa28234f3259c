import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { StoreDatabase } from "../../server/config/config-store.ts";
import { loadSigner } from "../../server/kernel/audit/signing-key.ts";
import { toDatabase } from "../stand-ins/postgres.ts";
import { openRoundRobin } from "../stand-ins/round-robin.ts";
import { type RunningCairn, runInProcess, startCairn } from "./cairn.ts";
import { toDayAhead } from "./day-ahead.ts";
import { findFreePort } from "./free-port.ts";
import { type AtEnd, temporaryFolder } from "./temporary.ts";
import { NODE } from "./worker-process.ts";

/** Nodes of one store on PostgreSQL, and a balancer before them that knows nothing of sessions. */
export interface Nodes {
  readonly nodes: readonly [RunningCairn, RunningCairn];
  /** Environments that they were started with. */
  readonly places: readonly Place[];
  /** Of the balancer. */
  readonly url: string;
}

/** Environment of one node. */
export type Place = Readonly<Record<string, string>>;

/** Two nodes in processes of their own, the other's clock a day ahead, for callers with the token. */
export async function startNodes(
  repository: string,
  environment: Place = {},
  atEnd: AtEnd = onTestFinished,
): Promise<Nodes & { readonly token: string }> {
  const folder = await temporaryFolder(atEnd);
  const database = await toDatabase(folder);
  const places = await createPlaces({ folder, repository, databases: [database, database], environment });
  const token = await createToken(places[0] ?? {});
  const start = (place: Place, at: number) =>
    startCairn(["serve"], { ...place, ...(at === 1 && toDayAhead()) }, atEnd, undefined, NODE);
  const [one, other] = await Promise.all(places.map(start));
  if (one === undefined || other === undefined) throw new Error("There are two places.");
  const { url } = await openRoundRobin([one.url, other.url], atEnd);
  return { nodes: [one, other], places, url, token };
}

export interface PlacesOptions {
  /** Gets a data folder for each node, and the key of their audit. */
  readonly folder: string;
  readonly repository: string;
  /** The database as each node reaches it. */
  readonly databases: readonly StoreDatabase[];
  readonly environment?: Place;
}

/** Creates what nodes of one database need to be started with. */
export async function createPlaces(options: PlacesOptions): Promise<readonly Place[]> {
  const { folder, repository, databases, environment } = options;
  const auditKey = join(folder, "audit.key");
  await loadSigner(auditKey, randomBytes);
  return Promise.all(
    databases.map(async (database, at): Promise<Place> => {
      const own = String(await findFreePort());
      return {
        PATH: process.env["PATH"] ?? "",
        HOME: process.env["HOME"] ?? "",
        CAIRN_STORE: toAddress(database),
        CAIRN_NODE_ADDRESS: `http://127.0.0.1:${own}`,
        PORT: own,
        CAIRN_DATA: join(folder, `node-${at + 1}`),
        CAIRN_REPO: repository,
        CAIRN_FORGE: "none",
        CAIRN_AUTH: "tokens",
        CAIRN_AUDIT_KEY: auditKey,
        ...environment,
      };
    }),
  );
}

/** Creates a token of one who may do everything in the tenant `acme`, before the first node is started. */
export async function createToken(place: Place): Promise<string> {
  const create = ["token", "create", "--tenant", "acme", "--actor", "ada", "--roles", "*", "--scopes", "*"];
  const { stdout, stderr } = await runInProcess(create, { environment: place });
  const token = /cairn_\S+/.exec(stdout)?.[0];
  if (token === undefined) throw new Error(`No token: ${stdout}${stderr}`);
  return token;
}

function toAddress({ host, port, user, database, schema }: StoreDatabase): string {
  const query = schema === undefined ? "" : `schema=${schema}&`;
  return `postgres://${user}@${host}:${port}/${database}?${query}sslmode=disable`;
}
