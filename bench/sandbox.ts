/**
 * What a call costs in the sandbox, as ratios to calling the same function in this process with JSON both ways.
 * `node bench/sandbox.ts`; absolute figures depend on the machine, ratios less so.
 */
import { openSandbox } from "../server/kernel/isolates/open-sandbox.ts";
import { toCall, toHandler } from "../test/server/kernel/isolates/program.ts";

const ROUNDS = 5;
const CALLS = 4_000;

const body = "return { count: input.items.length, sum: input.items.reduce((sum, item) => sum + item.value, 0) }";
const input = { items: Array.from({ length: 20 }, (_, value) => ({ name: `item ${value}`, value })) };

function sumInProcess(text: string): string {
  const { items }: typeof input = JSON.parse(text);
  return JSON.stringify({ count: items.length, sum: items.reduce((sum, item) => sum + item.value, 0) });
}

/** Microseconds a call, the best of some rounds, with `concurrency` of them at a time. */
async function measure(concurrency: number, call: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    let left = CALLS;
    const work = async () => {
      while ((left -= 1) >= 0) await call();
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: concurrency }, work));
    best = Math.min(best, ((performance.now() - start) * 1_000) / CALLS);
  }
  return best;
}

const sandbox = await openSandbox();
const plain = toCall(toHandler(body), { input });
const asking = toCall(toHandler(`await ctx.state.get(["a"]); ${body}`), { input, syscall: async () => null });
const baseline = await measure(1, () => sumInProcess(JSON.stringify(input)));
const rows: Record<string, string>[] = [{ what: "in process, JSON both ways", us: baseline.toFixed(1), ratio: "1" }];
for (const concurrency of [1, 4, 16, 64]) {
  for (const [name, call] of [["no syscall", plain] as const, ["one syscall", asking] as const]) {
    const cost = await measure(concurrency, () => sandbox.run(call));
    rows.push({ what: `${name}, ${concurrency} at a time`, us: cost.toFixed(1), ratio: (cost / baseline).toFixed(1) });
  }
}

const colds: number[] = [];
for (let round = 0; round < 30; round += 1) {
  const start = performance.now();
  await sandbox.warm(toHandler(`${round}; ${body}`));
  colds.push((performance.now() - start) * 1_000);
}
const cold = colds.sort((one, other) => one - other)[15] ?? 0;
rows.push({ what: "loading a program", us: cold.toFixed(0), ratio: (cold / baseline).toFixed(0) });
await sandbox.close();
process.stdout.write(
  `${rows.map(({ what, us, ratio }) => `${what?.padEnd(28)} ${us?.padStart(8)} us ${ratio?.padStart(8)} x`).join("\n")}\n`,
);
