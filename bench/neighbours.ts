/**
 * What handlers that stall or kill their process cost a neighbour: `node bench/neighbours.ts [attack ...]`. For each attack
 * a service is started; version 1.0.0 is called beside calls of version 1.1.0 that attack, by callers of one tenant. After
 * the seconds in which the attacker is found, stretches with and without attacks alternate, so that whatever else the
 * machine does falls on both, and the neighbour's p99 beside attacks is compared with its p99 without.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, fetch } from "undici";
import { agentFiles } from "../test/helpers/agent.ts";
import { startCairn } from "../test/helpers/cairn.ts";
import { createRepository } from "../test/helpers/repository.ts";
import { createShared } from "../test/helpers/temporary.ts";

const ATTACKS: Readonly<Record<string, string>> = {
  "endless loop": "for (;;);",
  "BigInt power": "(7n ** 30_000_000n).toString();",
  "normalize of a huge string": '"\\u1e9b\\u0323".repeat(1e8).normalize("NFKC");',
  "split of a huge string": '"a".padEnd(2 ** 29 - 24).split("");',
  "allocation without end": "const a = []; for (;;) a.push(new Array(1000).fill(1.5));",
};
const MIXED = "all mixed";

/** Calls a second of the neighbour, whether or not those before are answered, and of the attacker. */
const NEIGHBOUR_RATE = 50;
const ATTACK_RATE = 5;
/** Seconds right after the first attack, and of each stretch with or without attacks from then on. */
const FIRST = 10;
const STRETCH = 6;
const STRETCHES = 5;
/** Seconds for which nothing is measured after a stretch with attacks: what still runs of them ends. */
const SETTLE = 3;
/** The most that the neighbour's p99 may be of its quiet one, once an attacker is known. */
const ALLOWED = 3;

const WORK = `export default async function work(input) {
  let sum = 0;
  for (const item of input.items) sum += item.value;
  return { sum };
}
`;
const BODY = JSON.stringify({ items: Array.from({ length: 20 }, (_, value) => ({ name: `item ${value}`, value })) });

interface Sample {
  readonly ms: number;
  /** What came instead of an answer. */
  readonly failure: string | undefined;
}

interface Row {
  readonly quiet: readonly Sample[];
  readonly first: readonly Sample[];
  readonly later: readonly Sample[];
}

const asked = process.argv.slice(2);
const known = [...Object.keys(ATTACKS), MIXED];
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`There is no attack \`${unknown[0]}\`; there are \`${known.join("`, `")}\`.`);

print(["", "quiet", "", `first ${FIRST} s`, "", "", "later", "", "", "ratio"]);
print(["attack", "p50", "p99", "p99", "worst", "failed", "p99", "worst", "failed", "p99"]);
let passed = true;
for (const attack of asked.length > 0 ? asked : known) {
  const { quiet, first, later } = await measure(attack);
  const ratio = quantile(later, 0.99) / quantile(quiet, 0.99);
  const failures = [...quiet, ...first, ...later].flatMap(({ failure }) => failure ?? []);
  passed &&= ratio <= ALLOWED && failures.length === 0;
  const cells = [first, later].flatMap((samples) => [
    ms(quantile(samples, 0.99)),
    ms(quantile(samples, 1)),
    String(samples.filter(({ failure }) => failure !== undefined).length),
  ]);
  print([attack, ms(quantile(quiet, 0.5)), ms(quantile(quiet, 0.99)), ...cells, ratio.toFixed(1)]);
  for (const failure of new Set(failures)) process.stdout.write(`  ${failure}\n`);
}
process.stdout.write(
  `later p99 at most ${ALLOWED} times the quiet one, and no failed call: ${passed ? "pass" : "FAIL"}\n`,
);
process.exitCode = passed ? 0 : 1;

async function measure(attack: string): Promise<Row> {
  const { atEnd, undoAll } = createShared();
  const folder = await mkdtemp(join(tmpdir(), "cairn-bench-"));
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  try {
    const repository = await createRepository(join(folder, "repository"));
    const work = { handler: WORK };
    await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: { work } }));
    const attacking = { version: "1.1.0", parent: "1.0.0", tools: { work, attack: { handler: toHandler() } } };
    await repository.release("1.1.0", agentFiles(attacking));
    const environment = { CAIRN_DATA: join(folder, "data"), CAIRN_LOG_LEVEL: "error" };
    const { url } = await startCairn(["serve", repository.path], environment, atEnd);

    const callers = new Agent();
    atEnd(() => callers.destroy());
    const neighbour = () => post(`${url}/agent/1.0.0/api/tools/runner.work`, BODY, callers);
    for (let warm = 0; warm < 200; warm += 1) await neighbour();
    const kinds = attack === MIXED ? Object.keys(ATTACKS) : [attack];
    const beside = async (seconds: number): Promise<readonly Sample[]> => {
      // Connections of their own: those that an ended call leaves open without a request are answered 408 after a while.
      const attackers = new Agent();
      const attacks = repeat(seconds, ATTACK_RATE, (at) => {
        const body = JSON.stringify({ kind: kinds[at % kinds.length] });
        return post(`${url}/agent/1.1.0/api/tools/runner.attack`, body, attackers);
      });
      const samples = await repeat(seconds, NEIGHBOUR_RATE, neighbour);
      await attackers.destroy();
      await attacks;
      await new Promise((resolve) => setTimeout(resolve, SETTLE * 1000));
      return samples;
    };
    const quiet: Sample[] = [];
    const later: Sample[] = [];
    const first = await beside(FIRST);
    for (let stretch = 0; stretch < STRETCHES; stretch += 1) {
      quiet.push(...(await repeat(STRETCH, NEIGHBOUR_RATE, neighbour)));
      later.push(...(await beside(STRETCH)));
    }
    return { quiet, first, later };
  } finally {
    await undoAll();
  }
}

function toHandler(): string {
  const cases = Object.entries(ATTACKS).map(
    ([kind, body]) => `  if (input.kind === ${JSON.stringify(kind)}) { ${body} }`,
  );
  return `export default async function attack(input) {\n${cases.join("\n")}\n  return {};\n}\n`;
}

/** Calls that begin evenly over so many seconds; their times count from when they were due. */
async function repeat(
  seconds: number,
  rate: number,
  call: (at: number) => Promise<string | undefined>,
): Promise<readonly Sample[]> {
  const start = performance.now();
  const calls: Promise<Sample>[] = [];
  for (let at = 0; at < seconds * rate; at += 1) {
    const due = start + (at * 1000) / rate;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    calls.push(call(at).then((failure) => ({ ms: performance.now() - due, failure })));
  }
  return Promise.all(calls);
}

/** Resolves with what came instead of an answer, if something did. */
async function post(url: string, body: string, dispatcher: Agent): Promise<string | undefined> {
  const headers = { "content-type": "application/json" };
  try {
    const response = await fetch(url, { method: "POST", headers, body, dispatcher });
    const text = await response.text();
    return response.ok ? undefined : `${response.status} ${text}`;
  } catch (error) {
    return error instanceof Error ? `${error.message}: ${String(error.cause)}` : String(error);
  }
}

function quantile(samples: readonly Sample[], share: number): number {
  const sorted = samples.map((sample) => sample.ms).toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

function print([name = "", ...cells]: readonly string[]): void {
  process.stdout.write(`${name.padEnd(28)}${cells.map((cell) => cell.padStart(10)).join("")}\n`);
}
