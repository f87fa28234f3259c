import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { StoreDatabase } from "../../server/config/config-store.ts";
import { loadSigner } from "../../server/kernel/audit/signing-key.ts";
import { findFreePort } from "./free-port.ts";

/** Environment of one node. */
export type Place = Readonly<Record<string, string>>;

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

function toAddress({ host, port, user, database, schema }: StoreDatabase): string {
  const query = schema === undefined ? "" : `schema=${schema}&`;
  return `postgres://${user}@${host}:${port}/${database}?${query}sslmode=disable`;
}
