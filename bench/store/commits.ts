import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { show } from "../protocol/figures.ts";
import type { Goal } from "../protocol/goals.ts";
import { commitCalls } from "./commit-calls.ts";
import type { BenchDatabase } from "./database.ts";
import { type Figures, medianOf, ratioOf, type Round } from "./figures.ts";
import { createRows, insertRows } from "./insert-rows.ts";
import type { Part, PartOptions } from "./part.ts";

/** Callers at once, and the shares of inserts and of LMDB's commits that the engine should reach with them. */
const LEVELS = [
  { callers: 1, ofInserts: 0.2, ofLmdb: 0.4 },
  { callers: 16, ofInserts: 0.3, ofLmdb: 1 },
  { callers: 64, ofInserts: 0.5, ofLmdb: 1 },
] as const;
const MOST = 64;
const NODES = 3;

const NAMES = {
  insert: "inserts by pgbench",
  lmdb: "LMDB",
  postgres: "PostgreSQL",
  spread: `${NODES} nodes with those callers`,
  nodes: `${NODES} nodes with as many each`,
} as const;
/** Who writes to the database. */
const WRITERS = ["insert", "postgres", "spread", "nodes"] as const;
const SUBJECTS = ["insert", "lmdb", "postgres", "spread", "nodes"] as const;

/** One-row inserts, and commits of a call on each engine, in turns; with the most callers, also on several nodes of one database. */
export const measureCommits: Part = async (options) => {
  await createRows(options.database);
  const levels = new Map<number, readonly Round[]>();
  for (const { callers } of LEVELS) levels.set(callers, await measureLevel(options, callers));
  const roundsOf = (callers: number) => levels.get(callers) ?? [];
  const toRows = (
    figure: string,
    names: readonly (keyof typeof NAMES)[],
    toCell: (name: string, rounds: readonly Round[]) => string,
  ) =>
    names.map((name) => [`${figure}: ${NAMES[name]}`, ...LEVELS.map(({ callers }) => toCell(name, roundsOf(callers)))]);
  return {
    title: "Commits of a call with effects, and inserts of one row",
    header: ["", ...LEVELS.map(({ callers }) => `${callers} callers`)],
    rows: [
      ...toRows("a second", SUBJECTS, (name, rounds) => show(medianOf(rounds, name, "rate"))),
      ...toRows("flushes for each", WRITERS, (name, rounds) => showFine(medianOf(rounds, name, "flushes"))),
      ...toRows("CPU us of the database for each", WRITERS, (name, rounds) => show(medianOf(rounds, name, "cpu"))),
    ],
    goals: toGoals(roundsOf),
  };
};

async function measureLevel(
  { database, rounds, seconds, say }: PartOptions,
  callers: number,
): Promise<readonly Round[]> {
  const done: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const figures: Record<string, Figures> = {
      insert: await insertRows(database, callers, seconds),
      lmdb: await commitToFolder(database, callers, seconds),
      postgres: await commitToDatabase(database, [callers], seconds),
      ...(callers === MOST && {
        spread: await commitToDatabase(database, spread(callers), seconds),
        nodes: await commitToDatabase(database, spread(NODES * callers), seconds),
      }),
    };
    done.push(figures);
    const rates = Object.entries(figures).map(([name, { rate }]) => `${name} ${show(rate)}/s`);
    say(`${callers} callers, round ${round + 1}/${rounds}: ${rates.join(", ")}`);
  }
  return done;
}

async function commitToFolder(database: BenchDatabase, callers: number, seconds: number): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-bench-"));
  try {
    return await commitCalls(database, [{ place: folder, callers: numbers(0, callers), seconds }]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opens a fresh store in the database, from one node or from several, with so many callers each. */
async function commitToDatabase(database: BenchDatabase, counts: readonly number[], seconds: number): Promise<Figures> {
  const place = await database.createSchema();
  const orders = counts.map((count, at) => {
    const first = counts.slice(0, at).reduce((sum, earlier) => sum + earlier, 0);
    const isShared = counts.length > 1;
    return { place, callers: numbers(first, count), seconds, ...(isShared && { node: `node ${at}` }) };
  });
  return commitCalls(database, orders);
}

/** Callers of each node, as evenly as they can be. */
function spread(callers: number): readonly number[] {
  return Array.from({ length: NODES }, (_, at) => Math.floor((callers + at) / NODES));
}

function numbers(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => first + at);
}

function toGoals(roundsOf: (callers: number) => readonly Round[]): readonly Goal[] {
  const most = roundsOf(MOST);
  return [
    ...LEVELS.flatMap(({ callers, ofInserts, ofLmdb }) => [
      {
        name: `commits at ${callers}, of one-row inserts`,
        actual: ratioOf(roundsOf(callers), "postgres", "insert", "rate"),
        atLeast: ofInserts,
      },
      {
        name: `commits at ${callers}, of LMDB's`,
        actual: ratioOf(roundsOf(callers), "postgres", "lmdb", "rate"),
        atLeast: ofLmdb,
      },
    ]),
    { name: `flushes for a commit at ${MOST}`, actual: medianOf(most, "postgres", "flushes"), atMost: 0.03 },
    {
      name: `database's CPU for a commit at ${MOST}, of an insert's`,
      actual: ratioOf(most, "postgres", "insert", "cpu"),
      atMost: 1,
    },
    {
      name: `commits of ${NODES} nodes at ${MOST} each, of one's`,
      actual: ratioOf(most, "nodes", "postgres", "rate"),
      atLeast: 1.5,
    },
  ];
}

function showFine(value: number): string {
  return Number.isNaN(value) ? "-" : value.toFixed(3);
}
