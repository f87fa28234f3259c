import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Service, ServiceOptions } from "../../server/app/app.ts";
import { createApiToken } from "../../server/auth/api-token.ts";
import { saveApiToken } from "../../server/auth/api-tokens.ts";
import { LOCAL_CALLER } from "../../server/auth/caller.ts";
import type { StoreDatabase } from "../../server/config/config-store.ts";
import { openPostgresStore } from "../../server/store/postgres/postgres.ts";
import { toDatabase } from "../stand-ins/postgres.ts";
import { openRoundRobin } from "../stand-ins/round-robin.ts";
import type { RunningCairn } from "./cairn.ts";
import { createPlaces, type Place } from "./node-places.ts";
import type { AtEnd } from "./temporary.ts";

/** Environment of a service, as a test says it. */
type Environment = Readonly<Record<string, string | undefined>>;

/** File with the environment of the first node. */
const PLACE = "place.json";

/** Says whether tests get two nodes behind a balancer wherever they open a service (`npm run test:nodes`). */
export function isThroughNodes(): boolean {
  return process.env["CAIRN_TEST_NODES"] === "2";
}

export interface ThroughNodes {
  /** Arguments of the command `cairn`. */
  readonly args: readonly string[];
  readonly environment: Place;
  readonly atEnd: AtEnd;
  /** Starts a node in a process of its own. */
  readonly start: (args: readonly string[], environment: Place) => Promise<RunningCairn>;
}

/** Starts two nodes for what a test starts as one service. Who sends no token is whoever sends none to one service. */
export async function startThroughNodes(options: ThroughNodes): Promise<RunningCairn> {
  const { args, environment, atEnd, start } = options;
  const [command, ...rest] = args;
  if (command !== "serve") throw new Error(`\`cairn ${command ?? ""}\` cannot be one of several nodes.`);
  const at = rest.indexOf("--data");
  const data = at < 0 ? environment["CAIRN_DATA"] : rest.splice(at, 2)[1];
  const [repository = environment["CAIRN_REPO"], ...others] = rest;
  if (others.length > 0) throw new Error(`Nodes take no ${others.join(" ")}.`);
  const needsNone = isOpen(environment);
  const ground = { data, repository, environment, atEnd, needsNone };
  const { nodes, balancer } = await openBalanced(ground, (place) => start(["serve"], place));
  return {
    url: balancer.url,
    pid: nodes[0]?.pid ?? 0,
    output: () => nodes.map((node) => node.output()).join(""),
    async stop(signal) {
      const codes = await Promise.all(nodes.map((node) => node.stop(signal)));
      await balancer.close();
      return codes.find((code) => code !== 0) ?? codes[0] ?? null;
    },
  };
}

/** Opens two nodes in this process for what a test opens as one service; all but the address is the first one's. */
export async function openThroughNodes(
  environment: Environment,
  { authenticate, atEnd }: Pick<ServiceOptions, "authenticate"> & { readonly atEnd: AtEnd },
  open: (environment: Place) => Promise<Service>,
): Promise<Service> {
  const { CAIRN_DATA: data, CAIRN_REPO: repository } = environment;
  const needsNone = authenticate === undefined && isOpen(environment);
  const { nodes, balancer } = await openBalanced({ data, repository, environment, atEnd, needsNone }, open);
  const [first] = nodes;
  if (first === undefined) throw new Error("There are two places.");
  const close = async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await balancer.close();
  };
  return { ...first, url: balancer.url, close };
}

/** Opens both nodes, and in front of them the balancer, at the port of the one service; where callers need no token, it adds one. */
async function openBalanced<Node extends { readonly url: string }>(
  { needsNone, ...ground }: NodePlacesOptions & { readonly needsNone: boolean },
  open: (place: Place) => Promise<Node>,
) {
  const { folder, database, places } = await createNodePlaces(ground);
  const credentials = needsNone ? { authorization: await findCredentials(folder, database) } : {};
  const nodes = await Promise.all(places.map(open));
  const balancer = await openRoundRobin(
    nodes.map(({ url }) => url),
    ground.atEnd,
    { port: Number(ground.environment["PORT"] ?? 0), ...credentials },
  );
  return { nodes, balancer };
}

/** Says whether one service would let in who sends no token. */
function isOpen(environment: Environment): boolean {
  return environment["CAIRN_AUTH"] === undefined && environment["CAIRN_OAUTH_ISSUER"] === undefined;
}

/** Names the data folders of what a test opened as one service with this one. */
export function toDataFolders(data: string): readonly string[] {
  return isThroughNodes() ? [data, join(toFolder(data), "node-2")] : [data];
}

/** Finds what a command needs on the data folder of nodes, beyond its arguments; nothing where these are for one service. */
export function findPlace(args: readonly string[]): Place {
  const at = args.indexOf("--data");
  const path = join(toFolder(args[at + 1] ?? ""), PLACE);
  return at >= 0 && isThroughNodes() && existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Place) : {};
}

interface NodePlacesOptions {
  readonly data: string | undefined;
  readonly repository: string | undefined;
  readonly environment: Environment;
  readonly atEnd: AtEnd;
}

/** Creates the environments of both nodes. The first has the data folder of the service, which names the database, too. */
async function createNodePlaces({ data, repository, environment, atEnd }: NodePlacesOptions) {
  if (data === undefined || repository === undefined) throw new Error("Nodes need a data folder and a repository.");
  const folder = toFolder(data);
  await mkdir(folder, { recursive: true });
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const database = await toDatabase(data);
  const own = new Set(["PORT", "CAIRN_DATA", "CAIRN_REPO"]);
  const more = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !own.has(entry[0]),
  );
  const given = { folder, repository, databases: [database, database], environment: Object.fromEntries(more) };
  const [first, ...others] = await createPlaces(given);
  const place = { ...first, CAIRN_DATA: data };
  await writeFile(join(folder, PLACE), JSON.stringify(place), { mode: 0o600 });
  return { folder, database, places: [place, ...others] };
}

/** Folder of what the nodes need whose first one has this data folder. */
function toFolder(data: string): string {
  return `${data}.nodes`;
}

/** The credentials of the caller that a service without authentication has. No audit says that it was made, as none does for one service. */
async function findCredentials(folder: string, database: StoreDatabase): Promise<string> {
  const path = join(folder, "authorization");
  if (existsSync(path)) return readFile(path, "utf8");
  const { tenant, actor, roles, scopes } = LOCAL_CALLER;
  const made = createApiToken({ name: "", tenant, actor, roles, scopes: [...scopes] }, randomBytes, Date.now());
  const { store } = await openPostgresStore({
    database,
    password: async () => undefined,
    limitMs: 10_000,
    node: { node: "test", label: "test" },
    shared: { release: "1" },
    onAlarm: () => undefined,
  });
  await saveApiToken(store, made.record, () => ({ set: [], append: [] })).finally(store.admin.close);
  const authorization = `Bearer ${made.token}`;
  await writeFile(path, authorization, { mode: 0o600 });
  return authorization;
}
