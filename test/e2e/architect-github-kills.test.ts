import { resolve } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { begin, waitForAnswer } from "../helpers/architect-client.ts";
import { type ArchitectGitHub, startArchitectGitHub, UNITS } from "../helpers/architect-github.ts";
import { startCi } from "../helpers/play-ci-github.ts";
import { asked, expectLandedOnce, finished, killAt, type Moment } from "../helpers/kill-at-github.ts";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { createShared } from "../helpers/temporary.ts";
import { NODE } from "../helpers/worker-process.ts";

/** In the order of a change; what lies between two of them does nothing that others see. */
const MOMENTS: readonly Moment[] = [
  asked("GET /pulls"),
  asked("POST /git/trees"),
  finished("POST /git/trees"),
  finished("POST /git/commits"),
  asked("POST /git/refs"),
  finished("POST /git/refs"),
  asked("POST /pulls"),
  finished("POST /pulls"),
  finished("POST /issues/{issue_number}/labels"),
  asked("POST /check-runs"),
  finished("POST /check-runs"),
  asked("GET /commits/{ref}/check-runs", 3),
  asked("PUT /pulls/{pull_number}/merge"),
  finished("PUT /pulls/{pull_number}/merge"),
  asked("DELETE /git/refs/{ref}"),
  finished("DELETE /git/refs/{ref}"),
  asked("POST /git/tags"),
  finished("POST /git/tags"),
  asked("POST /git/refs", 2),
  finished("POST /git/refs", 2),
];
/** Those after which the most could be done twice. */
const SAMPLE: readonly Moment[] = [
  finished("POST /git/refs"),
  finished("POST /pulls"),
  finished("PUT /pulls/{pull_number}/merge"),
  finished("POST /git/refs", 2),
];

/** One repository, which gets one unit after the other from a service that is killed each time. */
describe("a change of a service that is killed with -9", { timeout: 300_000 }, () => {
  const shared = createShared();
  afterAll(shared.undoAll);
  let bench: ArchitectGitHub;
  let service: RunningCairn;
  let changes = 0;
  const start = () =>
    startCairn([], bench.environment, shared.atEnd, resolve("test/helpers/serve-quickly-github.ts"), NODE);
  beforeAll(async () => {
    bench = await startArchitectGitHub({ atEnd: shared.atEnd });
    await startCi(bench, undefined, shared.atEnd);
    service = await start();
  }, 120_000);

  const moments = process.env["CAIRN_LONG"] === undefined ? SAMPLE : MOMENTS;
  test.each(moments)("when $route was $when ($nth) lands once", async (moment) => {
    const killed = killAt(bench.host, moment, () => service.stop("SIGKILL"));
    const version = await bench.host.state.git.git(["rev-parse", "main"]);
    const message = `the weather tool should accept ${UNITS[changes] ?? ""}`;
    const location = await begin(service.url, { message, version });
    await killed;
    service = await start();
    const answer = await waitForAnswer(service.url, location);
    changes += 1;
    await expectLandedOnce(bench, answer, changes);
  });
});
