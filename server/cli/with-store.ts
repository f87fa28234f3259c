import { stat } from "node:fs/promises";
import { openSharedStore } from "../app/open-data.ts";
import { type Config, type Environment, readConfig } from "../config/config.ts";
import { loadStorePlace } from "../app/store-place.ts";
import { loadStoreConfig } from "../config/config-store.ts";
import { toDataPaths } from "../config/data-folder.ts";
import { CairnError } from "../errors.ts";
import type { Store } from "../store/store.ts";
import type { CliContext } from "./command.ts";

export const DATA_OPTION = {
  data: {
    type: "string",
    valueHint: "folder",
    description: "Where Cairn keeps its data (default: CAIRN_DATA, or .cairn); a service that uses it is asked",
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

export interface StoreUse {
  readonly context: Pick<CliContext, "environment" | "err" | "now">;
  /** Words that the user typed behind `cairn`, for others who find the data folder in use. */
  readonly command: string;
  /** Absolute path of the data folder. */
  readonly data: string;
  /** True to create a missing data folder, which is otherwise refused. */
  readonly create?: boolean;
}

/** Runs `work` on the store of a data folder: opened here, or that of the service which has it open. */
export async function withStore<Result>(
  { context, command, data, create = false }: StoreUse,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { environment, err, now } = context;
  const config = loadStoreConfig(environment);
  const isThere = async () =>
    (await stat(toDataPaths(data).store).catch(() => undefined))?.isDirectory() === true ||
    (await loadStorePlace(data).catch(() => undefined)) !== undefined;
  if (!create && !(await isThere())) {
    throw new CairnError("BAD_REQUEST", `\`${data}\` is no data folder of Cairn; \`--data\` says which one is.`);
  }
  const onWait = (holder: string) => err(`cairn: waiting for ${holder} to let go of \`${data}\``);
  const onAlarm = (message: string) => err(`cairn: ${message}`);
  const store = await openSharedStore({ data, config, command, now, onWait, onAlarm });
  try {
    return await work(store);
  } finally {
    await store.admin.close();
  }
}
