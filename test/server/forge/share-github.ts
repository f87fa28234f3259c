import { afterAll } from "vitest";
import type { Review } from "../../stand-ins/github/state.ts";
import { createShared } from "../../helpers/temporary.ts";
import { green, proposal, start } from "./contract/steps.ts";
import { type GitHubBench, type GitHubBenchOptions, openGitHubBench } from "./open-github-bench.ts";

export const MERGE = "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge";

/** A rule that wants a pull request, as a ruleset has it. */
export function pulls(parameters: Readonly<Record<string, unknown>>) {
  const none = {
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_approving_review_count: 0,
    required_review_thread_resolution: false,
  };
  return { type: "pull_request", parameters: { ...none, ...parameters } };
}

/** Who has approved, as GitHub keeps it. */
export function approvalOf(login: string): Review {
  return { login, state: "APPROVED" };
}

/** One host for all tests of a file: each makes its own pull request, under its own rules. */
export function shareGitHub(options: Partial<GitHubBenchOptions> = {}) {
  const shared = createShared();
  afterAll(shared.undoAll);
  let opening: Promise<GitHubBench> | undefined;
  let count = 0;

  async function openShared(): Promise<GitHubBench> {
    const { bench } = await start(({ required }) =>
      openGitHubBench({ required, reviewers: ["grace", "acme/agents"], ...options, atEnd: shared.atEnd }),
    );
    return bench;
  }

  /** The host, with a `main` that has further rules. */
  async function rule(...rules: readonly object[]) {
    const bench = await (opening ??= openShared());
    const { host, token } = bench;
    const { owner, repo } = host.state;
    host.state.rulesets.splice(1);
    host.state.methods.clear();
    host.state.methods.add("squash").add("merge");
    if (rules.length > 0) {
      await host.ask(token, `POST /repos/${owner}/${repo}/rulesets`, {
        name: "more",
        target: "branch",
        enforcement: "active",
        conditions: { ref_name: { include: ["~DEFAULT_BRANCH"], exclude: [] } },
        rules,
      });
    }
    return bench;
  }

  /** A change, of one file of its own where it is not said of which. */
  async function change(bench: GitHubBench, files?: Readonly<Record<string, string | null>>) {
    const { forge, host } = bench;
    const key = `change-${(count += 1)}`;
    const from = (await bench.find("main")) ?? "";
    const made = await forge.propose(proposal(key, from, files ?? { [`${key}.txt`]: key }));
    const { head } = await forge.status(made);
    const pull = host.state.pulls.find(({ number }) => number === made.number);
    if (pull === undefined) throw new Error("There is no pull request.");
    return { change: made, from, head, pull };
  }

  /** A change whose checks are green, on a `main` with further rules. */
  async function begin(...rules: readonly object[]) {
    const bench = await rule(...rules);
    const { forge, host } = bench;
    const made = await change(bench);
    await green(bench, made.head);
    const land = () => forge.land(made.change, { expectHead: made.head, mode: "now" });
    const asked = host.requests.length;
    const merges = () => host.requests.slice(asked).filter((route) => route === MERGE).length;
    return { ...made, bench, forge, host, land, merges };
  }

  return { begin, change, rule, tick: () => void (count += 1) };
}
