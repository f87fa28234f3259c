import { describe, expect, test } from "vitest";
import { openEnvironment } from "../../../../server/store/lmdb/environment.ts";
import { openRoot } from "../../../../server/store/lmdb/root.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { readChain } from "../chain.ts";
import { collect, openStore, range } from "../open-store.ts";
import { startProgram } from "../start-program.ts";

test("LMDB's map has its final size from the start, so that it never moves while threads use it", async () => {
  const root = openRoot(await temporaryFolder());
  const { mapSize } = root.getStats() as { mapSize: number };
  await root.close();
  expect(mapSize).toBe(1_099_511_627_776);
});

describe("a disk that fails", () => {
  test("at flushing makes those commits unavailable, and no others", async () => {
    const { directory, commits, reading, closing } = await suffer("flushing");
    const [done, failed] = [range(15).map(() => "done"), range(15).map(() => "UNAVAILABLE")];
    expect(commits).toEqual([...done, ...failed, ...done]);
    expect([reading, closing]).toEqual(["done", "done"]);
    const store = await openStore("lmdb", { directory });
    const said = readChain(await collect(store.readLog("l", { from: 0 })));
    expect(said).toEqual([...range(15), ...range(15).map((n) => n + 30)]);
    expect(await store.admin.check()).toEqual([]);
  });

  test("at writing LMDB's header makes everything unavailable, leaves nobody waiting, and a new start is well", async () => {
    const { directory, commits, reading, closing } = await suffer("header");
    expect(commits).toEqual(range(45).map((n) => (n < 15 ? "done" : "UNAVAILABLE")));
    expect([reading, closing]).toEqual(["UNAVAILABLE", "done"]);
    const store = await openStore("lmdb", { directory });
    expect(readChain(await collect(store.readLog("l", { from: 0 })))).toEqual(range(15));
    expect(await store.admin.check()).toEqual([]);
  });
});

describe("a copy", () => {
  test("is waited for by a close", async () => {
    const environment = openEnvironment(await temporaryFolder());
    for (let n = 0; n < 20; n++) {
      await environment.transact(() => environment.tables.logs.put(Buffer.of(1, n), Buffer.alloc(1024 * 1024)));
    }
    const order: string[] = [];
    const copied = environment.copy(await temporaryFolder()).then(() => order.push("copied"));
    await environment.close();
    order.push("closed");
    await copied;
    expect(order).toEqual(["copied", "closed"]);
  });
});

/** Runs a program whose disk fails at `what` for a while. */
async function suffer(what: "flushing" | "header") {
  const directory = await temporaryFolder();
  const program = startProgram("disk-sufferer", "lmdb", directory, what);
  program.go();
  expect(await program.ended()).toMatchObject({ code: 0, signal: null });
  const lines = program.lines.map((line) => JSON.parse(line));
  return { directory, commits: lines.slice(0, -2).flat(), reading: lines.at(-2), closing: lines.at(-1) };
}
