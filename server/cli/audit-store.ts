import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Config, type Environment, readConfig } from "../config.ts";
import { CairnError } from "../errors.ts";
import { openLmdbStore } from "../store/lmdb.ts";
import type { Store } from "../store/store.ts";

export const DATA_OPTION = {
  data: {
    type: "string",
    valueHint: "folder",
    description: "Where Cairn keeps its data (default: CAIRN_DATA, or .cairn); a service may be using it",
  },
} as const;

export const TENANT_OPTION = {
  tenant: { type: "string", description: "Whose log; `@service` for what happens to the service itself" },
} as const;

export function loadAuditConfig(environment: Environment, data: string | undefined): Config {
  const result = readConfig(data === undefined ? environment : { ...environment, CAIRN_DATA: data });
  if (result.ok) return result.config;
  throw new CairnError("BAD_REQUEST", `The configuration is wrong:\n  ${result.problems.join("\n  ")}`);
}

/** Runs `work` on the store of a data folder, which must exist. */
export async function withStore<Result>(config: Config, work: (store: Store) => Promise<Result>): Promise<Result> {
  const directory = join(config.data, "store");
  if (!(await stat(directory).catch(() => undefined))?.isDirectory()) {
    throw new CairnError("BAD_REQUEST", `\`${config.data}\` is no data folder of Cairn; \`--data\` says which one is.`);
  }
  const store = await openLmdbStore({ directory });
  try {
    return await work(store);
  } finally {
    await store.admin.close();
  }
}
