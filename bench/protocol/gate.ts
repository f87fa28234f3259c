/**
 * Whether Cairn's CPU for a call, with a token on each, is still near the least there could be: half a minute of
 * `node bench/protocol/gate.ts`. It compares CPU, not speed, because that hardly depends on what else the machine does.
 */
import { CAIRN, CONTENDERS, LIMIT } from "./contenders.ts";
import { medianOf, ratioOf } from "./figures.ts";
import { createLoad } from "./load/run-load.ts";
import { measureRounds } from "./rounds.ts";
import { closeSubjects, openSubject } from "./subjects.ts";

/** CPU that a call may take, as a multiple of the limit's. */
const MULTIPLE = 4.5;
const ROUNDS = 3;
const SECONDS = 2;
const CONNECTIONS = 16;

const say = (line: string) => process.stderr.write(`${line}\n`);

const subjects = [];
try {
  for (const name of [LIMIT, CAIRN]) {
    const contender = CONTENDERS.find((other) => other.name === name);
    if (contender !== undefined) subjects.push(await openSubject(contender, { tools: 1, authentication: true }));
  }
  const windows = await measureRounds(
    subjects.map(({ name, running, plan }) => ({ name, pid: running.pid, plan })),
    { load: createLoad(), rounds: ROUNDS, seconds: SECONDS, connections: [CONNECTIONS], say },
  );
  const ratio = ratioOf(windows, CAIRN, [LIMIT], CONNECTIONS, "cpu");
  const [cairn, limit] = [CAIRN, LIMIT].map((name) => medianOf(windows, name, CONNECTIONS, "cpu").toFixed(0));
  const passed = ratio <= MULTIPLE && windows.every(({ errors }) => errors === 0);
  process.stdout.write(
    `CPU for a call: Cairn ${cairn} us, the limit ${limit} us, ratio ${ratio.toFixed(2)}, allowed ${MULTIPLE}: ${passed ? "pass" : "FAIL"}\n`,
  );
  process.exitCode = passed ? 0 : 1;
} finally {
  await closeSubjects(subjects);
}
