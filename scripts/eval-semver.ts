import { LEVELS } from "../server/semver/level.ts";
import { judgePair, readPairs } from "../test/evaluation/semver/read-pairs.ts";

/**
 * Compares the pairs of test/evaluation/semver, and counts how many get the bump that a careful person gives them:
 * `npm run eval:semver` prints the share of each family, then each pair that differs. Ends with 1 when a break is missed.
 */
const rows = await Promise.all(
  readPairs().map(async (pair) => {
    const found = await judgePair(pair).catch((error: unknown) => `refused: ${String(error)}`);
    return { ...pair, found };
  }),
);
const wrong = rows.filter(({ bump, found }) => bump !== found);
const missed = wrong.filter(({ bump, found }) => bump === "major" && (LEVELS as readonly string[]).includes(found));
for (const [family, own] of Map.groupBy(rows, (row) => row.family)) {
  const right = own.filter(({ bump, found }) => bump === found).length;
  process.stdout.write(`${family.padEnd(20)}${String(right).padStart(4)} of ${own.length}\n`);
}
const share = ((100 * (rows.length - wrong.length)) / rows.length).toFixed(1);
process.stdout.write(
  `exact: ${rows.length - wrong.length} of ${rows.length} (${share} %), missed breaks: ${missed.length}\n`,
);
for (const { family, edit, bump, found } of wrong)
  process.stdout.write(`${family}: ${edit}: ${bump}, found ${found}\n`);
process.exitCode = missed.length === 0 ? 0 : 1;
