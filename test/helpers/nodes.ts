import { onTestFinished } from "vitest";
import { toDatabase } from "../stand-ins/postgres.ts";
import { openRoundRobin } from "../stand-ins/round-robin.ts";
import { type RunningCairn, runInProcess, startCairn } from "./cairn.ts";
import { toDayAhead } from "./day-ahead.ts";
import { createPlaces, type Place } from "./node-places.ts";
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

/** Creates a token of one who may do everything in the tenant `acme`, before the first node is started. */
export async function createToken(place: Place): Promise<string> {
  const create = ["token", "create", "--tenant", "acme", "--actor", "ada", "--roles", "*", "--scopes", "*"];
  const { stdout, stderr } = await runInProcess(create, { environment: place });
  const token = /cairn_\S+/.exec(stdout)?.[0];
  if (token === undefined) throw new Error(`No token: ${stdout}${stderr}`);
  return token;
}
