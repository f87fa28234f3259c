import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askStatus, begin, waitForAnswer } from "../helpers/architect-client.ts";
import { type ArchitectGitHub, startArchitectGitHub, UNITS } from "../helpers/architect-github.ts";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { WEBHOOK_SECRET } from "../helpers/github-service.ts";
import { asked, expectLandedOnce, finished, killAt, type Moment } from "../helpers/kill-at-github.ts";
import { sendModern } from "../helpers/modern-mcp.ts";
import { createPlaces, type Place } from "../helpers/node-places.ts";
import { createToken } from "../helpers/nodes.ts";
import { startCi } from "../helpers/play-ci-github.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { NODE } from "../helpers/worker-process.ts";
import { hasPostgres, toDatabase } from "../stand-ins/postgres.ts";

/** Those after which the most could be done twice. */
const SAMPLE: readonly Moment[] = [finished("POST /pulls"), finished("PUT /pulls/{pull_number}/merge")];
const MOMENTS: readonly Moment[] = [
  ...SAMPLE,
  finished("POST /git/refs"),
  asked("PUT /pulls/{pull_number}/merge"),
  finished("POST /git/tags"),
  finished("POST /git/refs", 2),
];

const shared = createShared();
let bench: ArchitectGitHub;
let places: readonly Place[];
let nodes: RunningCairn[];
let authorization: string;
let changes = 0;

describe.runIf(hasPostgres("nodes with a repository on GitHub"))("of two nodes", { timeout: 300_000 }, () => {
  beforeAll(async () => {
    bench = await startArchitectGitHub({ atEnd: shared.atEnd });
    await startCi(bench, undefined, shared.atEnd);
    const { PORT: _port, CAIRN_DATA: _data, CAIRN_REPO: repository = "", ...environment } = bench.environment;
    const folder = await temporaryFolder(shared.atEnd);
    const database = await toDatabase(folder);
    places = await createPlaces({ folder, repository, databases: [database, database], environment });
    authorization = `Bearer ${await createToken(places[0] ?? {})}`;
    nodes = await Promise.all([start(0), start(1)]);
    // GitHub knows one node alone.
    const events = ["push", "create", "check_run", "check_suite", "pull_request"];
    bench.host.webhooks.add({ url: `${nodes[1]?.url}/webhooks/github`, secret: WEBHOOK_SECRET, events });
  }, 180_000);
  afterAll(shared.undoAll);

  const moments = process.env["CAIRN_LONG"] === undefined ? SAMPLE : MOMENTS;
  test.each(moments)(
    "the other lands a change once whose node is killed when $route was $when ($nth)",
    async (moment) => {
      const [first, second] = nodes;
      if (first === undefined || second === undefined) throw new Error("There are two nodes.");
      const version = await bench.host.state.git.git(["rev-parse", "main"]);
      // So that the first node takes the feedback up.
      process.kill(second.pid, "SIGSTOP");
      const killed = killAt(bench.host, moment, () => first.stop("SIGKILL"));
      const message = `the weather tool should accept ${UNITS[changes] ?? ""}`;
      const location = await begin(first.url, { message, version, authorization });
      await eventually(async () => expect(await askStatus(first.url, location, authorization)).toHaveProperty("doing"));
      process.kill(second.pid, "SIGCONT");
      await killed;
      const answer = await waitForAnswer(second.url, location, authorization);
      changes += 1;
      await expectLandedOnce(bench, answer, changes);
      nodes[0] = await start(0);
      for (const { url } of nodes) {
        await eventually(async () => expect((await openApi(url, `1.${changes}.0`)).status).toBe(200));
      }
    },
  );

  test("both serve a push of which one is notified, and tell their listeners", async () => {
    const listening = await sendModern(`${nodes[0]?.url}/agent/latest/runner`, {
      method: "subscriptions/listen",
      params: { notifications: { toolsListChanged: true } },
      headers: { authorization },
    });
    expect((await listening.next()).message).toMatchObject({ params: { notifications: { toolsListChanged: true } } });
    const commit = await bench.push("main", {
      "versions.yaml": (await bench.read("main", "versions.yaml"))
        .replace(/^current: .*$/m, "current: 9.0.0")
        .replace("versions:\n", "versions:\n  9.0.0:\n    changes:\n      - More.\n"),
      "manifests/runner/more.yaml": (await bench.read("main", "manifests/runner/weather.yaml")).replaceAll(
        "weather",
        "more",
      ),
      "tools/runner/more.ts": await bench.read("main", "tools/runner/weather.ts"),
    });
    await bench.host.state.git.git(["tag", "v9.0.0", commit]);
    bench.host.webhooks.emit("push", { ref: "refs/tags/v9.0.0", repository: { full_name: "acme/tools" } });
    expect((await listening.next()).message).toMatchObject({ method: "notifications/tools/list_changed" });
    for (const { url } of nodes) {
      await eventually(async () => expect((await openApi(url, "9.0.0")).status).toBe(200));
    }
  });
});

function start(at: number): Promise<RunningCairn> {
  return startCairn([], places[at], shared.atEnd, resolve("test/helpers/serve-quickly-github.ts"), NODE);
}

function openApi(url: string, version: string): Promise<Response> {
  return fetch(`${url}/agent/${version}/openapi.json`, { headers: { authorization } });
}
