import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { readDataFolder } from "../../config/config.ts";
import { toDataPaths } from "../../config/data-folder.ts";
import type { CliContext } from "../command.ts";

interface Options {
  readonly data?: string | undefined;
  readonly url?: string | undefined;
  readonly "token-file"?: string | undefined;
  readonly approver?: string | undefined;
}

/**
 * Finds the data folder that a decision is made in, by the right of who has it: the one that `--data` names, or the usual one
 * where nothing says to be a caller of a service. Undefined: a service is asked, as every caller asks it.
 */
export async function findMachineData(
  { environment, folder }: Pick<CliContext, "environment" | "folder">,
  { data, url, "token-file": tokenFile, approver }: Options,
): Promise<string | undefined> {
  if (data !== undefined) return resolve(folder, data);
  const { CAIRN_URL, CAIRN_TOKEN } = environment;
  const isCaller = [url, tokenFile, approver, CAIRN_URL, CAIRN_TOKEN].some((value) => value !== undefined);
  return isCaller ? undefined : findUsualData({ environment, folder });
}

/** Finds the data folder at the usual place; undefined where none is there. */
export async function findUsualData({
  environment,
  folder,
}: Pick<CliContext, "environment" | "folder">): Promise<string | undefined> {
  const usual = resolve(folder, readDataFolder(environment));
  const found = await stat(toDataPaths(usual).store).catch(() => undefined);
  return found?.isDirectory() === true ? usual : undefined;
}
