import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { TRUST_CALLERS, TRUST_POLICY, TRUST_TOOLS, trustFiles } from "../fixtures/trust.ts";
import { openLegacySession } from "../helpers/legacy-session.ts";
import { sendModern, toToolCall } from "../helpers/modern-mcp.ts";
import { authenticateAs, openTestService } from "../helpers/open-service.ts";
import { createRepository, type TestRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const OWN_FILES = Object.fromEntries(
  globSync(["manifests/**/*.yaml", "tools/**/*.ts", "versions.yaml"]).map((path) => [path, readFileSync(path, "utf8")]),
);
const OWN_VERSION = /^current: (\S+)$/m.exec(OWN_FILES["versions.yaml"] ?? "")?.[1] ?? "";
const ACCESS = "manifests/policies/access.yaml";

const shared = createShared();
afterAll(shared.undoAll);

async function serve(
  repository: TestRepository,
  more: Readonly<Record<string, string | undefined>> = {},
  options: Parameters<typeof openTestService>[2] = {},
): Promise<{ readonly url: string; readonly data: string; refresh(): Promise<unknown> }> {
  const { PATH, HOME } = process.env;
  const data = await temporaryFolder(shared.atEnd);
  const environment = { PATH, HOME, PORT: "0", CAIRN_REPO: repository.path, CAIRN_DATA: data, ...more };
  const { url, registry } = await openTestService(environment, repository.path, {
    authenticate: authenticateAs(TRUST_CALLERS),
    atEnd: shared.atEnd,
    ...options,
  });
  return { url, data, refresh: registry.refresh };
}

type Who = keyof typeof TRUST_CALLERS;

async function ask(url: string, who: Who, path: string, body?: unknown) {
  const response = await fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: who, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  const json = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body: json };
}

/** `200`, or the name of the error. */
async function outcome(answer: Promise<{ readonly status: number; readonly body: Record<string, unknown> }>) {
  const { status, body } = await answer;
  return status < 300 ? "ok" : String(body["name"]);
}

/** What each way of reaching a version is answered with. */
async function tryAll(url: string, segment: string) {
  const agent = `/agent/${encodeURIComponent(segment)}`;
  const mcp = async (server: string, request: Parameters<typeof sendModern>[1]) => {
    const sent = await sendModern(`${url}${agent}/${server}`, { ...request, headers: { authorization: "mia" } });
    const [message] = await sent.rest();
    const { error } = (message ?? {}) as { error?: { data?: { name?: string } } };
    return error === undefined ? "ok" : String(error.data?.name);
  };
  const legacy = async () => {
    const response = await fetch(`${url}${agent}/talker`, {
      method: "POST",
      headers: {
        authorization: "mia",
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      }),
    });
    await response.body?.cancel();
    return response.ok ? "ok" : String(response.status);
  };
  return {
    answers: await outcome(ask(url, "mia", `${agent}/api/tools/runner.echo`, {})),
    effects: await outcome(ask(url, "mia", `${agent}/api/tools/runner.count`, {})),
    calls: await mcp("runner", toToolCall("runner.echo")),
    lists: await mcp("runner", { method: "tools/list" }),
    resources: await mcp("runner", { method: "resources/read", params: { uri: "logs://recent" } }),
    session: await legacy(),
    feedback: await outcome(ask(url, "mia", `${agent}/architect/chat`, { message: "Well done.", dry_run: true })),
    shows: await ask(url, "mia", `/versions/${encodeURIComponent(segment)}`).then(({ status, body }) =>
      status === 200 ? String(body["state"]) : String(body["name"]),
    ),
    documents: await outcome(ask(url, "mia", `${agent}/openapi.json`)),
    definitions: await outcome(ask(url, "mia", `${agent}/api/tools`)),
  };
}

/** Everything that acts is answered with one outcome, everything that shows something with another. */
function all(acts: string, shows: string, reads = "ok") {
  return {
    ...Object.fromEntries(
      ["answers", "effects", "calls", "lists", "resources", "session", "feedback"].map((name) => [
        name,
        name === "session" && acts !== "ok" ? "404" : acts,
      ]),
    ),
    shows,
    documents: reads,
    definitions: reads,
  };
}

describe("a pull request whose policies give its author every right", () => {
  test("[V9] gives none: what reader may not do at a tag, it may not do at the pull request either", async () => {
    const repository = await createRepository();
    await repository.release(OWN_VERSION, OWN_FILES);
    const generous = (OWN_FILES[ACCESS] ?? "")
      .replace("  reader:\n", '  reader:\n    - "*"\n')
      .replace("commands:\n", "commands:\n  - program: bash\n    arguments: [-c]\n");
    expect(generous).toMatch(/reader:\n {4}- "\*"[^]*program: bash/);
    await repository.git("switch", "--quiet", "--create", "attack");
    const head = await repository.commit({ [ACCESS]: generous });
    await repository.git("update-ref", "refs/pull/7/head", head);
    await repository.git("switch", "--quiet", "main");
    await repository.git("branch", "--quiet", "-D", "attack");
    const { url } = await serve(repository);

    const call = (version: string, tool: string, input: object) =>
      ask(url, "ray", `/agent/${version}/api/tools/${tool}`, input);
    const issue = (version: string) => call(version, "ledger_issue", { to: "ray", amount: 1_000_000 });
    expect(await outcome(issue("latest"))).toBe("FORBIDDEN");
    for (const segment of [head, head.slice(0, 7)]) {
      const { status, body } = await issue(segment);
      expect([status, body["name"]]).toEqual([404, "VERSION_NOT_SERVED"]);
      expect(body["detail"]).toContain("only pull request 7 does");
    }
    const balance = { principal_id: "ray" };
    const { body } = await ask(url, "ann", `/agent/${OWN_VERSION}/api/tools/genesis_ledger.get_balance`, balance);
    expect(body).toEqual({ principal_id: "ray", balance: 0 });
    for (const [tool, input] of [
      ["task_create", { title: "x", objective: "x" }],
      ["exec_run", { run_id: "x", command: ["bash", "-c", "id"] }],
    ] as const) {
      expect(await outcome(call(head, tool, input))).toBe("VERSION_NOT_SERVED");
    }
    // Nor does it show what reader may not see.
    const names = async (version: string) => {
      const listed = await ask(url, "ray", `/agent/${version}/api/tools`);
      return (listed.body["tools"] as { name: string }[]).map(({ name }) => name);
    };
    expect(await names(head)).toEqual(await names(OWN_VERSION));
    const difference = await ask(url, "ray", `/versions/${OWN_VERSION}...${head}`);
    expect(JSON.stringify(difference.body)).not.toContain("ledger_issue");
  });
});

describe("[V9] every kind of address", () => {
  const commits: Record<string, string> = {};
  let repository: TestRepository;
  let service: Awaited<ReturnType<typeof serve>>;

  beforeAll(async () => {
    repository = await createRepository(await temporaryFolder(shared.atEnd));
    const release = async (version: string, options: Partial<Parameters<typeof trustFiles>[0]> = {}) => {
      const commit = await repository.commit(trustFiles({ version, ...options }));
      await repository.tag(`v${version}`, commit);
      return commit;
    };
    /** A commit that only what the test makes of it leads to. */
    const aside = async (name: string, files: Readonly<Record<string, string>>) => {
      await repository.git("switch", "--quiet", "--create", `aside-${name}`, "v1.0.0");
      const commit = await repository.commit(files);
      await repository.git("switch", "--quiet", "main");
      await repository.git("branch", "--quiet", "-D", `aside-${name}`);
      return commit;
    };
    const generous = { [ACCESS]: 'roles:\n  reader: ["*"]\n  member: ["*"]\negress: [one.example, two.example]\n' };
    commits["first"] = await release("1.0.0");
    commits["merged"] = await repository.commit({
      "manifests/runner/echo.yaml":
        "name: runner.echo\nversion: 1.0.0\ndescription: Says it.\ninput: { type: object }\noutput: { type: object }\n",
    });
    const { relay: _relay, ...fewer } = TRUST_TOOLS;
    commits["claimed"] = await repository.commit({
      ...trustFiles({ version: "1.0.1", parent: "1.0.0", tools: fewer }),
      "manifests/runner/relay.yaml": null as never,
      "tools/runner/relay.ts": null as never,
    });
    await repository.tag("v1.0.1", commits["claimed"]);
    commits["major"] = await release("2.0.0", { parent: "1.0.0", tools: fewer, labels: { stable: "1.0.0" } });
    commits["tip"] = await repository.commit({ "README.md": "Not released." });
    commits["named"] = await aside("named", { "README.md": "Warm." });
    await repository.tag("v1.0.0+warm", commits["named"]);
    commits["wrong"] = await aside("wrong", { "README.md": "Wrong." });
    await repository.tag("v9.9.9", commits["wrong"]);
    commits["deleted"] = await aside("deleted", { "README.md": "Deleted." });
    await repository.tag("v1.0.0+deleted", commits["deleted"]);
    commits["stayed"] = await aside("stayed", { "README.md": "Stayed." });
    await repository.tag("v1.0.0+moved", commits["stayed"]);
    commits["forced"] = await aside("forced", generous);
    await repository.git("update-ref", "refs/pull/8/head", commits["forced"]);
    commits["pull"] = await aside("pull", generous);
    await repository.git("update-ref", "refs/pull/7/head", commits["pull"]);
    commits["gone"] = await aside("gone", generous);
    await repository.git("branch", "gone", commits["gone"]);
    service = await serve(repository);
    // Addresses that are kept ready must be looked up anew.
    for (const name of ["forced", "gone"]) await tryAll(service.url, commits[name] ?? "");
    commits["moved"] = await aside("moved", { "README.md": "Moved." });
    await repository.tag("v1.0.0+moved", commits["moved"]);
    await repository.git("tag", "--delete", "v1.0.0+deleted");
    commits["anew"] = await aside("anew", generous);
    await repository.git("update-ref", "refs/pull/8/head", commits["anew"]);
    await repository.git("branch", "-D", "gone");
    await service.refresh();
  }, 120_000);

  const SERVED = all("ok", "served");
  const UNSERVED = all("VERSION_NOT_SERVED", "unserved");
  const GONE = all("VERSION_NOT_FOUND", "VERSION_NOT_FOUND", "VERSION_NOT_FOUND");

  test.each<[what: string, segment: () => string | undefined, expected: object]>([
    ["a version", () => "1.0.0", SERVED],
    ["latest", () => "latest", SERVED],
    ["a range", () => "^1.0", SERVED],
    ["a label", () => "stable", SERVED],
    ["a version with a build name", () => "1.0.0+warm", SERVED],
    ["the commit of a tag", () => commits["first"], SERVED],
    ["the beginning of the commit of a tag", () => commits["first"]?.slice(0, 8), SERVED],
    ["the commit of a build name", () => commits["named"], SERVED],
    ["a commit below a tag", () => commits["merged"], SERVED],
    ["the beginning of a commit below a tag", () => commits["merged"]?.slice(0, 8), SERVED],
    ["a tag that was deleted", () => "1.0.0+deleted", SERVED],
    ["the commit of a tag that was deleted", () => commits["deleted"], SERVED],
    ["a tag that moved", () => "1.0.0+moved", SERVED],
    ["the commit that a tag had before it moved", () => commits["stayed"], SERVED],
    ["the commit that a tag was moved to", () => commits["moved"], GONE],
    ["a tag that claims too little", () => "1.0.1", all("VERSION_QUARANTINED", "quarantined", "VERSION_QUARANTINED")],
    ["its commit, below a served tag", () => commits["claimed"], all("VERSION_QUARANTINED", "quarantined")],
    ["a tag of another number", () => "9.9.9", all("VERSION_QUARANTINED", "quarantined", "VERSION_QUARANTINED")],
    ["its commit", () => commits["wrong"], all("VERSION_QUARANTINED", "quarantined")],
    ["the head of a pull request", () => commits["pull"], UNSERVED],
    ["the beginning of the head of a pull request", () => commits["pull"]?.slice(0, 7), UNSERVED],
    ["the head of a pull request after it was pushed by force", () => commits["anew"], UNSERVED],
    ["the head that it had before", () => commits["forced"], GONE],
    ["the tip of a branch", () => commits["tip"], UNSERVED],
    ["a branch that was deleted", () => commits["gone"], GONE],
    ["the work tree, where none is followed", () => "dev", GONE],
    ["the name of a branch", () => "main", GONE],
  ])("%s", async (_what, segment, expected) => {
    expect(await tryAll(service.url, segment() ?? "")).toEqual(expected);
  });

  test("leaves nothing behind where it is refused", async () => {
    const logs = await sendModern(`${service.url}/agent/1.0.0/runner`, {
      method: "resources/read",
      params: { uri: "logs://recent" },
      headers: { authorization: "mia" },
    });
    const text = JSON.stringify(await logs.rest());
    for (const name of ["pull", "forced", "anew", "tip", "gone", "wrong", "claimed"]) {
      expect([name, text.includes(commits[name] ?? "")]).toEqual([name, false]);
    }
  });

  test("is passed over by the tool registry unless a stable tag serves it", async () => {
    const { body } = await ask(service.url, "ann", "/api/mcp/tools");
    const carriers = (body["tools"] as { servedBy: { commit: string } }[]).map(({ servedBy }) => servedBy.commit);
    expect(new Set(carriers)).toEqual(new Set([commits["major"], commits["first"]]));
    const call = { toolName: "runner.relay" };
    expect((await ask(service.url, "mia", "/api/mcp/tool/call", call)).headers.get("cairn-commit")).toBe(
      commits["first"],
    );
  });

  test("says in the list of versions which ones answer", async () => {
    const { body } = await ask(service.url, "mia", "/versions?include_unstable=true");
    const listed = body["versions"] as { commit_hash: string; tags: string[]; runner?: object; architect?: object }[];
    const pull = listed.find(({ commit_hash: commit }) => commit === commits["pull"]);
    expect(pull).toMatchObject({ tags: ["pull-request-7", "unserved"] });
    expect([pull?.runner, pull?.architect]).toEqual([undefined, undefined]);
    const detail = await ask(service.url, "mia", `/versions/${commits["pull"]}`);
    expect(detail.body).toMatchObject({ state: "unserved", servers: [{ name: "runner" }, { name: "talker" }] });
    expect(JSON.stringify(detail.body)).not.toContain("mcp_endpoint");
  });
});

describe("[V9] what a branch or a pull request leads to answers no calls either", () => {
  test("of the repository that a service keeps itself", async () => {
    const repository = await createRepository();
    await repository.commit(trustFiles({ version: "1.0.0" }));
    const { url, data, refresh } = await serve(repository, { CAIRN_REPO: undefined });
    const head = await repository.commit({ [ACCESS]: 'roles: { reader: ["*"], member: ["*"] }\n' });
    await repository.git(
      "push",
      "--quiet",
      join(data, "origin.git"),
      "HEAD:refs/heads/feature",
      "HEAD:refs/pull/1/head",
    );
    await refresh();
    expect(await tryAll(url, "1.0.0")).toEqual(all("ok", "served"));
    expect(await tryAll(url, head)).toEqual(all("VERSION_NOT_SERVED", "unserved"));
  });

  test("beside a work tree, which answers as `dev`", async () => {
    const repository = await createRepository();
    const first = await repository.commit(trustFiles({ version: "1.0.0" }));
    await repository.tag("v1.0.0");
    const tip = await repository.commit({ "README.md": "Not released." });
    await writeFile(join(repository.path, ACCESS), `${TRUST_POLICY}# Not committed.\n`);
    const { url } = await serve(repository, { CAIRN_FORGE: "none" }, { workTree: repository.path });
    for (const segment of ["dev", first]) expect(await tryAll(url, segment)).toEqual(all("ok", "served"));
    expect(await tryAll(url, tip)).toEqual(all("VERSION_NOT_SERVED", "unserved"));
    const dev = (await ask(url, "mia", "/agent/dev/api/tools")).headers.get("cairn-commit") ?? "";
    expect(await outcome(ask(url, "mia", `/agent/${dev}/api/tools/runner.echo`, {}))).toBe("ok");
  });
});

describe("[V9] what the default branch revokes", () => {
  /** A service with two versions, and a way to have the default branch say something else. */
  async function open() {
    const repository = await createRepository();
    for (const version of ["1.0.0", "1.0.1"]) {
      await repository.commit(trustFiles({ version, ...(version === "1.0.0" ? {} : { parent: "1.0.0" }) }));
      await repository.tag(`v${version}`);
    }
    const hosts = createServer((_request, response) => response.end("here")).listen(0, "127.0.0.1");
    await once(hosts, "listening");
    onTestFinished(() => void hosts.close());
    const base = `http://127.0.0.1:${(hosts.address() as AddressInfo).port}`;
    const map = ["one.example", "two.example"].map((host) => `${host}=${base}`).join(",");
    const { url, refresh } = await serve(repository, { CAIRN_EGRESS_MAP: map });
    const say = async (policy: string) => {
      await repository.commit({ [ACCESS]: policy });
      await refresh();
    };
    const call = (who: Who, version: string, tool: string, input: object = {}) =>
      ask(url, who, `/agent/${version}/api/tools/${tool}`, input);
    return { url, say, revoke: (text: string) => say(`${TRUST_POLICY}revoke: ${text}\n`), call };
  }

  test("counts for every version at once, and for everybody, until the branch says otherwise", async () => {
    const { url, say, revoke, call } = await open();
    const tried = async () => [
      await outcome(call("mia", "1.0.0", "runner.secret")),
      await outcome(call("mia", "latest", "runner.secret")),
      await outcome(call("ann", "1.0.0", "runner.secret")),
      await outcome(ask(url, "mia", "/api/mcp/tool/call", { toolName: "runner.secret" })),
      await outcome(call("mia", "1.0.0", "runner.echo")),
    ];
    const names = async (who: Who) => (await call(who, "1.0.0", "runner.relay")).body["names"];
    expect(await tried()).toEqual(["ok", "ok", "ok", "ok", "ok"]);
    expect(await names("mia")).toContain("runner.secret");

    await revoke('{ capabilities: ["tool:s*"] }');
    expect(await tried()).toEqual(["FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "ok"]);
    for (const who of ["mia", "ann"] as const) expect(await names(who)).not.toContain("runner.secret");
    expect(JSON.stringify((await ask(url, "ann", "/agent/1.0.0/api/tools")).body)).not.toContain("runner.secret");

    await revoke("{ roles: [member] }");
    expect(await tried()).toEqual(["FORBIDDEN", "FORBIDDEN", "ok", "FORBIDDEN", "ok"]);
    expect(await outcome(ask(url, "mia", "/agent/1.0.0/architect/chat", { message: "x" }))).toBe("FORBIDDEN");
    await say("roles: { member: [\n");
    expect((await tried())[0]).toBe("FORBIDDEN");
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(200);
    expect(((await ready.json()) as { checks: object }).checks).toMatchObject({
      "policies:revoked": { status: "warn" },
    });
    await say(TRUST_POLICY);
    expect(await tried()).toEqual(["ok", "ok", "ok", "ok", "ok"]);
  });

  test("keeps tools from hosts, whatever their version allows", async () => {
    const { revoke, say, call } = await open();
    const reach = (host: string) => call("mia", "1.0.0", "runner.reach", { host });
    expect((await reach("one.example")).body).toEqual({ status: 200 });
    await revoke("{ hosts: [one.example] }");
    expect((await reach("one.example")).body).toMatchObject({
      name: "EGRESS_DENIED",
      detail: "`ctx.fetch`: `one.example` is revoked by the policies of the default branch.",
    });
    expect((await reach("two.example")).body).toEqual({ status: 200 });
    await say(TRUST_POLICY);
    expect((await reach("one.example")).status).toBe(200);
  });

  test("holds in a session that is open, for a call that waits for its answer, and ends streams", async () => {
    const { url, revoke } = await open();
    const session = await openLegacySession(`${url}/agent/1.0.0/talker`, { headers: { authorization: "mia" } });
    const stream = await session.listen();
    const asked = await session.post({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "talker.ask" } });
    const { message: question } = await asked.next();
    expect(question).toMatchObject({ method: "elicitation/create" });
    const listen = { method: "subscriptions/listen", params: { notifications: { resourceSubscriptions: [] } } };
    const others = await Promise.all(
      (["mia", "ray"] as const).map((who) =>
        sendModern(`${url}/agent/1.0.0/runner`, { ...listen, headers: { authorization: who } }),
      ),
    );
    for (const other of others) expect((await other.next()).message).toMatchObject({ method: expect.any(String) });

    await revoke('{ capabilities: ["tool:ask"] }');
    for (const ended of [stream, others[0]]) await expect(ended?.rest()).rejects.toThrow();
    const answer = { action: "accept", content: { name: "Mia" } };
    await session.post({ jsonrpc: "2.0", id: question["id"], result: answer });
    const again = await session.post({ jsonrpc: "2.0", id: 8, method: "tools/call", params: { name: "talker.ask" } });
    expect(JSON.stringify((await again.next()).message)).toContain("FORBIDDEN");
    const listed = await session.post({ jsonrpc: "2.0", id: 9, method: "tools/list" });
    expect((await listed.next()).message).toMatchObject({ result: { tools: [] } });
    // Of the call that waited nothing was done: it had to begin again, and might not.
    const logs = await sendModern(`${url}/agent/1.0.0/runner`, {
      method: "resources/read",
      params: { uri: "logs://recent" },
      headers: { authorization: "ann" },
    });
    expect(JSON.stringify(await logs.rest())).not.toContain("Mia");
  });
});
