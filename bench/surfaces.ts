/**
 * What comparing two MCP servers costs, in processor time and memory: `node bench/surfaces.ts [tools]`. The second surface
 * comes from generated edits: of four tools at most, as an ordinary release, or of every tool. Beside it stands reading and
 * writing both saved surfaces, which no comparison can do without. Each is done once, in a process of its own.
 */
import { execFileSync } from "node:child_process";
import { compareSurfaces } from "../server/semver/surfaces/compare-surfaces.ts";
import { readSurface, writeSurface } from "../server/semver/surfaces/surface.ts";
import { generateHistory } from "../test/evaluation/surfaces/generate-history.ts";

interface Row {
  readonly milliseconds: number;
  readonly megabytes: number;
  readonly result: string;
}

const ROWS = {
  files: "reading and writing both",
  release: "comparing, an ordinary release",
  all: "comparing, every tool edited",
} as const;
const ROUNDS = 3;
const [, file = "", given = "1000", only] = process.argv;

function run(name: string): Row {
  const edited = name === "release" ? "some" : "all";
  const [before, after] = generateHistory(1, { releases: 2, size: Number(given), edited }).map(
    ({ surface }) => surface,
  );
  if (before === undefined || after === undefined) throw new TypeError("A history has two releases at least.");
  const texts = [writeSurface(before), writeSurface(after)];
  const start = process.cpuUsage();
  const result = name === "files" ? rewrite(texts) : compare();
  const { user, system } = process.cpuUsage(start);
  return { milliseconds: (user + system) / 1_000, megabytes: process.resourceUsage().maxRSS / 1_024, result };

  function compare(): string {
    const { findings, required } = compareSurfaces(before as never, after as never, "declared");
    return `${findings.length} findings, ${required}`;
  }
}

function rewrite(texts: readonly string[]): string {
  for (const text of texts) writeSurface(readSurface(text, "bench.json"));
  return `${Math.round(texts.join("").length / 1_024)} KiB`;
}

/** Runs a row several times in processes of their own, and returns the fastest. */
function measure(name: string): Row {
  const rows = Array.from({ length: ROUNDS }, () => {
    return JSON.parse(execFileSync(process.execPath, [file, given, name], { encoding: "utf8" })) as Row;
  });
  return rows.reduce((least, row) => (row.milliseconds < least.milliseconds ? row : least));
}

if (only !== undefined) process.stdout.write(JSON.stringify(run(only)));
else {
  process.stdout.write(`${given} tools, with ratio to the first row\n`);
  const baseline = measure("files");
  for (const [name, title] of Object.entries(ROWS)) {
    const { milliseconds, megabytes, result } = name === "files" ? baseline : measure(name);
    const figures = [
      title.padEnd(34),
      `${milliseconds.toFixed(0).padStart(6)} ms`,
      (milliseconds / baseline.milliseconds).toFixed(1).padStart(7),
      `${megabytes.toFixed(0).padStart(6)} MB`,
      `  ${result}`,
    ];
    process.stdout.write(`${figures.join("")}\n`);
  }
}
