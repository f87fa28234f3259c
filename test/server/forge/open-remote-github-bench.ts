import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Octokit } from "octokit";
import { openGitHubAccess } from "../../../server/forge/github/access.ts";
import type { ForgeTime } from "../../../server/forge/forge-time.ts";
import { openLocalRepository } from "../../../server/forge/local/local-repository.ts";
import { openGitHubForge } from "../../../server/forge/github/open-github-forge.ts";
import { type AtEnd, temporaryFolder } from "../../helpers/temporary.ts";
import { createGitBench, type ForgeBench } from "./contract/bench.ts";
import { loadTestGit } from "../../helpers/repository.ts";

/** A repository on GitHub or a server with its interfaces, without any commit yet, and a token that may do everything there. */
export interface RemotePlace {
  readonly owner: string;
  readonly repo: string;
  readonly token: string;
  /** Absent: github.com. */
  readonly api?: string;
  /** Where git finds it. */
  readonly address: string;
  readonly time: ForgeTime;
}

const MACHINE_TIME: ForgeTime = { now: Date.now, sleep: (ms) => sleep(ms), random: Math.random };

/** The forge of GitHub over a repository that is nowhere on this machine: people's part is done by git's own protocol, too. */
export async function openRemoteGitHubBench(place: RemotePlace, required: readonly string[]): Promise<ForgeBench> {
  const { owner, repo, token, api, time } = place;
  const octokit = new Octokit({ auth: token, ...(api === undefined ? {} : { baseUrl: api }) });
  await octokit.request("POST /repos/{owner}/{repo}/rulesets", {
    owner,
    repo,
    name: "green",
    target: "branch",
    enforcement: "active",
    // People of the bench push to the branch; what lands by the forge is not asked for less by that.
    bypass_actors: [{ actor_id: ADMIN, actor_type: "RepositoryRole", bypass_mode: "always" }],
    conditions: { ref_name: { include: ["refs/heads/main"], exclude: [] } },
    rules: [
      {
        type: "required_status_checks",
        parameters: {
          strict_required_status_checks_policy: true,
          required_status_checks: required.map((context) => ({ context })),
        },
      },
    ],
  });
  const path = join(await temporaryFolder(), "copy.git");
  const git = await loadTestGit();
  await git.run(["init", "--quiet", "--bare", "--template=", path]);
  const remote = new URL(place.address);
  remote.username = "x-access-token";
  remote.password = token;
  const run = (...args: readonly string[]) => git.run([`--git-dir=${path}`, ...args]);
  const sync = async () => {
    await run("fetch", "--quiet", "--prune", remote.href, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*");
  };
  const own = createGitBench(path);
  const repository = await openLocalRepository(git, path, time.now);
  const address = { owner, repo, timeoutMs: 30_000, ...(api === undefined ? {} : { baseUrl: api }) };
  const forge = openGitHubForge({
    ...address,
    access: await openGitHubAccess({ ...address, identity: { kind: "token", token: { value: token } }, time }),
    copy: {
      repository,
      fetch: async (oids) => {
        await sync();
        if (oids.length > 0) await run("fetch", "--quiet", remote.href, ...oids);
      },
    },
    time,
    mergeMethod: "squash",
    autoMerge: true,
  });
  const after = async <Result>(look: () => Promise<Result>): Promise<Result> => {
    await sync();
    return look();
  };
  return {
    forge,
    find: (ref) => after(() => own.find(ref)),
    read: (commit) => after(() => own.read(commit)),
    isAncestor: (older, newer) => after(() => own.isAncestor(older, newer)),
    refs: () => after(own.refs),
    push: async (branch, files) => {
      const commit = await after(() => own.push(branch, files));
      await run("push", "--quiet", remote.href, `refs/heads/${branch}:refs/heads/${branch}`);
      return commit;
    },
    labels: async ({ number = 0 }) => {
      const { data } = await octokit.request("GET /repos/{owner}/{repo}/issues/{issue_number}/labels", {
        owner,
        repo,
        issue_number: number,
      });
      return data.map(({ name }) => name);
    },
  };
}

/** Of the role of a repository's administrators. */
const ADMIN = 5;

/** A repository of whoever the token is, which is taken away at the end. Public, because not every account has rules for others. */
export async function createScratchRepository(token: string, atEnd: AtEnd): Promise<RemotePlace> {
  const octokit = new Octokit({ auth: token });
  const name = `cairn-forge-test-${randomBytes(6).toString("hex")}`;
  const { data } = await octokit.request("POST /user/repos", { name, allow_auto_merge: true });
  const owner = data.owner.login;
  atEnd(async () => void (await octokit.request("DELETE /repos/{owner}/{repo}", { owner, repo: name })));
  return { owner, repo: name, token, address: data.clone_url, time: MACHINE_TIME };
}
