import { createHmac } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Service } from "../../server/app/app.ts";
import type { Forge, Proposal } from "../../server/forge/forge.ts";
import type { Nudge } from "../../server/forge/nudges.ts";
import { eventually } from "../helpers/eventually.ts";
import { agent, type GitHubServiceBench, startGitHubService, WEBHOOK_SECRET } from "../helpers/github-service.ts";
import { BAD_GATEWAY } from "../stand-ins/github/faults.ts";

const TOKENS = "POST /app/installations/{installation_id}/access_tokens";

function forgeOf({ forge }: Service): Forge {
  if (forge.forge === undefined) throw new Error(forge.why);
  return forge.forge;
}

/** As GitHub posts it. */
async function post(service: Service, event: string, payload: unknown, headers: Readonly<Record<string, string>> = {}) {
  const body = JSON.stringify(payload);
  const response = await fetch(`${service.url}/webhooks/github`, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "x-github-event": event,
      "x-github-delivery": "1",
      "x-hub-signature-256": `sha256=${createHmac("sha256", WEBHOOK_SECRET).update(body).digest("hex")}`,
      ...headers,
    },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function push({ host, checkout }: GitHubServiceBench, version: string): Promise<string> {
  const commit = await checkout.commit(agent(version, "1.0.0"));
  await checkout.tag(`v${version}`);
  await host.state.git.git(["fetch", "--quiet", checkout.path, "+refs/*:refs/*"]);
  return commit;
}

function proposal(key: string, from: string, files: Readonly<Record<string, string>>): Proposal {
  return {
    key,
    from,
    base: "main",
    title: "Greet",
    body: "It is asked for.",
    author: { name: "Ada", email: "ada@example.com" },
    message: "Greet",
    files: new Map(Object.entries(files)),
  };
}

const PUSH = { ref: "refs/heads/main", repository: { full_name: "acme/tools" } };

describe("a service of a private repository on GitHub", () => {
  test("fetches with the app's token, which stands nowhere on the disk", async () => {
    const bench = await startGitHubService();
    const service = await bench.open();
    expect((await service.registry.list({ limit: 5, offset: 0, includeUnstable: false })).total).toBe(1);
    const tokens = /ghs_|x-access-token|eC1hY2Nlc3Mt/;
    const files = await readdir(join(bench.data, "mirror.git"), { recursive: true, withFileTypes: true });
    for (const file of files.filter((one) => one.isFile())) {
      expect(await readFile(join(file.parentPath, file.name), "latin1")).not.toMatch(tokens);
    }
  });

  test("goes on when its token is revoked, and through faults of GitHub", async () => {
    const bench = await startGitHubService();
    const { host } = bench;
    const service = await bench.open();
    host.credentials.revokeAll();
    host.faults.order({ ...BAD_GATEWAY, route: TOKENS });
    await push(bench, "1.1.0");
    expect(await service.registry.refresh()).toMatchObject({ ok: true, added: ["v1.1.0"] });
    host.faults.order({ ...BAD_GATEWAY, route: "git" });
    expect(await service.registry.refresh()).toMatchObject({ ok: false });
    expect(await service.registry.refresh()).toMatchObject({ ok: true });
  });

  test("starts again from what it has while GitHub is away", async () => {
    const bench = await startGitHubService();
    await (await bench.open()).close();
    const service = await bench.open({ CAIRN_GITHUB_API: "http://127.0.0.1:1" });
    expect(service.forge.baseBranch).toBe("main");
    expect((await service.registry.resolve("1.0.0")).version.commit).toBe(bench.first);
  });

  test("changes it by pull request: proposed, checked, landed, tagged, served", async () => {
    const bench = await startGitHubService();
    const { host, first } = bench;
    const service = await bench.open();
    host.webhooks.add({ url: `${service.url}/webhooks/github`, secret: WEBHOOK_SECRET });
    const heard: Nudge[] = [];
    service.forge.onNudge((nudge) => heard.push(nudge));
    const forge = forgeOf(service);
    const change = await forge.propose({
      ...proposal("one", first, agent("1.1.0", "1.0.0")),
      body: "@ada asks for it. Fixes #12.",
      message: "Greet\n\nCloses #13, says @ada.",
    });
    const { head } = await forge.status(change);
    await eventually(() => expect(heard).toContainEqual({ branch: change.branch, commit: head, number: 1 }));
    const [pull] = host.state.pulls;
    const message = await host.state.git.git(["log", "-1", "--format=%B", head]);
    for (const text of [pull?.body ?? "", message]) expect(text).not.toMatch(/@ada|\b(?:Fixes|Closes)\b/);

    await forge.report(head, "validate", { status: "completed", conclusion: "success", summary: "Valid." });
    await eventually(() => expect(heard).toContainEqual({ commit: head }));
    const landing = await forge.land(change, { expectHead: head, mode: "now" });
    if (landing.outcome !== "merged") throw new Error(landing.reason);
    expect(await forge.tag("v1.1.0", landing.oid, "One")).toBe("created");
    await eventually(async () => {
      expect((await service.registry.resolve("latest")).version).toMatchObject({
        semver: "1.1.0",
        commit: landing.oid,
      });
    });
  });
});

describe("the forge of a service on GitHub", () => {
  test("brings in what it has not seen, and names the files of a conflict", async () => {
    const bench = await startGitHubService();
    const service = await bench.open({ CAIRN_GITHUB_WEBHOOK_SECRET: "" });
    const forge = forgeOf(service);
    const from = await push(bench, "1.1.0");
    const change = await forge.propose(proposal("one", from, { "a.txt": "one\n" }));
    await bench.checkout.commit({ "a.txt": "another\n" });
    await bench.host.state.git.git(["fetch", "--quiet", bench.checkout.path, "+refs/*:refs/*"]);
    expect(await forge.refresh(change)).toEqual({ outcome: "conflict", paths: ["a.txt"] });
    const unknown = proposal("two", "a".repeat(40), { "b.txt": "b" });
    await expect(forge.propose(unknown)).rejects.toMatchObject({ name: "NOT_FOUND" });
  });
});

describe("POST /webhooks/github", () => {
  test("takes what GitHub has signed, at once, without a token, and looks at the repository", async () => {
    const bench = await startGitHubService();
    const service = await bench.open({ CAIRN_AUTH: "tokens" });
    await push(bench, "1.1.0");
    expect(await post(service, "push", PUSH)).toEqual({ status: 202, body: { result: "taken" } });
    await eventually(async () => expect((await service.registry.resolve("1.1.0")).version.semver).toBe("1.1.0"));
    expect(await post(service, "push", PUSH)).toEqual({ status: 202, body: { result: "repeated" } });
    expect(await post(service, "ping", {})).toEqual({ status: 202, body: { result: "ignored" } });
    const unsigned = await post(service, "push", PUSH, { "x-hub-signature-256": `sha256=${"0".repeat(64)}` });
    expect(unsigned).toMatchObject({ status: 401, body: { detail: "Deliveries are taken from GitHub alone." } });
    expect(await post(service, "push", PUSH, { "content-type": "text/plain" })).toMatchObject({ status: 415 });
    expect(await post(service, "push", { ...PUSH, more: "x".repeat(2 ** 20) })).toMatchObject({ status: 413 });
  });

  test("counts deliveries, and limits how many of them one address sends", async () => {
    const bench = await startGitHubService();
    const service = await bench.open();
    const wrong = { "x-hub-signature-256": "sha256=" };
    expect((await post(service, "push", PUSH)).status).toBe(202);
    let statuses: number[] = [];
    while (!statuses.includes(429)) {
      statuses = (await Promise.all(Array.from({ length: 50 }, () => post(service, "push", PUSH, wrong)))).map(
        ({ status }) => status,
      );
      expect(statuses.every((status) => status === 401 || status === 429)).toBe(true);
    }
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toContain('cairn_webhook_deliveries_total{result="taken"} 1');
    expect(metrics).toMatch(/cairn_webhook_deliveries_total\{result="refused"\} \d+/);
    expect(metrics).toContain('cairn_http_requests_total{route="webhooks",status="202"} 1');
  });

  test("is not there without a secret", async () => {
    const bench = await startGitHubService();
    const service = await bench.open({ CAIRN_GITHUB_WEBHOOK_SECRET: "", CAIRN_AUTH: "tokens" });
    expect(await post(service, "push", PUSH)).toMatchObject({ status: 404 });
  });

  test("needs a secret that nobody finds by trying", async () => {
    const bench = await startGitHubService();
    await expect(bench.open({ WEBHOOK_SECRET: "short" })).rejects.toMatchObject({ name: "BAD_REQUEST" });
  });
});
