import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Done, Order } from "./caller.ts";
import type { BenchDatabase } from "./database.ts";
import type { Figures } from "./figures.ts";

/** Has a process for each order call its store, all at once; what the database did for it meanwhile is counted. */
export async function commitCalls(database: BenchDatabase, orders: readonly Order[]): Promise<Figures> {
  const flushed = await database.readFlushes();
  const children = orders.map((order) => {
    const child = fork(join(import.meta.dirname, "caller.ts"), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    child.send(order);
    return child;
  });
  try {
    await heardFrom(children);
    const before = database.readCpu();
    for (const child of children) child.send("begin");
    const done = (await heardFrom(children)) as Done[];
    const cpuMs = database.readCpu() - before;
    const exits = Promise.all(children.map((child) => once(child, "exit")));
    for (const child of children) child.send("end");
    await exits;
    const commits = done.reduce((sum, one) => sum + one.commits, 0);
    const earlier = done.reduce((sum, one) => sum + one.earlier, 0);
    const seconds = Math.max(...done.map((one) => one.seconds));
    const flushes = (await database.readFlushes()) - flushed;
    // Sessions tell the server of their flushes late, so those before the window are among them.
    return { rate: commits / seconds, flushes: flushes / (commits + earlier), cpu: (cpuMs * 1_000) / commits };
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
}

/** The next message of each; rejects when one of them ends before. */
function heardFrom(children: readonly ChildProcess[]): Promise<unknown[]> {
  return Promise.all(
    children.map(async (child) => {
      const ended = once(child, "exit").then(([code]) => {
        throw new Error(`a caller ended with ${code}`);
      });
      const [message] = await Promise.race([once(child, "message"), ended]);
      return message;
    }),
  );
}
