import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Octokit } from "octokit";
import { describe, expect, onTestFinished, test } from "vitest";
import { verifyWebhook } from "../../../server/forge/github/webhooks/verify-webhook.ts";
import { createRepository, openRepository, type TestRepository } from "../../helpers/repository.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";
import { GITHUB_INTERFACE } from "./interface.ts";
import { type GitHubHost, startGitHubHost } from "./start-github-host.ts";

const PLACE = { owner: "acme", repo: "tools" } as const;

interface Scene {
  readonly host: GitHubHost;
  readonly token: string;
  readonly octokit: Octokit;
  readonly work: TestRepository;
  /** Address for git, with the token. */
  readonly address: string;
}

/** A host with one commit on `main`, pushed as people do. */
async function begin(): Promise<Scene> {
  const host = await startGitHubHost();
  const token = host.credentials.issueUserToken("ada");
  const work = await createRepository();
  await work.commit({ "a.txt": "one\ntwo\nthree\n" });
  const address = `${host.url.replace("//", `//x:${token}@`)}/acme/tools.git`;
  await work.git("push", "--quiet", address, "main");
  return { host, token, work, address, octokit: openOctokit(host, token) };
}

/** As it comes, but that it tries nothing twice. */
function openOctokit(host: GitHubHost, auth: string): Octokit {
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  return new Octokit({ auth, baseUrl: host.url, retry: { enabled: false }, throttle: { enabled: false }, log });
}

/** Pushes a branch that changes a file, and opens a pull request for it. */
async function open({ work, address, octokit }: Scene, branch: string, content: string) {
  await work.git("checkout", "--quiet", "-b", branch, "main");
  const head = await work.commit({ "a.txt": content });
  await work.git("push", "--quiet", address, branch);
  const { data } = await octokit.rest.pulls.create({ ...PLACE, title: branch, head: branch, base: "main" });
  return { head, pull: { ...PLACE, pull_number: data.number } };
}

describe("git on the stand-in", () => {
  test("is cloned and pushed to with a token, and by nobody else", async () => {
    const { host, work, address } = await begin();
    const copy = join(await temporaryFolder(), "copy");
    await work.git("clone", "--quiet", address, copy);
    expect(await openRepository(copy).git("rev-parse", "HEAD")).toBe(await work.git("rev-parse", "main"));
    await expect(work.git("ls-remote", `${host.url}/acme/tools.git`)).rejects.toThrow(/could not read Username/);
    const wrong = `${host.url.replace("//", "//x:ghp_wrong@")}/acme/tools.git`;
    await expect(work.git("push", wrong, "main:other")).rejects.toThrow(/Authentication failed/);
  });

  test("keeps protected branches from pushes", async () => {
    const { host, token, work, address } = await begin();
    await host.ask(token, "PUT /repos/acme/tools/branches/main/protection", {
      required_status_checks: null,
      enforce_admins: true,
      required_pull_request_reviews: null,
      restrictions: null,
    });
    await work.commit({ "a.txt": "two\n" });
    await expect(work.git("push", address, "main")).rejects.toThrow(/GH006: Protected branch update failed/);
    await work.git("push", "--quiet", address, "main:free");
  });
});

describe("pull requests on the stand-in", () => {
  test("are refused without a head, without commits, and twice", async () => {
    const scene = await begin();
    await open(scene, "one", "1\ntwo\nthree\n");
    const create = (head: string) => scene.octokit.rest.pulls.create({ ...PLACE, title: "x", head, base: "main" });
    await expect(create("nothing")).rejects.toMatchObject({ status: 422 });
    await expect(create("main")).rejects.toThrow(/No commits between main and main/);
    await expect(create("one")).rejects.toThrow(/A pull request already exists for acme:one/);
  });

  test("say whether they can be merged when they are asked again", async () => {
    const scene = await begin();
    const [one, two] = [await open(scene, "one", "1\ntwo\nthree\n"), await open(scene, "two", "2\ntwo\nthree\n")];
    const { rest } = scene.octokit;
    const state = async (pull: typeof one.pull) => {
      const { mergeable, mergeable_state: name } = (await rest.pulls.get(pull)).data;
      return [mergeable, name];
    };
    expect(await state(one.pull)).toEqual([null, "unknown"]);
    expect(await state(one.pull)).toEqual([true, "clean"]);
    await rest.pulls.merge({ ...one.pull, merge_method: "squash" });
    expect(await state(two.pull)).toEqual([null, "unknown"]);
    expect(await state(two.pull)).toEqual([false, "dirty"]);
    await expect(rest.pulls.merge(two.pull)).rejects.toMatchObject({ status: 405 });
    await expect(rest.pulls.updateBranch(two.pull)).rejects.toThrow(/merge conflict between base and head/);
  });

  test("merge what both sides have, with the parents that the method has", async () => {
    const scene = await begin();
    const main = () => scene.host.state.git.git(["log", "-1", "--format=%P", "refs/heads/main"]);
    const base = await scene.work.git("rev-parse", "main");
    const [one, two] = [await open(scene, "one", "1\ntwo\nthree\n"), await open(scene, "two", "one\ntwo\n3\n")];
    const { rest } = scene.octokit;
    await expect(rest.pulls.merge({ ...one.pull, merge_method: "rebase" })).rejects.toMatchObject({ status: 405 });
    await expect(rest.pulls.merge({ ...one.pull, sha: base })).rejects.toMatchObject({ status: 409 });
    const squashed = (await rest.pulls.merge({ ...one.pull, sha: one.head, merge_method: "squash" })).data.sha;
    expect(await main()).toBe(base);
    await rest.pulls.merge({ ...two.pull, sha: two.head });
    expect(await main()).toBe(`${squashed} ${two.head}`);
    expect(await scene.host.state.git.git(["show", "refs/heads/main:a.txt"])).toBe("1\ntwo\n3");
  });

  test("list the files that they change", async () => {
    const scene = await begin();
    const { pull } = await open(scene, "one", "1\n");
    const { data } = await scene.octokit.rest.pulls.listFiles(pull);
    expect(data.map(({ filename, status }) => `${status} ${filename}`)).toEqual(["modified a.txt"]);
  });
});

describe("the interface of the stand-in", () => {
  test("knows who asks", async () => {
    const { host } = await begin();
    const ask = async (authorization: string | undefined, path = "/repos/acme/tools") =>
      (await fetch(`${host.url}${path}`, authorization === undefined ? {} : { headers: { authorization } })).status;
    expect(await ask(undefined)).toBe(401);
    expect(await ask("Bearer ghp_wrong")).toBe(401);
    expect(await ask("Bearer e30.e30.e30")).toBe(401);
    const { token } = host.credentials.issueInstallationToken();
    expect(await ask(`Bearer ${token}`)).toBe(200);
    expect(await ask(`Bearer ${token}`, "/app")).toBe(401);
    expect(await ask(`Bearer ${token}`, "/repos/acme/other")).toBe(404);
  });

  test("has no answer to what it does not know, and says so", async () => {
    const { octokit } = await begin();
    await expect(octokit.rest.repos.listTags(PLACE)).rejects.toMatchObject({ status: 501 });
    await expect(octokit.rest.repos.listTags(PLACE)).rejects.toThrow("The stand-in has no GET /repos/acme/tools/tags");
  });

  test("lets only apps report check runs", async () => {
    const { octokit, work } = await begin();
    const head = await work.git("rev-parse", "main");
    await expect(octokit.rest.checks.create({ ...PLACE, name: "x", head_sha: head })).rejects.toThrow(/GitHub App/);
  });

  test("commits through GraphQL only onto the commit that was expected", async () => {
    const { octokit, work, host } = await begin();
    const head = await work.git("rev-parse", "main");
    const mutation = `mutation ($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid } } }`;
    const input = {
      branch: { repositoryNameWithOwner: "acme/tools", branchName: "main" },
      expectedHeadOid: head,
      message: { headline: "By GraphQL" },
      fileChanges: {
        additions: [{ path: "b.txt", contents: Buffer.from("b").toString("base64") }],
        deletions: [{ path: "a.txt" }],
      },
    };
    await octokit.graphql(mutation, { input });
    expect(await host.state.git.git(["ls-tree", "-r", "--name-only", "refs/heads/main"])).toBe("b.txt");
    await expect(octokit.graphql(mutation, { input })).rejects.toThrow(/Expected branch to point to/);
  });

  test("sends signed webhooks of pushes, pull requests and checks, each under an id of its own", async () => {
    const received: {
      readonly event: string;
      readonly id: string;
      readonly isSigned: boolean;
      readonly action: unknown;
    }[] = [];
    const receiver = createServer(async (request, response) => {
      const body = await buffer(request);
      const { headers } = request;
      const signature = headers["x-hub-signature-256"];
      received.push({
        event: String(headers["x-github-event"]),
        id: String(headers["x-github-delivery"]),
        isSigned: verifyWebhook("secret", body, typeof signature === "string" ? signature : undefined),
        action: (JSON.parse(body.toString()) as { readonly action?: unknown }).action,
      });
      response.end();
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    onTestFinished(() => void receiver.close());
    const scene = await begin();
    const { port } = receiver.address() as AddressInfo;
    scene.host.webhooks.add({ url: `http://127.0.0.1:${port}/`, secret: "secret" });

    const { pull } = await open(scene, "one", "1\n");
    const head = await scene.work.commit({ "a.txt": "2\n" });
    await scene.work.git("push", "--quiet", scene.address, "one");
    await scene.octokit.rest.repos.createCommitStatus({ ...PLACE, sha: head, state: "success" });
    const app = openOctokit(scene.host, scene.host.credentials.issueInstallationToken().token);
    await app.rest.checks.create({
      ...PLACE,
      name: "test",
      head_sha: head,
      conclusion: "success",
      status: "completed",
    });
    await scene.octokit.rest.pulls.merge(pull);
    await scene.host.webhooks.settled();
    expect(received.map(({ event, action }) => (action === undefined ? event : `${event} ${action}`))).toEqual([
      "push",
      "pull_request opened",
      "push",
      "pull_request synchronize",
      "status",
      "check_run created",
      "check_suite completed",
      "pull_request closed",
      "push",
    ]);
    expect(received.every(({ isSigned }) => isSigned)).toBe(true);
    expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);
  });
});

describe("what GitHub publishes", () => {
  test("finds answers of another form, and none that it does not describe", () => {
    const operation = "GET /repos/{owner}/{repo}/git/ref/{ref}";
    const good = GITHUB_INTERFACE.shape("git-ref", { ref: "refs/heads/main", object: { sha: "1".repeat(40) } });
    expect(GITHUB_INTERFACE.checkAnswer(operation, 200, good)).toBeUndefined();
    expect(GITHUB_INTERFACE.checkAnswer(operation, 200, { ...good, ref: 1 })).toMatch(/ref must be string/);
    expect(GITHUB_INTERFACE.checkAnswer(operation, 200, { ref: "x" })).toMatch(/must have required property/);
    expect(GITHUB_INTERFACE.checkAnswer(operation, 201, good)).toMatch(/describes no answer 201/);
    expect(GITHUB_INTERFACE.checkRequest("POST /repos/{owner}/{repo}/git/refs", { ref: "x" })).toMatch(/sha/);
  });
});
