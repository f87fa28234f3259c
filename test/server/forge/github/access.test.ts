import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { GitHubIdentity } from "../../../../server/forge/github/config.ts";
import { openGitHubAccess } from "../../../../server/forge/github/access.ts";
import { openGitHub } from "../../../../server/forge/github/open-github.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { BAD_GATEWAY, secondaryLimit } from "../../../stand-ins/github/faults.ts";
import { startGitHubHost } from "../../../stand-ins/github/start-github-host.ts";
import { createInstantTime } from "../open-github-bench.ts";

const GIVE = "POST /app/installations/{installation_id}/access_tokens";
const FIND = "GET /repos/{owner}/{repo}/installation";
const MINUTE = 60_000;

async function start(identity: { readonly installation?: number; readonly timeoutMs?: number } = {}) {
  const host = await startGitHubHost();
  const { owner, repo, app } = host.state;
  const { timeoutMs = 30_000, ...rest } = identity;
  const repository = { owner, repo, baseUrl: host.url, timeoutMs };
  const { time, waits } = createInstantTime();
  const key = { value: host.credentials.privateKey };
  const access = await openGitHubAccess({ ...repository, identity: { kind: "app", id: app.id, key, ...rest }, time });
  return { host, access, repository, time, waits, octokit: openGitHub(repository, access) };
}

describe("an app's token", () => {
  test("is the same until shortly before it ends", async () => {
    const { host, access, time } = await start();
    expect(host.requests).toEqual([]);
    const [first, second] = await Promise.all([access.loadToken(), access.loadToken()]);
    expect([first, host.requests]).toEqual([second, [FIND, GIVE]]);
    await time.sleep(45 * MINUTE);
    expect(await access.loadToken()).toBe(first);
    await time.sleep(6 * MINUTE);
    expect(await access.loadToken()).not.toBe(first);
    expect(host.requests).toEqual([FIND, GIVE, GIVE]);
  });

  test("comes from the installation that is named", async () => {
    const { host, access } = await start({ installation: 815 });
    await access.loadToken();
    expect(host.requests).toEqual([GIVE]);
    const wrong = await start({ installation: 1 });
    await expect(wrong.access.loadToken()).rejects.toMatchObject({ name: "NOT_FOUND" });
  });

  test("is renewed early when GitHub takes it no more, and what was asked is asked again", async () => {
    const { host, access, octokit, repository } = await start();
    const { owner, repo } = repository;
    await octokit.rest.repos.get({ owner, repo });
    const token = await access.loadToken();
    host.credentials.revoke(token);
    expect((await octokit.rest.repos.get({ owner, repo })).status).toBe(200);
    expect(host.requests.filter((route) => route === GIVE)).toHaveLength(2);
    // Who comes later with the same refusal gets the one that is there.
    const renewed = await access.loadToken();
    expect(await access.loadToken(token)).toBe(renewed);
    expect(host.requests.filter((route) => route === GIVE)).toHaveLength(2);
  });

  test.each([
    ["502", BAD_GATEWAY],
    ["a secondary limit", secondaryLimit(30)],
    ["a secondary limit as 429", secondaryLimit(30, 429)],
  ])("is waited for through %s", async (_, fault) => {
    const { host, access, waits } = await start();
    host.faults.order({ ...fault, route: GIVE }, { ...fault, route: FIND });
    expect(await access.loadToken()).toMatch(/^ghs_/);
    expect(waits).toHaveLength(2);
  });

  test("is not to be had from a GitHub that does not answer, and is asked for again the next time", async () => {
    const { host, access } = await start({ timeoutMs: 300 });
    host.faults.order({ kind: "hang", route: FIND, times: 3 });
    await expect(access.loadToken()).rejects.toMatchObject({ name: "UPSTREAM_TIMEOUT" });
    expect(await access.loadToken()).toMatch(/^ghs_/);
  });

  test("needs a private key", async () => {
    const { repository, time } = await start();
    const open = (identity: GitHubIdentity) => openGitHubAccess({ ...repository, identity, time });
    await expect(open({ kind: "app", id: 1, key: { value: "no key" } })).rejects.toMatchObject({
      name: "BAD_REQUEST",
      message: "What CAIRN_GITHUB_APP_KEY names is no private key in PEM form.",
    });
    await expect(open({ kind: "app", id: 1, key: { file: "/nowhere" } })).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: "The file that CAIRN_GITHUB_APP_KEY names cannot be read.",
    });
  });
});

describe("a token from a file", () => {
  test("is read anew, so that another needs no restart", async () => {
    const { repository, time } = await start();
    const file = join(await temporaryFolder(), "token");
    await writeFile(file, "ghp_one\n");
    const access = await openGitHubAccess({ ...repository, identity: { kind: "token", token: { file } }, time });
    expect(await access.loadToken()).toBe("ghp_one");
    await writeFile(file, "ghp_two\n");
    expect(await access.loadToken("ghp_one")).toBe("ghp_two");
  });
});
