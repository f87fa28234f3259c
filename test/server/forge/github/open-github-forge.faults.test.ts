import { describe, expect, test } from "vitest";
import type { Change } from "../../../../server/forge/forge.ts";
import type { Fault } from "../../../stand-ins/github/faults.ts";
import { green, proposal, REQUIRED, SUCCESS } from "../contract/steps.ts";
import { type GitHubBench, type GitHubBenchOptions, openGitHubBench } from "../open-github-bench.ts";

const GIT = "/repos/{owner}/{repo}/git";
const PULL = "/repos/{owner}/{repo}/pulls/{pull_number}";
const ISSUE = "/repos/{owner}/{repo}/issues/{issue_number}";
const FILES = { "c.txt": "c", "d.bin": Uint8Array.of(0, 255) };

interface Situation {
  readonly bench: GitHubBench;
  readonly from: string;
  /** Made before, where the call is about one. */
  readonly change: Change;
  readonly head: string;
}

interface Row {
  readonly route: string;
  readonly options?: Partial<GitHubBenchOptions>;
  /** Whether the change is there before anything fails. Default: yes. */
  readonly isNew?: boolean;
  readonly prepare?: (situation: Situation) => Promise<unknown>;
  readonly call: (situation: Situation) => Promise<unknown>;
  /** Checks that there was one effect. */
  readonly check: (situation: Situation) => Promise<void>;
}

const propose: Omit<Row, "route"> = {
  isNew: true,
  call: ({ bench, from }) => bench.forge.propose({ ...proposal("one", from, FILES), labels: ["architect"] }),
  check: async ({ bench, from }) => {
    expect(bench.host.state.pulls).toHaveLength(1);
    expect(bench.host.state.pulls[0]).toMatchObject({ head: "proposal/one", base: "main", labels: ["architect"] });
    expect(await bench.refs()).toEqual(["refs/heads/main", "refs/heads/proposal/one"]);
    const log = await bench.host.state.git.git(["rev-list", "--parents", "--max-count=1", "refs/heads/proposal/one"]);
    expect(log.split(" ")[1]).toBe(from);
    expect([...(await bench.read("refs/heads/proposal/one")).keys()].sort()).toEqual(["a.txt", "c.txt", "d.bin"]);
  },
};

const report: Omit<Row, "route"> = {
  call: ({ bench, head }) => bench.forge.report(head, "test", SUCCESS),
  check: async ({ bench }) => {
    const { checks, statuses } = bench.host.state;
    expect([...checks.map(({ conclusion }) => conclusion), ...statuses.map(({ state }) => state)]).toEqual(["success"]);
  },
};

const abandon: Omit<Row, "route"> = {
  call: ({ bench, change }) => bench.forge.abandon(change, "Nobody wants it."),
  check: async ({ bench }) => {
    const [pull] = bench.host.state.pulls;
    expect(pull?.state).toBe("closed");
    expect(pull?.comments.map(({ body }) => body)).toEqual(["<!-- cairn: abandoned -->\nNobody wants it."]);
    expect(await bench.refs()).toEqual(["refs/heads/main"]);
  },
};

const tag: Omit<Row, "route"> = {
  call: async ({ bench, from }) => expect(["created", "same"]).toContain(await bench.forge.tag("v1.0.0", from, "One")),
  check: async ({ bench, from }) => {
    expect(await bench.find("refs/tags/v1.0.0")).toBe(from);
    expect((await bench.refs()).filter((ref) => ref.startsWith("refs/tags/"))).toHaveLength(1);
  },
};

const ROWS: readonly Row[] = [
  ...["blobs", "trees", "commits", "refs"].map((name) => ({ ...propose, route: `POST ${GIT}/${name}` })),
  { ...propose, route: "POST /repos/{owner}/{repo}/pulls" },
  { ...propose, route: `POST ${ISSUE}/labels` },
  { ...report, route: "POST /repos/{owner}/{repo}/check-runs" },
  {
    ...report,
    route: "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
    prepare: ({ bench, head }) => bench.forge.report(head, "test", { status: "in_progress" }),
  },
  { ...report, route: "POST /repos/{owner}/{repo}/statuses/{sha}", options: { identity: "token" } },
  ...[`PUT ${PULL}/merge`, `DELETE ${GIT}/refs/{ref}`].map((route): Row => ({
    route,
    prepare: ({ bench, head }) => green(bench, head),
    call: async ({ bench, change, head }) => {
      const landing = await bench.forge.land(change, { expectHead: head, mode: "now" });
      expect(landing).toEqual({ outcome: "merged", oid: await bench.find("main") });
    },
    check: async ({ bench, from }) => {
      expect(await bench.host.state.git.git(["rev-list", "--count", `${from}..refs/heads/main`])).toBe("1");
      expect(await bench.refs()).toEqual(["refs/heads/main"]);
    },
  })),
  {
    route: "POST /graphql",
    call: async ({ bench, change, head }) => {
      expect((await bench.forge.land(change, { expectHead: head, mode: "when-green" })).outcome).toBe("armed");
    },
    check: async ({ bench }) => expect(bench.host.state.pulls[0]?.armed).toBe("squash"),
  },
  {
    route: `PUT ${PULL}/update-branch`,
    prepare: ({ bench }) => bench.push("main", { "b.txt": "later\n" }),
    call: ({ bench, change }) => bench.forge.refresh(change),
    check: async ({ bench, head }) => {
      const { git } = bench.host.state;
      expect(await git.git(["rev-list", "--merges", "--count", "refs/heads/main..refs/heads/proposal/one"])).toBe("1");
      expect(await bench.isAncestor(head, (await bench.find("proposal/one")) ?? "")).toBe(true);
      expect(await bench.isAncestor((await bench.find("main")) ?? "", (await bench.find("proposal/one")) ?? "")).toBe(
        true,
      );
    },
  },
  { ...abandon, route: `POST ${ISSUE}/comments` },
  { ...abandon, route: `PATCH ${PULL}` },
  { ...abandon, route: `DELETE ${GIT}/refs/{ref}` },
  { ...tag, route: `POST ${GIT}/tags`, isNew: true },
  { ...tag, route: `POST ${GIT}/refs`, isNew: true },
];

/** More often than a call tries by itself. */
const TIMES = 4;
const FAULTS: readonly Pick<Fault, "kind" | "done">[] = [
  { kind: "answer" },
  { kind: "answer", done: true },
  { kind: "reset", done: true },
  { kind: "half", done: true },
  { kind: "reset" },
];
/** Every fault at every route only in long runs; in others each route has its turn with one of them. */
const isDue = (row: number, fault: number) => process.env["CAIRN_LONG"] !== undefined || row % FAULTS.length === fault;

describe("a write that fails", () => {
  for (const [fault, { kind, done = false }] of FAULTS.entries()) {
    const how = `${kind === "answer" ? "with 502" : `by a ${kind} connection`}, ${done ? "once it is done" : "undone"}`;
    const rows = ROWS.filter((_, row) => isDue(row, fault));
    test.each(rows.map((row) => [row.route.replace("/repos/{owner}/{repo}", ""), row] as const))(
      `${how}: the same call again has one effect, at %s`,
      async (_, row) => {
        const bench = await openGitHubBench({ required: REQUIRED, ...row.options });
        const from = await bench.push("main", { "a.txt": "one\n" });
        await bench.forge.sync([]);
        const none: Change = { key: "one", base: "main", branch: "proposal/one" };
        const change = row.isNew === true ? none : await bench.forge.propose(proposal("one", from, FILES));
        const head = row.isNew === true ? from : (await bench.forge.status(change)).head;
        const situation = { bench, from, change, head };
        await row.prepare?.(situation);
        const before = bench.host.requests.length;

        bench.host.faults.order({ route: row.route, kind, done, times: TIMES });
        let problem: unknown = "not called";
        for (let calls = 0; problem !== undefined && calls <= TIMES; calls++) {
          problem = await row.call(situation).then(
            () => undefined,
            (error: unknown) => error,
          );
          if (problem !== undefined) expect(problem).toMatchObject({ name: "UPSTREAM_ERROR" });
        }
        expect(problem).toBeUndefined();
        expect(bench.host.requests.slice(before)).toContain(row.route);
        await row.check(situation);
        await row.call(situation);
        await row.check(situation);
      },
    );
  }
});
