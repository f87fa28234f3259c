import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../../server/app/app.ts";
import { begin, waitForAnswer } from "../helpers/architect-client.ts";
import {
  ADA,
  type ArchitectGitHub,
  describeHost,
  openArchitectService,
  startArchitectGitHub,
  UNITS,
} from "../helpers/architect-github.ts";
import { startCi } from "../helpers/play-ci-github.ts";
import { createShared } from "../helpers/temporary.ts";
import { BAD_GATEWAY, type Fault, secondaryLimit } from "../stand-ins/github/faults.ts";

const REPOSITORY = "/repos/{owner}/{repo}";
const MERGE = `PUT ${REPOSITORY}/pulls/{pull_number}/merge`;
/** Everything that a change asks of GitHub, but for the git of its own protocol. */
const READS = [
  `GET ${REPOSITORY}/pulls`,
  `GET ${REPOSITORY}/pulls/{pull_number}`,
  `GET ${REPOSITORY}/git/ref/{ref}`,
  `GET ${REPOSITORY}/git/commits/{commit_sha}`,
  `GET ${REPOSITORY}/compare/{basehead}`,
  `GET ${REPOSITORY}/rules/branches/{branch}`,
  `GET ${REPOSITORY}/branches/{branch}`,
  `GET ${REPOSITORY}/commits/{ref}/check-runs`,
  `GET ${REPOSITORY}/commits/{ref}/status`,
];
const WRITES = [
  `POST ${REPOSITORY}/git/trees`,
  `POST ${REPOSITORY}/git/commits`,
  `POST ${REPOSITORY}/git/refs`,
  `POST ${REPOSITORY}/pulls`,
  `POST ${REPOSITORY}/issues/{issue_number}/labels`,
  `POST ${REPOSITORY}/check-runs`,
  MERGE,
  `DELETE ${REPOSITORY}/git/refs/{ref}`,
  `POST ${REPOSITORY}/git/tags`,
];
const at = (routes: readonly string[], fault: Fault) => routes.map((route) => ({ ...fault, route }));
const once = (status: number, message: string) => [{ kind: "answer", status, message, route: MERGE } as const];

const CASES: readonly (readonly [string, readonly Fault[]])[] = [
  ["answers of a broken gateway, before anything was done", at([...READS, ...WRITES], BAD_GATEWAY)],
  ["answers of a broken gateway, after it was done", at(WRITES, { ...BAD_GATEWAY, done: true })],
  ["half answers, after it was done", at(WRITES, { kind: "half", done: true })],
  ["broken connections", at([...READS, ...WRITES], { kind: "reset" })],
  ["too many requests at once, said by 403", at([...READS, ...WRITES], secondaryLimit(30))],
  ["too many requests at once, said by 429", at([...READS, ...WRITES], secondaryLimit(30, 429))],
  ["a git that fails", at(["git", "git"], BAD_GATEWAY)],
  ["a merge that comes too early", once(405, "Base branch was modified. Review and try the merge again.")],
  ["a merge that finds another head", once(409, "Head branch was modified. Review and try the merge again.")],
];

/** What differs from the others in no more than how the same fault is told. */
const ALIKE: ReadonlySet<string> = new Set([
  "half answers, after it was done",
  "broken connections",
  "too many requests at once, said by 429",
]);
const DUE = CASES.filter(([name]) => process.env["CAIRN_LONG"] !== undefined || !ALIKE.has(name));

/** One repository, which gets one unit after the other. */
describe("a change over a GitHub with", { timeout: 300_000 }, () => {
  const shared = createShared();
  afterAll(shared.undoAll);
  let bench: ArchitectGitHub;
  let service: Service;
  let done = 0;
  beforeAll(async () => {
    bench = await startArchitectGitHub({ atEnd: shared.atEnd });
    service = await openArchitectService(bench, {}, { atEnd: shared.atEnd });
    await startCi(bench, undefined, shared.atEnd);
  }, 120_000);

  async function change(): Promise<void> {
    const message = `the weather tool should accept ${UNITS[done] ?? ""}`;
    const version = await bench.host.state.git.git(["rev-parse", "main"]);
    const location = await begin(service.url, { message, authorization: ADA, version });
    const answer = await waitForAnswer(service.url, location, ADA);
    done += 1;
    expect(answer).toMatchObject({ result: "committed", new_version: `1.${done}.0` });
    const numbers = Array.from({ length: done }, (_, index) => index + 1);
    expect(await describeHost(bench)).toEqual({
      pulls: numbers.map((number) => ({ number, is: "merged" })),
      refs: ["refs/heads/main", "refs/tags/v1.0.0", ...numbers.map((number) => `refs/tags/v1.${number}.0`)].toSorted(),
    });
    const versions = await bench.read("main", "versions.yaml");
    expect(versions.match(/^ {2}\d+\.\d+\.\d+:/gm)).toHaveLength(done + 1);
    const { state } = bench.host;
    expect(await state.git.git(["rev-list", "--count", "main"])).toBe(String(done + 1));
    // A lost answer to a report is not asked for again without a look.
    const reports = state.checks.filter(({ name, head }) => name === "cairn" && head === state.pulls.at(-1)?.headOid);
    expect(reports).toHaveLength(1);
  }

  test.each(DUE)("%s lands once", async (_, faults) => {
    bench.host.faults.order(...faults);
    await change();
    // Each was met, but for looks that a lost answer makes needless.
    const left = faults.map(({ route = "" }) => bench.host.faults.take(route)?.route);
    expect(left.filter((route) => route !== undefined && route !== `GET ${REPOSITORY}/commits/{ref}/status`)).toEqual(
      [],
    );
  });

  test("slow answers lands once", async () => {
    const { before, state } = bench.host;
    // Each write waits for a look through all of the repository.
    for (const route of WRITES) before.set(route, () => state.git.git(["fsck", "--connectivity-only"]));
    await change();
  });
});
