import { LEVELS } from "../server/semver/level.ts";
import { HALVES, judgePair, type Pair, readPairs } from "../test/evaluation/semver/read-pairs.ts";

/**
 * Compares the pairs of test/evaluation/semver, and counts how many get the bump that a careful person gives them.
 * `npm run eval:semver` prints the share of each family of the first pairs and of the half for development, then each of
 * their pairs that differs. Of the other half it prints sums, unless `report` asks for all. Ends with 1 when a break is missed.
 */
const isWhole = process.argv.includes("report");
let missed = 0;
for (const half of [".", ...HALVES] as const) await report(half === "." ? "first" : half, readPairs(half));
process.exitCode = missed === 0 ? 0 : 1;

async function report(name: string, pairs: readonly Pair[]): Promise<void> {
  const rows = await Promise.all(
    pairs.map(async (pair) => {
      const found = await judgePair(pair).catch((error: unknown) => `refused: ${String(error)}`);
      return { ...pair, found };
    }),
  );
  const wrong = rows.filter(({ bump, found }) => bump !== found);
  const breaks = wrong.filter(({ bump, found }) => bump === "major" && (LEVELS as readonly string[]).includes(found));
  missed += breaks.length;
  const share = ((100 * (rows.length - wrong.length)) / rows.length).toFixed(1);
  process.stdout.write(
    `${name}: exact ${rows.length - wrong.length} of ${rows.length} (${share} %), missed breaks: ${breaks.length}\n`,
  );
  if (name === "report" && !isWhole) return;
  for (const [family, own] of Map.groupBy(rows, (row) => row.family)) {
    const right = own.filter(({ bump, found }) => bump === found).length;
    process.stdout.write(`  ${family.padEnd(20)}${String(right).padStart(4)} of ${own.length}\n`);
  }
  for (const { family, edit, bump, found } of wrong)
    process.stdout.write(`  ${family}: ${edit}: ${bump}, found ${found}\n`);
}
