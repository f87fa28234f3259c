import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { GitHubIdentity } from "../../../server/forge/github/config.ts";
import { openGitHubAccess } from "../../../server/forge/github/access.ts";
import type { ForgeTime } from "../../../server/forge/forge-time.ts";
import { openLocalRepository } from "../../../server/forge/local/local-repository.ts";
import { type GitHubForgeOptions, openGitHubForge } from "../../../server/forge/github/open-github-forge.ts";
import { type AtEnd, temporaryFolder } from "../../helpers/temporary.ts";
import { type GitHubHost, startGitHubHost } from "../../stand-ins/github/start-github-host.ts";
import { createGitBench, type ForgeBench } from "./contract/bench.ts";
import { loadTestGit } from "../../helpers/repository.ts";

export interface GitHubBench extends ForgeBench {
  readonly host: GitHubHost;
  /** Of somebody who works in the repository. */
  readonly token: string;
  /** Milliseconds of every wait so far; none takes any time. */
  readonly waits: readonly number[];
}

export interface GitHubBenchOptions extends Partial<
  Pick<GitHubForgeOptions, "mergeMethod" | "autoMerge" | "reviewers" | "timeoutMs">
> {
  readonly required: readonly string[];
  /** Where what is required stands. Default: a ruleset. */
  readonly rules?: "ruleset" | "protection";
  /** Whether GitHub itself wants branches to be up to date. Default: yes. */
  readonly strict?: boolean;
  readonly identity?: "app" | "token";
  /** Whose token it is. Default: of `ada`. */
  readonly login?: string;
  /** Where what is opened is left to be undone. Default: the end of the test. */
  readonly atEnd?: AtEnd;
}

/** The forge of GitHub over the stand-in, with a local copy that comes by git's own protocol. */
export async function openGitHubBench(options: GitHubBenchOptions): Promise<GitHubBench> {
  const host = await startGitHubHost(options.atEnd);
  const token = host.credentials.issueUserToken(options.login ?? "ada");
  const { owner, repo, git: origin } = host.state;
  await protect(host, token, options);
  host.state.allowAutoMerge = true;

  const folder = await temporaryFolder(options.atEnd);
  const git = await loadTestGit();
  const path = join(folder, "copy.git");
  await git.run(["init", "--quiet", "--bare", "--template=", path]);
  const address = new URL(`${host.url}/${owner}/${repo}.git`);
  address.username = "x-access-token";
  address.password = token;
  const fetch = async (...refs: readonly string[]) =>
    void (await git.run([`--git-dir=${path}`, "fetch", "--quiet", "--prune", address.href, ...refs]));
  const repository = await openLocalRepository(git, path, () => Date.now());

  const privateKeyPath = join(folder, "app.pem");
  await writeFile(privateKeyPath, host.credentials.privateKey);
  const { time, waits } = createInstantTime();
  const place = { owner, repo, baseUrl: host.url, timeoutMs: options.timeoutMs ?? 30_000 };
  const identity: GitHubIdentity =
    options.identity === "token"
      ? { kind: "token", token: { value: token } }
      : { kind: "app", id: host.state.app.id, key: { file: privateKeyPath } };
  const forge = openGitHubForge({
    ...place,
    access: await openGitHubAccess({ ...place, identity, time }),
    copy: { repository, fetch: (oids) => fetch("+refs/*:refs/*", ...oids) },
    time,
    mergeMethod: options.mergeMethod ?? "squash",
    autoMerge: options.autoMerge ?? true,
    reviewers: options.reviewers ?? [],
  });
  return {
    ...createGitBench(origin.path),
    forge,
    host,
    token,
    waits,
    labels: async (change) => host.state.pulls.find(({ number }) => number === change.number)?.labels ?? [],
  };
}

async function protect(host: GitHubHost, token: string, options: GitHubBenchOptions): Promise<void> {
  const { owner, repo } = host.state;
  const strict = options.strict ?? true;
  if (options.rules === "protection") {
    await host.ask(token, `PUT /repos/${owner}/${repo}/branches/main/protection`, {
      required_status_checks: { strict, contexts: options.required },
      enforce_admins: true,
      required_pull_request_reviews: null,
      restrictions: null,
    });
    return;
  }
  const parameters = {
    strict_required_status_checks_policy: strict,
    required_status_checks: options.required.map((context) => ({ context })),
  };
  await host.ask(token, `POST /repos/${owner}/${repo}/rulesets`, {
    name: "green",
    target: "branch",
    enforcement: "active",
    conditions: { ref_name: { include: ["~DEFAULT_BRANCH"], exclude: [] } },
    rules: [{ type: "required_status_checks", parameters }],
  });
}

/** A clock that waiting moves on, and nothing else. */
export function createInstantTime(): { readonly time: ForgeTime; readonly waits: readonly number[] } {
  let now = Date.now();
  const waits: number[] = [];
  const sleep = async (ms: number) => {
    waits.push(ms);
    now += ms;
    await setImmediate();
  };
  return { time: { now: () => now, sleep, random: () => 0 }, waits };
}
