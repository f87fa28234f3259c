import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadSigner } from "../../server/kernel/audit/signing-key.ts";
import { agentFiles } from "../helpers/agent.ts";
import { type RunningCairn, runInProcess, startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { askModern, toToolCall } from "../helpers/modern-mcp.ts";
import { createPlaces, type Place } from "../helpers/node-places.ts";
import { createToken } from "../helpers/nodes.ts";
import { createRepository, openRepository, type TestRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { NODE } from "../helpers/worker-process.ts";
import { hasPostgres, toDatabase } from "../stand-ins/postgres.ts";

const COUNT = `export default async (_, ctx) => {
  const n = ((await ctx.state.get(["n"])) ?? 0) + 1;
  await ctx.state.set(["n"], n);
  return { n };
};\n`;
const EFFECTS = "sideEffect: true\nidempotent: false\nuses: [state.read, state.write]";
const TOOLS = { count: { handler: COUNT, manifest: EFFECTS }, plain: { handler: "export default () => ({});\n" } };
/** Files of a version with a note, so that two of one number are two commits. */
const filesOf = (version: string, note: string) =>
  agentFiles({ version, tools: TOOLS, files: { "NOTE.md": `${note}\n` } });

const [AT_ONE, AT_OTHER] = [0, 1];
const RELEASE = (JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string }).version;
const NEXT = "9.9.9";
/** The program of an earlier release, for the first node to run (`test/fixtures/nodes/README.md`); absent: today's. */
const EARLIER = process.env["CAIRN_EARLIER"];
/** Has a process read another version in `package.json`. */
const AS_NEXT = `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const { readFileSync } = fs;
fs.readFileSync = (path, ...how) => {
  const text = readFileSync(path, ...how);
  const isOurs = String(path) === ${JSON.stringify(pathToFileURL("package.json").href)};
  return isOurs ? text.replace('"version": "${RELEASE}"', '"version": "${NEXT}"') : text;
};
syncBuiltinESMExports();`;
const shared = createShared();
/** Repositories that the nodes are served from: at first the same history, then each with pushes of its own. */
let origins: readonly TestRepository[];
let places: readonly Place[];
let nodes: RunningCairn[];
let authorization: string;

describe.runIf(hasPostgres("agreement of several nodes"))("two nodes", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    const folder = await temporaryFolder(shared.atEnd);
    const origin = await createRepository(join(folder, "origin"));
    await origin.release("1.0.0", filesOf("1.0.0", "The beginning."));
    await origin.git("clone", "--quiet", origin.path, join(folder, "replica"));
    origins = [origin, openRepository(join(folder, "replica"))];
    const database = await toDatabase(folder);
    const given = { folder, repository: origin.path, databases: [database, database] };
    places = (await createPlaces(given)).map((place, at) => ({
      ...place,
      CAIRN_REPO: origins[at]?.path ?? "",
      ...(at === AT_OTHER && { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(AS_NEXT)}` }),
    }));
    authorization = `Bearer ${await createToken(places[0] ?? {})}`;
    nodes = await Promise.all(places.map((place, at) => start(place, at === AT_ONE ? EARLIER : undefined)));
  }, 180_000);
  afterAll(shared.undoAll);

  const start = (place: Place, command?: string) => startCairn(["serve"], place, shared.atEnd, command, NODE);
  const originOf = (at: number) => origins[at] ?? expect.fail("no such origin");
  const ask = (at: number, path: string, init: RequestInit = {}) =>
    fetch(`${nodes[at]?.url}${path}`, { ...init, headers: { authorization, "content-type": "application/json" } });
  const call = (at: number, version: string, tool = "plain") =>
    ask(at, `/agent/${version}/api/tools/runner.${tool}`, { method: "POST", body: "{}" });
  /** The commit that answers a call, or the name of the error. */
  async function find(at: number, version: string): Promise<string> {
    const response = await call(at, version);
    const { name } = (await response.json()) as { readonly name?: string };
    return name ?? String(response.headers.get("cairn-commit"));
  }
  const reasonAt = async (at: number, version: string) => {
    const { missing } = (await (await ask(at, "/sync")).json()) as { missing: { version: string; reason: string }[] };
    return missing.find((one) => one.version === version)?.reason;
  };
  const bring = (at: number, commit: string) =>
    originOf(at).git("fetch", "--quiet", originOf(1 - at).path, `${commit}:refs/heads/brought-${commit.slice(0, 7)}`);

  test("of which one says that it is another release serve side by side, and say so", async () => {
    const { checks } = (await (await ask(AT_ONE, "/readyz")).json()) as { checks: Record<string, unknown> };
    const [own, other] = [{ release: RELEASE }, { release: NEXT, answers: true }];
    expect(checks["nodes:reachable"]).toMatchObject({ status: "pass", observedValue: [own, other] });
  });

  test("answer a pinned address with the first commit of its tag, or not at all: never with another", async () => {
    const first = await originOf(AT_ONE).release("1.1.0", filesOf("1.1.0", "The first."));
    await eventually(async () => expect(await find(AT_ONE, "1.1.0")).toBe(first));
    // Before it has looked, too.
    expect(await find(AT_OTHER, "1.1.0")).toBe("UNAVAILABLE");
    const moved = await originOf(AT_OTHER).release("1.1.0", filesOf("1.1.0", "Another."));
    await eventually(async () => expect(await reasonAt(AT_OTHER, "1.1.0")).toContain(`first seen as ${first}`));
    expect(await find(AT_OTHER, "1.1.0")).toBe("UNAVAILABLE");
    expect((await ask(AT_OTHER, "/versions/1.1.0")).status).toBe(503);
    const mcp = { ...toToolCall("runner.plain"), headers: { authorization } };
    expect(
      JSON.stringify(await askModern(`${nodes[AT_OTHER]?.url}/agent/1.1.0/runner`, mcp).catch(String)),
    ).not.toContain(moved);
    expect(await find(AT_OTHER, moved)).toBe("VERSION_NOT_SERVED");

    await bring(AT_OTHER, first);
    await eventually(async () => expect(await find(AT_OTHER, "1.1.0")).toBe(first));
    expect((await ask(AT_OTHER, "/versions/refresh", { method: "POST" })).status).toBe(200);
    const sync = await (await ask(AT_OTHER, "/sync")).json();
    expect(sync).toMatchObject({ alarms: [{ tag: "v1.1.0", kind: "moved" }], missing: [] });
    expect(await find(AT_ONE, "1.1.0")).toBe(first);
  });

  test("decide once what a tag means that both find at once, each with another commit", async () => {
    const commits = await Promise.all(
      [AT_ONE, AT_OTHER].map((at) => originOf(at).release("1.2.0", filesOf("1.2.0", `Of ${at}.`))),
    );
    const answers = await eventually(async () => {
      const found = await Promise.all([AT_ONE, AT_OTHER].map((at) => find(at, "1.2.0")));
      expect(found.filter((one) => commits.includes(one))).toHaveLength(1);
      expect(found).toContain("UNAVAILABLE");
      return found;
    });
    const loser = answers.indexOf("UNAVAILABLE");
    const winner = answers[1 - loser] ?? "";
    expect(winner).toBe(commits[1 - loser]);
    await bring(loser, winner);
    await eventually(async () => expect(await find(loser, "1.2.0")).toBe(winner));
    expect(await find(1 - loser, "1.2.0")).toBe(winner);
  });

  test("keep the meaning of a tag that is gone from the repository, also on a node with a new data folder", async () => {
    const commit = await find(AT_ONE, "1.1.0");
    for (const { git } of origins) await git("tag", "--delete", "v1.1.0");
    await nodes[AT_OTHER]?.stop();
    const data = await temporaryFolder(shared.atEnd);
    nodes[AT_OTHER] = await start({ ...places[AT_OTHER], CAIRN_DATA: data });
    places = places.map((place, at) => (at === AT_OTHER ? { ...place, CAIRN_DATA: data } : place));
    expect([await find(AT_ONE, "1.1.0"), await find(AT_OTHER, "1.1.0")]).toEqual([commit, commit]);
    expect(await find(AT_OTHER, "1.9.0")).toBe("VERSION_NOT_FOUND");
  });

  test("write one audit log of each tenant, which verifies, whichever node is asked", async () => {
    const conversations: string[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      conversations.push(String((await call(turn % 2, "1.0.0", "count")).headers.get("cairn-conversation-id")));
    }
    await Promise.all([0, 1, 0, 1].map((at) => call(at, "1.0.0", "count")));
    const keys = await Promise.all(places.map((environment) => runInProcess(["audit", "key"], { environment })));
    const key = keys[0]?.stdout.trim() ?? "";
    expect(keys.map(({ stdout }) => stdout.trim())).toEqual([key, key]);
    for (const [at, environment] of places.entries()) {
      await eventually(async () => {
        const folder = await temporaryFolder(shared.atEnd);
        expect(await runInProcess(["audit", "export", folder], { environment })).toMatchObject({ code: 0, stderr: "" });
        const lines = (await readFile(join(folder, "acme/records.jsonl"), "utf8")).trim().split("\n");
        const counted = lines.map((line) => JSON.parse(line)).filter(({ tool }) => tool === "runner.count");
        expect(counted).toHaveLength(12);
        expect(counted.slice(0, 8).map(({ conversationId }) => conversationId)).toEqual(conversations);
        const verified = await runInProcess(["audit", "verify", folder, "--key", key]);
        expect(verified).toMatchObject({ code: 0, stderr: "" });
        expect(verified.stdout).toMatch(/^@service: ok, .*\nacme: ok, \d+ entries, /);
      });
      const online = ["audit", "verify", `${nodes[at]?.url}/audit/acme`, "--key", key];
      const token = authorization.slice("Bearer ".length);
      expect(await runInProcess(online, { environment: { CAIRN_TOKEN: token } })).toMatchObject({
        code: 0,
        stderr: "",
      });
    }
  });

  test("take no third beside them that signs with another key: it ends, and says what to do", async () => {
    const folder = await temporaryFolder(shared.atEnd);
    const path = join(folder, "other.key");
    const own = await loadSigner(path, randomBytes);
    const { key } = await loadSigner(places[0]?.["CAIRN_AUDIT_KEY"] ?? "");
    const place = { ...places[0], PORT: "0", CAIRN_DATA: join(folder, "node-3"), CAIRN_AUDIT_KEY: path };
    const refusal = await start(place).then(() => "it started", String);
    expect(refusal).toContain(`\`${path}\` has the key \`${own.key.name}\``);
    expect(refusal).toContain(`\`${key.name}\``);
    expect(refusal).toContain("CAIRN_AUDIT_KEY");
    expect(await find(AT_ONE, "1.0.0")).toMatch(/^[0-9a-f]{40}$/);
  });
});
