import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { readChain } from "../chain.ts";
import { type Engine, ENGINES, type SharedEngine } from "../engines.ts";
import { LIMIT_MS, LONG } from "../long.ts";
import { collect, openStore, range } from "../open-store.ts";
import { type Program, startProgram } from "../start-program.ts";

interface Operation {
  readonly does: "read" | "write";
  readonly id: string | null;
  readonly began: number;
  readonly ended: number;
  readonly seq?: number;
}

/** What engines keep that several processes use at once. */
export function describeSharing(engine: SharedEngine): void {
  describe("several processes", () => {
    test("claim each of 5,000 entries once", async () => {
      const directory = await temporaryFolder();
      const store = await openStore(engine, { directory });
      await store.commit({ set: range(5_000).map((n) => ({ key: ["q", n], value: n })) });
      const programs = range(4).map(() => startProgram("claimer", engine, directory));
      const shares = await Promise.all(programs.map(finish));
      expect(shares.filter((share) => share.length > 0).length).toBeGreaterThan(1);
      expect(shares.flat().toSorted((a, b) => Number(a) - Number(b))).toEqual(range(5_000));
      expect(await store.claim({ queue: ["q"], leaseMs: 1, limit: 1 })).toEqual([]);
      expect(await store.admin.check()).toEqual([]);
    });

    test("share a register and a counter that behave as if there were one process", async () => {
      const directory = await temporaryFolder();
      const operations = LONG ? 1_000 : 60;
      const store = await openStore(engine, { directory });
      const programs = range(3).map((n) => startProgram("register-user", engine, directory, `p${n}`, `${operations}`));
      const history = (await Promise.all(programs.map(finish))).flat() as Operation[];
      const writes = readChain(await collect(store.readLog("writes", { from: 0 })));
      expect(history.filter(({ does }) => does === "write")).toHaveLength(writes.length);
      expect(findContradictions(history, writes)).toEqual([]);
      expect(await store.get(["counter"])).toMatchObject({ value: 3 * operations });
    });

    test("see what another has committed, of which no hint may tell them", async () => {
      const directory = await temporaryFolder();
      const store = await openStore(engine, { directory });
      expect(await store.get(["k"])).toBeUndefined();
      store.watch([], () => undefined);
      await finish(startProgram("one-commit", engine, directory, "new"));
      expect(await store.get(["k"])).toMatchObject({ value: "new" });
    });

    test("go on when one of them is killed in the middle of its writes", async () => {
      const directory = await temporaryFolder();
      const store = await openStore(engine, { directory });
      let own = 0;
      for (let round = 0; round < 3; round++) {
        const program = startProgram("chained-writer", engine, directory, `r${round}`);
        program.go();
        await program.said(20);
        const killed = program.ended();
        program.process.kill("SIGKILL");
        const result = await store.commit({ append: [{ log: "audit", entry: "own" }] });
        if (result.ok) own++;
        await killed;
      }
      const entries = readChain(await collect(store.readLog("audit", { from: 0 })));
      expect(entries.filter((entry) => entry === "own")).toHaveLength(own);
      expect(await store.admin.check()).toEqual([]);
    });
  });
}

/** What engines keep when the process that uses them is killed. */
export function describeKills(engine: Engine): void {
  describe("a process killed with SIGKILL", () => {
    const rounds = LONG ? 500 : 50;

    test(
      `has lost nothing it acknowledged, in ${rounds} rounds`,
      async () => {
        const directory = await temporaryFolder();
        const start = (round: number) => startProgram("chained-writer", engine, directory, `r${round}`);
        const acknowledged: { seq: number; hash: string }[] = [];
        const lengths = fc.sample(fc.nat(24), rounds);
        let next = start(0);
        for (let round = 0; round < rounds; round++) {
          const program = next;
          program.go();
          // Starts meanwhile, and waits.
          next = start(round + 1);
          await program.said(1 + (lengths[round] ?? 0));
          program.process.kill("SIGKILL");
          expect(await program.ended()).toMatchObject({ signal: "SIGKILL" });
          const acks = program.lines.map((line) => JSON.parse(line));
          acknowledged.push(...acks);

          const store = await ENGINES[engine]({ directory });
          const log = await collect(store.readLog("audit", { from: 0 }));
          const said = readChain(log) as { name: string; writer: number; turn: number }[];
          expect(acknowledged.filter(({ seq, hash }) => log[seq]?.hash !== hash)).toEqual([]);
          for (const writer of range(8)) {
            const newest = said.findLast((entry) => entry.name === `r${round}` && entry.writer === writer)?.turn;
            expect((await store.get(["newest", `r${round}`, writer]))?.value).toBe(newest);
          }
          if (round % 10 === 9) expect(await store.admin.check()).toEqual([]);
          await store.admin.close();
        }
        expect(acknowledged.length).toBeGreaterThan(rounds);
      },
      LIMIT_MS,
    );
  });
}

/** Everything the program says, parsed, once it has ended well. */
async function finish(program: Program): Promise<unknown[]> {
  program.go();
  expect(await program.ended()).toEqual({ code: 0, signal: null, complaint: "" });
  return program.lines.flatMap((line) => JSON.parse(line));
}

/**
 * Pairs of operations that no order of single steps explains. The log gives the order of writes, and a read belongs
 * behind the write it saw; it remains to see that what ended before something else began does not stand behind it.
 */
function findContradictions(history: readonly Operation[], writes: readonly unknown[]): [Operation, Operation][] {
  const places = new Map<unknown, number>([[null, -1], ...writes.map((id, seq) => [id, seq] as const)]);
  const place = (operation: Operation) => places.get(operation.id) ?? Number.NaN;
  return history.flatMap((later) =>
    history
      .filter((earlier) => earlier.ended < later.began)
      .filter((earlier) => !(later.does === "write" ? place(earlier) < place(later) : place(earlier) <= place(later)))
      .map((earlier): [Operation, Operation] => [earlier, later]),
  );
}
