import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { begin, waitForAnswer } from "../helpers/architect-client.ts";
import { type ArchitectGitHub, describeHost, startArchitectGitHub, UNITS } from "../helpers/architect-github.ts";
import { startCi } from "../helpers/play-ci-github.ts";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { createShared } from "../helpers/temporary.ts";
import { NODE } from "../helpers/worker-process.ts";

const REPOSITORY = "/repos/{owner}/{repo}";

/** A moment of a change: when a request of a route has come for the nth time, or when it was done and is not answered. */
interface Moment {
  readonly route: string;
  readonly nth: number;
  readonly when: "asked" | "done";
}

const asked = (route: string, nth = 1): Moment => ({ route: route.replace("/", `${REPOSITORY}/`), nth, when: "asked" });
const finished = (route: string, nth = 1): Moment => ({ ...asked(route, nth), when: "done" });

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

  /** Resolves when the service was killed at that moment. */
  function killAt({ route, nth, when }: Moment): Promise<void> {
    const { host } = bench;
    return new Promise((killed, fail) => {
      const kill = () => service.stop("SIGKILL").then(() => killed(), fail);
      const wait = (left: number) => {
        host.before.set(route, async () => {
          if (left > 1) return wait(left - 1);
          if (when === "asked") return kill();
          host.faults.order({ route, kind: "hang", done: true });
          // Requests are done one after the other: once these are answered, that one was done.
          const { token } = host.credentials.issueInstallationToken();
          const look = () => host.ask(token, "GET /repos/acme/tools");
          void look().then(look).then(kill, fail);
          return undefined;
        });
      };
      wait(nth);
    });
  }

  const moments = process.env["CAIRN_LONG"] === undefined ? SAMPLE : MOMENTS;
  test.each(moments)("when $route was $when ($nth) lands once", async (moment) => {
    const { state } = bench.host;
    const killed = killAt(moment);
    const version = await state.git.git(["rev-parse", "main"]);
    const message = `the weather tool should accept ${UNITS[changes] ?? ""}`;
    const location = await begin(service.url, { message, version });
    await killed;
    service = await start();
    const answer = await waitForAnswer(service.url, location);
    changes += 1;
    expect(answer).toMatchObject({ result: "committed", new_version: `1.${changes}.0` });
    const numbers = Array.from({ length: changes }, (_, index) => index + 1);
    expect(await describeHost(bench)).toEqual({
      pulls: numbers.map((number) => ({ number, is: "merged" })),
      refs: ["refs/heads/main", "refs/tags/v1.0.0", ...numbers.map((number) => `refs/tags/v1.${number}.0`)].toSorted(),
    });
    expect((await bench.read("main", "versions.yaml")).match(/^ {2}\d+\.\d+\.\d+:/gm)).toHaveLength(changes + 1);
    expect(await state.git.git(["rev-list", "--count", "main"])).toBe(String(changes + 1));
    expect(answer["commit_hash"]).toBe(await state.git.git(["rev-parse", `v1.${changes}.0^{commit}`]));
    const { headOid, labels } = state.pulls.at(-1) ?? { headOid: "", labels: [] };
    expect(labels).toEqual(["cairn"]);
    expect(state.checks.filter(({ name, head }) => name === "cairn" && head === headOid)).toHaveLength(1);
  });
});
