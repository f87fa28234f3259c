import { setTimeout as sleep } from "node:timers/promises";
import type { Load } from "./load/run-load.ts";
import { canPin, readCoreUse } from "./pinning.ts";
import { readCpu } from "./processes.ts";
import type { Target, Window } from "./rounds.ts";

/** Milliseconds in which a server does what it puts off until after its answer: records, garbage. It counts as well. */
const SETTLE = 200;

/** Loads a server for some seconds and says what it did, and what others did to the cores meanwhile. */
export async function measureWindow(
  { name, pid, plan, pages = 1 }: Target,
  { load, round, connections, seconds }: { load: Load; round: number; connections: number; seconds: number },
): Promise<Window> {
  await sleep(SETTLE);
  const [began, before, serverCore, loadCore] = readAll(pid);
  const result = await load.run(plan, { connections, seconds });
  await sleep(SETTLE);
  const [ended, after, serverCoreAfter, loadCoreAfter] = readAll(pid);
  if (result.wrong > 0) process.stderr.write(`${name} answers wrongly: ${result.sample}\n`);
  const used = after - before;
  const foreign = Math.max(serverCoreAfter - serverCore - used, loadCoreAfter - loadCore - result.cpu, 0);
  const calls = result.calls / pages;
  return {
    round,
    name,
    connections,
    rate: calls / result.seconds,
    p50: result.p50,
    p99: result.p99,
    cpu: used / Math.max(calls, 1),
    errors: result.wrong + result.failed,
    disturbance: canPin ? foreign / (ended - began) : 0,
  };
}

/** Microseconds: the time, what the server has used, and what either core has worked. */
function readAll(pid: number): readonly [number, number, number, number] {
  return [performance.now() * 1_000, readCpu(pid), readCoreUse("server"), readCoreUse("load")];
}
