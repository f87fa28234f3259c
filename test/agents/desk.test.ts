import { hash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTrial, type Trial } from "../../server/examples/open-trial.ts";
import { readPages, type Recorded } from "../../server/examples/recorded-calls.ts";
import { createReplay, replayCalls } from "../../server/examples/replay.ts";
import { createTally, type Tally } from "../../server/examples/tally-replays.ts";
import type { Result } from "../../server/kernel/call.ts";
import { LOCAL_PRINCIPAL } from "../../server/principal.ts";
import { openLmdbStore } from "../../server/store/lmdb/lmdb.ts";
import type { Version } from "../../server/versions/version.ts";
import { createMemoryTree } from "../fixtures/trees/create-memory-tree.ts";
import { openTestKernel } from "../helpers/kernel.ts";
import { loader } from "../helpers/loader.ts";
import { type AtEnd, temporaryFolder } from "../helpers/temporary.ts";
import { warmSandbox } from "../helpers/warm-sandbox.ts";
import { BEYOND, PLANTED, REFACTORED, type TextChange } from "./desk-changes.ts";

type Files = Readonly<Record<string, string>>;

const FOLDER = fileURLToPath(new URL("desk", import.meta.url));
const MINUTE = 60_000;
const ROTA: Readonly<Record<string, readonly string[]>> = { web: ["ada", "bob", "eve"], shop: ["rita", "ray"] };

const ended: (() => unknown)[] = [];
const atEnd: AtEnd = (step) => void ended.push(step);
let files: Files;
let from: Version;
let recorded: readonly Recorded[];
let trial: Trial;

beforeAll(async () => {
  files = await loadFiles();
  from = await toVersion(files, "a".repeat(40));
  recorded = await recordDay(from);
  trial = await openTrial({ egressMap: new Map(), now: Date.now });
  atEnd(() => trial.close());
});

afterAll(async () => {
  for (const step of ended.reverse()) await step();
});

describe("the replay of a day at a ticket desk", () => {
  test("is the same with the version itself, failures and conversations included", async () => {
    const tally = await replayWith({ ...files, "versions.yaml": `${files["versions.yaml"]}# Nothing new.\n` });
    expect(tally.causes()).toEqual([]);
    expect(tally.counts()).toEqual({ same: recorded.length, different: 0, not_compared: 0 });
    expect(new Set(recorded.map(({ tool }) => tool)).size).toBe(9);
    expect(recorded.filter(({ error }) => error !== undefined).length).toBeGreaterThan(2);
  });

  test("finds nineteen of twenty planted changes and cannot tell of the other, as docs/replay.md says", async () => {
    const rows: string[] = [];
    const ends: Record<string, string> = {};
    for (const [name, changes] of Object.entries(PLANTED)) {
      const tally = await replayWith(change(files, changes));
      const { different, not_compared: rest } = tally.counts();
      const [first] = tally.causes();
      ends[name] = different > 0 ? "different" : rest > 0 ? "not compared" : "same";
      rows.push(`${name}: ${ends[name]}, ${different} of ${recorded.length} calls, ${first?.tool} ${first?.cause}`);
    }
    expect(ends).toEqual(
      Object.fromEntries(Object.keys(PLANTED).map((name) => [name, name === BEYOND ? "not compared" : "different"])),
    );
    const page = await readFile(fileURLToPath(new URL("../../docs/replay.md", import.meta.url)), "utf8");
    expect(page).toContain(["```", ...rows, "```"].join("\n"));
  });

  test("is the same with refactorings that change nothing", async () => {
    const tally = await replayWith(change(files, REFACTORED));
    expect(tally.causes()).toEqual([]);
    expect(tally.counts()).toEqual({ same: recorded.length, different: 0, not_compared: 0 });
  });
});

async function replayWith(candidate: Files): Promise<Tally> {
  const version = await toVersion(candidate, "b".repeat(40));
  const tally = createTally();
  for (const [, result] of await replayCalls(createReplay(from, version, trial), recorded, "local")) tally.add(result);
  return tally;
}

/** Makes changes in files; each text is there once. */
function change(all: Files, changes: readonly TextChange[]): Files {
  return changes.reduce<Files>((now, [path, before, after]) => {
    const text = now[path] ?? "";
    expect(text.split(before), `${path}: ${before}`).toHaveLength(2);
    return { ...now, [path]: text.replace(before, () => after) };
  }, all);
}

/** Has people work at the desk for some days, and returns what was recorded. */
async function recordDay(version: Version): Promise<readonly Recorded[]> {
  let time = Date.parse("2026-03-01T16:15:00Z");
  const store = await openLmdbStore({ directory: join(await temporaryFolder(atEnd), "store"), now: () => time });
  atEnd(() => store.admin.close());
  const hosts = await startHosts();
  const { invoke, settled, close } = openTestKernel({
    store,
    sandbox: await warmSandbox(),
    now: () => time,
    randomBytes: createBytes(),
    bodyTtl: 365 * 24 * 60 * MINUTE,
    capabilities: { egressMap: hosts },
  });
  const call = async (name: string, input: object): Promise<Result> => {
    time += 37 * MINUTE;
    const tool = version.tools.get(`desk.${name}`);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return invoke({ version, tool, input, principal: LOCAL_PRINCIPAL });
  };
  await workADay(call);
  await settled();
  await close();
  return (await Array.fromAsync(readPages(store, LOCAL_PRINCIPAL.tenant, version.commit))).flat();
}

/** Random bytes that are the same in every run, so that the numbers on the page are. */
function createBytes(): (size: number) => Buffer {
  let count = 0;
  return (size) => hash("sha256", `${(count += 1)}`, "buffer").subarray(0, size);
}

async function workADay(call: (name: string, input: object) => Promise<Result>): Promise<void> {
  const ids: string[] = [];
  const outputOf = (result: Result) => (result.ok ? result.output : {}) as Readonly<Record<string, unknown>>;
  for (const [at, title] of [
    "No cart",
    "Slow search ",
    "Wrong price",
    "Lost order",
    "No imprint",
    "Late parcel",
    "Typo",
  ].entries()) {
    const priority = [undefined, "low", "urgent", "normal"][at % 4];
    const { ticket } = outputOf(await call("open", { title, ...(priority === undefined ? {} : { priority }) }));
    ids.push((ticket as { id: string }).id);
    await call("list", at % 2 === 0 ? {} : { limit: 2 });
  }
  for (const [at, id] of ids.entries()) {
    if (at !== 3) await call("give", { id, team: at % 2 === 0 ? "web" : "shop" });
    await call("comment", { id, text: `Look at ${at}` });
    await call("read", { id });
  }
  await call("give", { id: ids[0] ?? "", team: "nobody" });
  await call("give", { id: "T-0", team: "web" });
  await call("report", {});
  await call("due", { opened: 0, priority: "low" });
  for (const id of ids.slice(0, 4)) await call("close", id === ids[1] ? { id, reason: "Gone." } : { id });
  for (const id of [...ids, "T-1"]) await call("read", { id });
  await call("comment", { id: "T-2", text: "Where?" });
  await call("close", { id: "T-3" });
  await call("list", { status: "closed" });
  await call("list", { limit: 3 });
  await call("report", {});
  const { conversation_id } = outputOf(await call("browse", {}));
  await call("browse", { conversation_id });
  await call("browse", { conversation_id });
}

/** Starts the rota and the mail on loopback; `nobody` is a team that the rota does not know. */
async function startHosts(): Promise<ReadonlyMap<string, string>> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const people = ROTA[searchParams.get("team") ?? ""];
    response.statusCode = pathname === "/send" ? 202 : people === undefined ? 503 : 200;
    response.setHeader("content-type", "application/json").setHeader("set-cookie", "sid=0123456789");
    request.resume().on("end", () => response.end(JSON.stringify(people ?? {})));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return new Map([
    ["rota.example", url],
    ["mail.example", url],
  ]);
}

async function loadFiles(): Promise<Files> {
  const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const read = paths.map(async (path) => [path.slice(FOLDER.length + 1), await readFile(path, "utf8")] as const);
  return Object.fromEntries(await Promise.all(read));
}

async function toVersion(all: Files, commit: string): Promise<Version> {
  const loaded = await loader.load(createMemoryTree(all), commit);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.version;
}
