/**
 * What many versions cost: `node bench/versions.ts [tags ...]`. Each size gets a repository of its own, made with
 * `git fast-import`, in which every tag changes one or two of 20 files, and is measured in a process of its own.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { judgeClaim } from "../server/semver/judge-claim.ts";
import { openLmdbStore } from "../server/store/lmdb/lmdb.ts";
import { loadGit } from "../server/versions/git/git.ts";
import { createLoader } from "../server/versions/load-version.ts";
import { openRegistry } from "../server/versions/registry/registry.ts";
import type { Registry } from "../server/versions/registry/registry-types.ts";
import { readUpstream } from "../server/versions/git/upstream.ts";
import { generateVersions, versionsYaml } from "../test/helpers/generate-versions.ts";

const SIZES = [1, 100, 1_000, 10_000];
/** Versions opened to measure one opening, and tags pushed to measure one push. */
const OPENED = 50;
const PUSHED = 10;
/** Starts, of which the best counts: what else the machine does only ever adds. */
const ROUNDS = 3;

interface Opened {
  readonly registry: Registry;
  readonly close: () => Promise<void>;
}

const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;

type Row = Record<string, string>;
const PHASES = { start: measureStart, use: measureUse, sweep: measureSweep };

const [first = "", ...rest] = process.argv.slice(2);
if (Object.hasOwn(PHASES, first)) {
  const [folder = "", size] = rest;
  process.stdout.write(JSON.stringify(await PHASES[first as keyof typeof PHASES](folder, Number(size))));
} else {
  const rows: Row[] = [];
  for (const size of first === "" ? SIZES : [first, ...rest].map(Number)) rows.push(await measureApart(size));
  for (const name of Object.keys(rows[0] ?? {})) {
    const cells = rows.map((row) => (row[name] ?? "").padStart(12)).join("");
    process.stdout.write(`${name.padEnd(46)}${cells}\n`);
  }
}

async function measureApart(size: number): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-bench-"));
  try {
    await generateVersions(join(folder, "upstream.git"), size);
    const starts: { first: Row[]; second: Row[] } = { first: [], second: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      await rm(join(folder, "data"), { recursive: true, force: true });
      for (const which of ["first", "second"] as const) starts[which].push(await runApart("start", folder, size));
    }
    const best = (rows: readonly Row[]) => ms(Math.min(...rows.map(({ ms: time }) => Number(time))));
    return {
      tags: String(size),
      [`first start, copy included, best of ${ROUNDS}`]: best(starts.first),
      [`second start, best of ${ROUNDS}`]: best(starts.second),
      "RSS after a second start": starts.second[0]?.["rss"] ?? "",
      ...(await runApart("use", folder, size)),
      ...(await runApart("sweep", folder, size)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runApart(phase: keyof typeof PHASES, folder: string, size: number): Promise<Row> {
  const child = spawn(process.execPath, [import.meta.filename, phase, folder, String(size)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(child, "close");
  return JSON.parse(output);
}

async function measureStart(folder: string): Promise<Row> {
  const began = performance.now();
  const { registry, close } = await open(folder, false);
  await registry.resolve("latest");
  const row = { ms: String(performance.now() - began), rss: megabytes(process.memoryUsage.rss()) };
  await close();
  return row;
}

async function measureUse(folder: string, size: number): Promise<Row> {
  const { registry, close } = await open(folder, false);
  // As the service does when it starts, to say what it serves.
  await registry.list({ limit: 10, offset: 0 });
  const step = Math.max(1, Math.floor(size / OPENED));
  const some = Array.from({ length: Math.min(size, OPENED) }, (_, at) => `1.${at * step}.0`);
  const opening = await timeEach(some, (name) => registry.resolve(name));
  const last = some.at(-1) ?? "";
  const again = await timeEach(
    Array.from({ length: 2_000 }, () => last),
    (name) => registry.resolve(name),
  );
  const ranges = Array.from({ length: 200 }, (_, at) => `<1.${at % size}.1`);
  const ranged = await timeEach(ranges, (name) => registry.resolve(name));
  const page = await timeEach([Math.floor(size / 2)], (offset) => registry.list({ limit: 50, offset }));
  const pushes = await timePushes(join(folder, "upstream.git"), folder, registry);
  await close();
  return {
    "first open of a version, median": ms(opening.median),
    "first open of a version, worst": ms(opening.worst),
    "resolving an open version, median": `${(again.median * 1_000).toFixed(0)} us`,
    "resolving a range, median": ms(ranged.median),
    "a page of 50, nothing looked at before": ms(page.worst),
    "git push alone, median": ms(pushes.push.median),
    "from the push's end to resolvable, median": ms(pushes.after.median),
    "from the push's end to resolvable, worst": ms(pushes.after.worst),
  };
}

async function measureSweep(folder: string): Promise<Row> {
  const { registry, close } = await open(folder, true);
  const began = performance.now();
  const { unverified } = registry.status();
  while (registry.status().unverified > 0) await sleep(20);
  const time = performance.now() - began;
  const row = {
    "looking at the rest, in the background": ms(time),
    "  of that, each version": ms(time / Math.max(1, unverified)),
    "quarantined (0 is right)": String(registry.status().quarantined),
    "RSS after that": megabytes(process.memoryUsage.rss()),
  };
  await close();
  return row;
}

async function open(folder: string, sweep: boolean): Promise<Opened> {
  const store = await openLmdbStore({ directory: join(folder, "data/store") });
  const { load, loadHistory, loadRevoked } = createLoader();
  const registry = await openRegistry({
    git: await loadGit({ environment: process.env }),
    upstream: readUpstream(join(folder, "upstream.git"), "/"),
    data: join(folder, "data"),
    store,
    load,
    loadHistory,
    loadRevoked,
    judge: judgeClaim,
    previews: false,
    fingerprint: "bench",
    now: Date.now,
    random: Math.random,
    onError: (error) => process.stderr.write(`${String(error)}\n`),
    limits: { sweep },
  });
  return { registry, close: () => registry.close().then(() => store.admin.close()) };
}

async function timeEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>) {
  const times: number[] = [];
  for (const item of items) {
    const began = performance.now();
    await work(item);
    times.push(performance.now() - began);
  }
  return summarise(times);
}

function summarise(times: number[]): { median: number; worst: number } {
  const sorted = times.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, worst: sorted.at(-1) ?? 0 };
}

/** Pushes tags from a clone, as people do, and waits until the service has seen each by itself. */
async function timePushes(upstream: string, folder: string, registry: Registry) {
  const clone = join(folder, "clone");
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", clone, ...args], { stdio: "pipe" })
      .toString()
      .trim();
  execFileSync("git", ["clone", "--quiet", "--depth=1", `file://${upstream}`, clone]);
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
  const [push, after]: [number[], number[]] = [[], []];
  for (let at = 0; at < PUSHED; at += 1) {
    const name = `2.${at}.0`;
    await writeFile(join(clone, "versions.yaml"), versionsYaml(name));
    git("commit", "--quiet", "--all", "--message", name);
    git("tag", `v${name}`);
    const seen = new Promise<void>((done) => {
      const stop = registry.subscribe((event) => {
        if (event.kind !== "added" || event.record.tag !== `v${name}`) return;
        stop();
        done();
      });
    });
    const began = performance.now();
    const pushing = spawn("git", ["-C", clone, "push", "--quiet", "origin", `v${name}`], { stdio: "ignore" });
    await once(pushing, "close");
    const pushed = performance.now();
    await seen;
    await registry.resolve(name);
    push.push(pushed - began);
    after.push(performance.now() - pushed);
  }
  return { push: summarise(push), after: summarise(after) };
}
