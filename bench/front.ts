/**
 * What it costs to have Cairn in front of an MCP server: `node bench/front.ts [seconds]`. The official `server-everything` over
 * HTTP and `server-filesystem` as a command are called directly and through Cairn by one client, in turns, and so is a tool of
 * Cairn that asks nobody. Needs npm's registry the first time, and bubblewrap.
 */
import { connectCommand } from "../server/capabilities/mcp/client/connect-command.ts";
import { connectUrl } from "../server/capabilities/mcp/client/connect-url.ts";
import { type Ask, greet } from "../server/capabilities/mcp/client/greet.ts";
import { openFront } from "../test/agents/front/open-front.ts";
import { createShared } from "../test/helpers/temporary.ts";
import { readTreeTime } from "./processor-time.ts";

interface Subject {
  readonly name: string;
  readonly ask: Ask;
  readonly tool: string;
  readonly input: object;
  /** Name of the subject that it is compared with. */
  readonly to?: string;
}

interface Figures {
  /** Median, for one caller that waits for each answer. */
  readonly ms: number;
  /** With `CALLERS` at once. */
  readonly perSecond: number;
  /** Processor time of Cairn for one of those calls, without that of the upstream. */
  readonly cpuMs: number;
}

const ROUNDS = 3;
const CALLERS = 16;
const WARM_UP_CALLS = 200;
const CLIENT = { name: "bench", version: "1" };
/** Program that holds commands of upstreams: their time is not Cairn's. */
const HOLDS_COMMANDS = "bwrap";

const seconds = Number(process.argv[2] ?? "2");
const { atEnd, undoAll } = createShared();
try {
  const { url, pid, everything, files } = await openFront(atEnd);
  const { signal } = new AbortController();
  const overHttp = async (address: string) => {
    const connection = connectUrl(new URL(address), { headers: {}, signal, fetch, hint: "none are needed" });
    return (await greet(connection, CLIENT)).ask;
  };
  const command = connectCommand(files.join(" "), { folder: ".", environment: { PATH: process.env["PATH"] }, signal });
  atEnd(() => command.close());
  const sum = { tool: "get-sum", input: { a: 1, b: 2 } };
  const list = { tool: "list_directory", input: { path: "/mnt/docs" } };
  const subjects: readonly Subject[] = [
    { name: "Cairn alone", ask: await overHttp(`${url}/runner`), tool: "runner.greet", input: { name: "Ada" } },
    { name: "HTTP, directly", ask: await overHttp(everything), ...sum },
    { name: "HTTP, through Cairn", ask: await overHttp(`${url}/everything`), ...sum, to: "HTTP, directly" },
    { name: "command, directly", ask: (await greet(command, CLIENT)).ask, ...list },
    { name: "command, through Cairn", ask: await overHttp(`${url}/files`), ...list, to: "command, directly" },
  ];
  for (const subject of subjects) await callMany(subject, CALLERS, (count) => count < WARM_UP_CALLS);
  const rounds: Map<string, Figures>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const figures = new Map<string, Figures>();
    for (const subject of subjects) figures.set(subject.name, await measure(subject, pid));
    rounds.push(figures);
  }
  print(subjects, rounds);
} finally {
  await undoAll();
}

async function measure(subject: Subject, pid: number): Promise<Figures> {
  const until = () => {
    const end = performance.now() + seconds * 1_000;
    return () => performance.now() < end;
  };
  const alone = await callMany(subject, 1, until());
  const before = readTreeTime(pid, HOLDS_COMMANDS);
  const began = performance.now();
  const { length } = await callMany(subject, CALLERS, until());
  const took = performance.now() - began;
  const cpu = readTreeTime(pid, HOLDS_COMMANDS) - before;
  return { ms: median(alone), perSecond: (length / took) * 1_000, cpuMs: cpu / length };
}

/** Calls as often as `goesOn` says, by the number of calls that were begun. Returns the milliseconds of each. */
async function callMany(
  { name, ask, tool, input }: Subject,
  callers: number,
  goesOn: (count: number) => boolean,
): Promise<readonly number[]> {
  const times: number[] = [];
  let count = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (goesOn(count)) {
        count += 1;
        const sent = performance.now();
        const { result, error } = await ask("tools/call", { name: tool, arguments: input });
        times.push(performance.now() - sent);
        if (result === undefined || result["isError"] === true) {
          throw new Error(`${name} failed: ${JSON.stringify(error ?? result)}`);
        }
      }
    }),
  );
  return times;
}

function print(subjects: readonly Subject[], rounds: readonly ReadonlyMap<string, Figures>[]): void {
  const of = (name: string, key: keyof Figures) => median(rounds.map((figures) => figures.get(name)?.[key] ?? NaN));
  const ratio = (name: string, to: string | undefined, key: keyof Figures) =>
    to === undefined
      ? ""
      : median(rounds.map((figures) => (figures.get(name)?.[key] ?? NaN) / (figures.get(to)?.[key] ?? NaN))).toFixed(2);
  const rows = subjects.map(({ name, to }) => [
    name,
    of(name, "ms").toFixed(2),
    ratio(name, to, "ms"),
    of(name, "perSecond").toFixed(0),
    ratio(name, to, "perSecond"),
    name.endsWith("directly") ? "" : of(name, "cpuMs").toFixed(2),
  ]);
  const head = ["", "p50 ms", "of direct", `calls/s at ${CALLERS}`, "of direct", "Cairn's CPU ms for a call"];
  for (const row of [head, ...rows]) {
    process.stdout.write(`${row.map((cell, index) => cell.padEnd(index === 0 ? 24 : 16)).join("")}\n`);
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}
