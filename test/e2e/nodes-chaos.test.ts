import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgresStore } from "../../server/store/postgres/postgres.ts";
import { agentFiles } from "../helpers/agent.ts";
import { type RunningCairn, runInProcess, startCairn } from "../helpers/cairn.ts";
import { toDayAhead } from "../helpers/day-ahead.ts";
import { checkHistory } from "../helpers/history/check-history.ts";
import { readKept, startClients, TRANSACTING_TOOLS } from "../helpers/history/transacting-clients.ts";
import { createPlaces, type Place } from "../helpers/node-places.ts";
import { createToken } from "../helpers/nodes.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { NODE } from "../helpers/worker-process.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../stand-ins/database-proxy.ts";
import { openPostgresPair, type PostgresPair } from "../stand-ins/postgres-pair.ts";
import { hasPostgres } from "../stand-ins/postgres.ts";
import { openRoundRobin } from "../stand-ins/round-robin.ts";

const CLIENTS = 64;
const NODES = 3;
/** Times that all the faults are gone through. */
const ROUNDS = process.env["CAIRN_LONG"] === undefined ? 1 : 5;
/** Milliseconds of work between two faults. */
const BETWEEN_MS = 1_500;
/** Milliseconds between two commits that meet a fate. */
const CUT_MS = 150;
const START_TRIES = 5;
const FATES = ["cut-before", "cut-after", "aborted"] as const;

/** Fails each fiftieth transaction or so at its COMMIT, as a server fails one that it cannot put into an order. */
const SERIALISATION_FAILURES = `
  create function fail_sometimes() returns trigger language plpgsql as $$
  begin
    if random() < 0.02 then raise exception 'planted' using errcode = '40001'; end if;
    return null;
  end $$;
  create constraint trigger fail_sometimes after insert on cairn_turns deferrable initially deferred
    for each row execute function fail_sometimes();`;

const shared = createShared();
let pair: PostgresPair;
let proxies: readonly DatabaseProxy[];
let places: readonly Place[];
let nodes: RunningCairn[];
/** Nodes that are being started. */
const starting = new Set<number>();
let place: { readonly url: string; readonly token: string };

describe.runIf(hasPostgres("several nodes under faults"))("three nodes", () => {
  beforeAll(async () => {
    const [folder, repository] = [
      await temporaryFolder(shared.atEnd),
      await createRepository(await temporaryFolder(shared.atEnd)),
    ];
    await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: TRANSACTING_TOOLS }));
    pair = await openPostgresPair(true, shared.atEnd);
    const primary = pair.primary();
    proxies = await Promise.all(Array.from({ length: NODES }, () => openDatabaseProxy(primary.port, shared.atEnd)));
    const databases = proxies.map(({ port }) => ({ ...primary, port }));
    places = await createPlaces({
      folder,
      repository: repository.path,
      databases,
      environment: { CAIRN_STORE_TIMEOUT: "5" },
    });
    const token = await createToken(places[0] ?? {});
    nodes = await Promise.all(places.map((_, at) => start(at)));
    await pair.query(SERIALISATION_FAILURES);
    place = {
      token,
      ...(await openRoundRobin(
        nodes.map(({ url }) => url),
        shared.atEnd,
      )),
    };
  }, 240_000);
  afterAll(shared.undoAll);

  test(
    "lose nothing that was acknowledged, do nothing twice, and have one order, whatever dies",
    { timeout: 600_000 },
    async () => {
      const clients = startClients(place, CLIENTS);
      const cutting = cutCommits();
      for (let round = 0; round < ROUNDS; round += 1) {
        const leaveOpen = async () => proxies[round % NODES]?.strike("half-open");
        for (const fault of [() => killNode(round), restartServer, leaveOpen, () => killNode(round + 1)]) {
          await sleep(BETWEEN_MS);
          await fault();
        }
      }
      await sleep(BETWEEN_MS);
      await pair.promote();
      redirect();
      await sleep(2 * BETWEEN_MS);
      await restartServer();
      await sleep(BETWEEN_MS);
      const cuts = await cutting.stop();
      const history = await clients.stop();
      const count = (outcome: string) => history.filter((one) => one.outcome === outcome).length;
      const figures = {
        done: count("done"),
        refused: count("refused"),
        unknown: count("unknown"),
        cuts,
        longestMs: Math.round(clients.longest()),
      };
      process.stdout.write(`${JSON.stringify({ ...figures, ends: Object.fromEntries(clients.ends) })}\n`);

      const { lists, savings } = await readKept(place);
      expect(checkHistory(history, lists)).toEqual([]);
      expect(savings).toBe(0);
      expect(figures.done).toBeGreaterThan(CLIENTS);
      expect(cuts).toBeGreaterThan(0);
      const known = new Set(["done", "UNAVAILABLE", "no answer", "CONFLICT", "TIME_LIMIT"]);
      expect([...clients.ends.keys()].filter((end) => !known.has(end))).toEqual([]);
      for (const node of nodes) expect(node.output()).not.toContain("answers nothing more");
      expect(await findBreaks()).toEqual([]);
    },
  );
});

/** The last node's clock is a day ahead. */
function start(at: number): Promise<RunningCairn> {
  const environment = { ...places[at], ...(at === NODES - 1 && toDayAhead()) };
  return startCairn(["serve"], environment, shared.atEnd, undefined, NODE);
}

/** Starts a node as a supervisor does: again when the database lets it down. */
async function startAgain(at: number): Promise<RunningCairn> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start(at);
    } catch (error) {
      if (tries === START_TRIES || !String(error).includes("ended with 3")) throw error;
    }
  }
}

async function killNode(turn: number): Promise<void> {
  const at = turn % NODES;
  starting.add(at);
  await nodes[at]?.stop("SIGKILL");
  nodes[at] = await startAgain(at);
  starting.delete(at);
}

async function restartServer(): Promise<void> {
  await pair.kill();
  await pair.restart();
}

function redirect(): void {
  for (const proxy of proxies) proxy.retarget(pair.primary().port);
}

/** Has one COMMIT after the other meet a fate, each node's in turn. */
function cutCommits() {
  const over = new AbortController();
  const running = (async () => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const at = turn % NODES;
      if (!starting.has(at)) proxies[at]?.strike(FATES[randomInt(FATES.length)] ?? "aborted");
      await sleep(CUT_MS);
    }
  })();
  return {
    async stop() {
      over.abort();
      await running;
      return proxies.reduce((sum, { struck }) => sum + struck(), 0);
    },
  };
}

/** Looks at the store as another node would, and verifies the audit as a stranger would. */
async function findBreaks(): Promise<readonly string[]> {
  const { store } = await openPostgresStore({
    database: pair.primary(),
    password: async () => undefined,
    limitMs: 30_000,
    node: { node: "test", label: "test" },
    shared: { release: "1" },
    onAlarm: () => undefined,
  });
  try {
    const exported = join(await temporaryFolder(), "audit");
    const [environment = {}] = places;
    const key = await runInProcess(["audit", "key"], { environment });
    const written = await runInProcess(["audit", "export", exported, "--tenant", "acme"], { environment });
    const verified = await runInProcess(["audit", "verify", exported, "--key", key.stdout.trim()], { environment });
    process.stdout.write(verified.stdout);
    return [
      ...(await store.admin.check()),
      ...[key, written, verified].flatMap(({ code, stderr }) => (code === 0 ? [] : [stderr])),
    ];
  } finally {
    await store.admin.close();
  }
}
