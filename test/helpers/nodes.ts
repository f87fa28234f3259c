import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { loadSigner } from "../../server/kernel/audit/signing-key.ts";
import { toDatabase } from "../stand-ins/postgres.ts";
import { openRoundRobin } from "../stand-ins/round-robin.ts";
import { type RunningCairn, runInProcess, startCairn } from "./cairn.ts";
import { findFreePort } from "./free-port.ts";
import { type AtEnd, temporaryFolder } from "./temporary.ts";

/** Nodes of one store on PostgreSQL, and a balancer before them that knows nothing of sessions. */
export interface Nodes<Node> {
  readonly nodes: readonly [Node, Node];
  /** Of the balancer. */
  readonly url: string;
}

/** Two nodes in processes of their own, for callers with the token. */
export async function startNodes(
  repository: string,
  environment: Readonly<Record<string, string>> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<Nodes<RunningCairn> & { readonly token: string }> {
  const places = await createPlaces(repository, environment, atEnd);
  const [first] = places;
  const create = ["token", "create", "--tenant", "acme", "--actor", "ada", "--roles", "*", "--scopes", "*"];
  const { stdout, stderr } = await runInProcess(create, { environment: first });
  const token = /cairn_\S+/.exec(stdout)?.[0];
  if (token === undefined) throw new Error(`No token: ${stdout}${stderr}`);
  const [one, other] = await Promise.all(places.map((place) => startCairn(["serve"], place, atEnd)));
  if (one === undefined || other === undefined) throw new Error("There are two places.");
  const { url } = await openRoundRobin([one.url, other.url], atEnd);
  return { nodes: [one, other], url, token };
}

type Place = Readonly<Record<string, string>>;

async function createPlaces(repository: string, environment: Place, atEnd: AtEnd): Promise<readonly [Place, Place]> {
  const folder = await temporaryFolder(atEnd);
  const { host, port, user, database, schema } = await toDatabase(folder);
  const auditKey = join(folder, "audit.key");
  await loadSigner(auditKey, randomBytes);
  const create = async (name: string): Promise<Place> => {
    const own = String(await findFreePort());
    return {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      CAIRN_STORE: `postgres://${user}@${host}:${port}/${database}?schema=${schema}&sslmode=disable`,
      CAIRN_NODE_ADDRESS: `http://127.0.0.1:${own}`,
      PORT: own,
      CAIRN_DATA: join(folder, name),
      CAIRN_REPO: repository,
      CAIRN_FORGE: "none",
      CAIRN_AUTH: "tokens",
      CAIRN_AUDIT_KEY: auditKey,
      ...environment,
    };
  };
  return [await create("one"), await create("other")];
}
