import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DriftTime } from "../../server/architect/renewals/open-drift-schedule.ts";
import { createLog } from "../../server/log/log.ts";
import { type DriftingAgent, FILES, openDriftingAgent } from "../agents/drifting/open-drifting-agent.ts";
import { openTestService } from "../helpers/open-service.ts";
import { openRepository, type TestRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const LONG = { timeout: 300_000 };
const DAY = 86_400_000;
const LOCK = "imports/shop.lock.json";

const shared = createShared();
let agent: DriftingAgent;
let origin: TestRepository;
let environment: Readonly<Record<string, string | undefined>>;
let looks: Looks;

/** Time in which a look is made when a test says so. */
interface Looks extends DriftTime {
  /** Lets a day pass. */
  next(): void;
}

function createLooks(): Looks {
  let now = Date.UTC(2026, 0, 1);
  let wake = () => undefined as void;
  return {
    now: () => now,
    random: () => 0,
    // What waits for a forge is not what is tested.
    sleep: (ms, signal) =>
      ms < 30_000
        ? Promise.resolve()
        : new Promise<void>((resolve, reject) => {
            wake = resolve;
            signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
          }),
    next() {
      now += DAY;
      wake();
    },
  };
}

interface Line {
  readonly msg: string;
  readonly [name: string]: unknown;
}

/** A service over the repository, whose log is what a look is known by. */
async function open() {
  const lines: Line[] = [];
  const log = createLog("info", { write: (line) => void lines.push(JSON.parse(line) as Line) });
  looks = createLooks();
  const folder = environment["CAIRN_DATA"] ?? "";
  const atEnd: (() => unknown)[] = [];
  const service = await openTestService(environment, folder, { log, driftTime: looks, atEnd: (end) => atEnd.push(end) });
  const metric = async () => (await (await fetch(`${service.url}/metrics`)).text()).match(/^cairn_drift_.*$/gm) ?? [];
  return {
    service,
    metric,
    /** Makes one look, and returns what it said of each import at its end. */
    async look() {
      const from = lines.length;
      const ends = (await metric()).find((line) => line.startsWith("cairn_drift_last_look"));
      looks.next();
      await vi.waitFor(
        async () => expect((await metric()).find((line) => line.startsWith("cairn_drift_last_look"))).not.toBe(ends),
        { timeout: 120_000, interval: 100 },
      );
      const said = lines.slice(from);
      return Object.fromEntries(
        said.flatMap((line) => (line["import"] === undefined || "state" in line ? [] : [[String(line["import"]), line]])),
      );
    },
    lines,
    close: () => Promise.all(atEnd.map((end) => end())),
  };
}

let running: Awaited<ReturnType<typeof open>>;

beforeAll(async () => {
  agent = await openDriftingAgent(shared.atEnd);
  const { repository } = agent;
  const [, shop = ""] = /"source": "(http:\/\/[^/]+)/.exec(await readFile(join(repository.path, LOCK), "utf8")) ?? [];
  const lock = await readFile(join(repository.path, LOCK), "utf8");
  await repository.commit({ [LOCK]: lock.replace(shop, "https://shop.internal") });
  const folder = await temporaryFolder(shared.atEnd);
  const bare = join(folder, "origin.git");
  await repository.git("clone", "--quiet", "--bare", repository.path, bare);
  origin = openRepository(bare);
  environment = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PORT: "0",
    CAIRN_REPO: bare,
    CAIRN_DATA: join(folder, "data"),
    CAIRN_DRIFT_EVERY: "24h",
    CAIRN_EGRESS_MAP: `shop.internal=${shop},files.internal=${new URL(agent.upstream.url).origin}`,
  };
  running = await open();
  shared.atEnd(() => running.close());
}, 120_000);
afterAll(shared.undoAll);

const branches = async () => (await origin.git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/")).split("\n");

describe("a service that asks the sources of imports", () => {
  test("says that nothing has changed, and proposes nothing", LONG, async () => {
    expect(await running.look()).toEqual({});
    expect(await branches()).toEqual(["main"]);
    expect(await running.metric()).toContain('cairn_drift_looks_total{state="unchanged"} 2');
  });

  test("proposes what has changed, verified and with its proven bump, and lands none of it", LONG, async () => {
    agent.upstream.tools = { ...FILES, list_files: { ...FILES["list_files"], description: "Lists all files." } };
    agent.changeShop(({ paths }) => {
      const get = paths["/products"]?.["get"] as { parameters?: object[] } | undefined;
      get?.parameters?.push({ name: "size", in: "query", schema: { type: "integer" } });
    });
    const said = await running.look();
    console.log(JSON.stringify(running.lines.slice(-12), null, 1));
    expect(said).toEqual({});
  });
});
