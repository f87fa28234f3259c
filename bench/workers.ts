/**
 * What workers cost and give: `node bench/workers.ts [workers] [rounds]` compares a service of one process, as many such services
 * side by side, which share nothing, and a service of so many workers. Nothing is pinned to a core, so the load takes time of
 * the same cores: processor time for a call says more than calls a second, unless the machine has cores to spare.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CAIRN, CONTENDERS } from "./protocol/contenders.ts";
import { median } from "./protocol/figures.ts";
import { createLoad } from "./protocol/load/run-load.ts";
import { readCpu } from "./protocol/processes.ts";
import { closeSubjects, openSubject, type Subject } from "./protocol/subjects.ts";

const [workers = 2, rounds = 5] = process.argv.slice(2).map(Number);
const CONNECTIONS = [16, 64];
const SECONDS = 2;
/** Seconds of load before anything is measured, so that everybody's code is compiled. */
const WARM_UP = 6;
/** Milliseconds in which a service does what it puts off until after its answer. */
const SETTLE = 200;

interface Measured {
  readonly kind: string;
  readonly connections: number;
  /** Calls in a second. */
  readonly rate: number;
  /** Microseconds of processor time for a call, in all processes of all services. */
  readonly cpu: number;
}

const contender = CONTENDERS.find(({ name }) => name === CAIRN);
if (contender === undefined) throw new Error("There is no Cairn among the contenders.");
const load = createLoad();
const subjects: Subject[] = [];
const open = async (environment: Readonly<Record<string, string>>) => {
  const subject = await openSubject(contender, { tools: 1, authentication: true, environment });
  subjects.push(subject);
  return subject;
};
const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);

/** Loads services at the same time, from as many generators for each kind. */
async function measure(services: readonly Subject[], connections: number, seconds: number) {
  await sleep(SETTLE);
  const used = () => sum(services.map(({ running }) => readCpu(running.pid)));
  const before = used();
  const loaded = Array.from({ length: workers }, (_, at) => services[at % services.length]);
  const share = Math.max(1, Math.round(connections / workers));
  const results = await Promise.all(
    loaded.flatMap((service) =>
      service === undefined ? [] : [load.run(service.plan, { connections: share, seconds })],
    ),
  );
  await sleep(SETTLE);
  const errors = sum(results.map(({ wrong, failed }) => wrong + failed));
  if (errors > 0) throw new Error(`${errors} calls failed.`);
  const calls = sum(results.map((one) => one.calls));
  return { rate: sum(results.map((one) => one.calls / one.seconds)), cpu: (used() - before) / calls };
}

try {
  const first = await open({});
  const apart = [first, ...(await Promise.all(Array.from({ length: workers - 1 }, () => open({}))))];
  const kinds = [
    { kind: "one process", services: [first] },
    { kind: `${workers} services apart`, services: apart },
    { kind: `${workers} workers`, services: [await open({ CAIRN_WORKERS: String(workers) })] },
  ];
  for (const { services } of kinds) await measure(services, Math.max(...CONNECTIONS), WARM_UP);
  const all: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const connections of CONNECTIONS) {
      const turned = [...kinds.slice(round % kinds.length), ...kinds.slice(0, round % kinds.length)];
      for (const { kind, services } of turned) {
        all.push({ kind, connections, ...(await measure(services, connections, SECONDS)) });
      }
    }
  }
  for (const connections of CONNECTIONS) {
    for (const { kind } of kinds) {
      const own = all.filter((one) => one.kind === kind && one.connections === connections);
      const [rate, cpu] = [median(own.map((one) => one.rate)), median(own.map((one) => one.cpu))];
      process.stdout.write(
        `x${connections}  ${kind.padEnd(18)} ${rate.toFixed(0)} calls/s, ${cpu.toFixed(0)} us of CPU\n`,
      );
    }
  }
} finally {
  await closeSubjects(subjects);
}
