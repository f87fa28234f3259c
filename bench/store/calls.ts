import { CAIRN, CONTENDERS } from "../protocol/contenders.ts";
import { median, show } from "../protocol/figures.ts";
import { createLoad } from "../protocol/load/run-load.ts";
import { closeSubjects, openSubject, type Subject } from "../protocol/subjects.ts";
import type { Part } from "./part.ts";

const CONNECTIONS = [1, 16, 64];
const WARM_UP = { connections: 16, seconds: 5 };
/** Share of the calls without effects on LMDB that the service should answer on PostgreSQL. */
const SHARE = 0.9;
const LMDB = "LMDB";
const POSTGRES = "PostgreSQL";

interface Window {
  readonly name: string;
  readonly round: number;
  readonly connections: number;
  /** Calls in a second. */
  readonly rate: number;
}

/** A tool without effects, called over MCP in a whole service on each engine. */
export const measureCalls: Part = async ({ database, rounds, seconds, say }) => {
  const contender = CONTENDERS.find(({ name }) => name === CAIRN);
  if (contender === undefined) throw new Error("Cairn is no contender.");
  const { host, port, user, database: name, schema } = await database.createSchema();
  const url = `postgres://${user}@${host}:${port}/${name}?schema=${schema}&sslmode=disable`;
  const subjects: Subject[] = [];
  const windows: Window[] = [];
  const load = createLoad();
  try {
    subjects.push(await openSubject(contender, { tools: 1 }, LMDB));
    subjects.push(await openSubject(contender, { tools: 1, environment: { CAIRN_STORE: url } }, POSTGRES));
    for (const { plan } of subjects) await load.run(plan, WARM_UP);
    for (let round = 0; round < rounds; round += 1) {
      for (const connections of CONNECTIONS) {
        for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
          const {
            calls,
            seconds: taken,
            wrong,
            failed,
            sample,
          } = await load.run(subject.plan, { connections, seconds });
          if (wrong + failed > 0) throw new Error(`${subject.name} failed ${wrong + failed} calls: ${sample}`);
          windows.push({ name: subject.name, round, connections, rate: calls / taken });
          say(`${connections} connections, round ${round + 1}/${rounds}: ${subject.name} ${show(calls / taken)}/s`);
        }
      }
    }
  } finally {
    await closeSubjects(subjects);
  }
  const ratesOf = (subject: string, connections: number) =>
    windows.filter((window) => window.name === subject && window.connections === connections).map(({ rate }) => rate);
  const shareOf = (connections: number) => {
    const lmdb = ratesOf(LMDB, connections);
    return median(ratesOf(POSTGRES, connections).map((rate, round) => rate / (lmdb[round] ?? Number.NaN)));
  };
  return {
    title: "Calls without effects, of a whole service",
    header: ["", ...CONNECTIONS.map((connections) => `${connections} connections`)],
    rows: [LMDB, POSTGRES].map((subject) => [
      `calls/s, ${subject}`,
      ...CONNECTIONS.map((connections) => show(median(ratesOf(subject, connections)))),
    ]),
    goals: CONNECTIONS.map((connections) => ({
      name: `calls without effects at ${connections}, of LMDB's`,
      actual: shareOf(connections),
      atLeast: SHARE,
    })),
  };
};
