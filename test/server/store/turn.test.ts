import { describe, expect, test } from "vitest";
import { createTurn } from "../../../server/store/turn.ts";

/** Transactions of an engine that undoes what a callback did before it threw. */
function createEngine(fail?: Error) {
  const kept: string[] = [];
  const sizes: number[] = [];
  let staged: string[] = [];
  const turn = createTurn(
    async (work) => {
      staged = [];
      const result = work();
      if (fail) throw fail;
      sizes.push(staged.length);
      kept.push(...staged);
      return result;
    },
    async (error) => error,
    () => ({}),
  );
  const write = (name: string) => () => {
    staged.push(name);
    if (name === "bad") throw new Error("bad");
    return name;
  };
  return { kept, sizes, add: (name: string) => turn.add(write(name)) };
}

describe("a turn", () => {
  test("does all work of one turn of the event loop in one transaction, and later work in another", async () => {
    const { add, sizes } = createEngine();
    expect(await Promise.all([add("a"), add("b"), add("c")])).toEqual(["a", "b", "c"]);
    expect(await add("d")).toBe("d");
    expect(sizes).toEqual([3, 1]);
  });

  test("lets only that fail which throws, and keeps nothing of it", async () => {
    const { add, kept } = createEngine();
    const ends = await Promise.allSettled([add("a"), add("bad"), add("c")]);
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(kept).toEqual(["a", "c"]);
  });

  test("fails altogether when the engine does, and tries nothing again", async () => {
    const { add, kept } = createEngine(new Error("disk full"));
    const ends = await Promise.allSettled([add("a"), add("b")]);
    expect(ends).toMatchObject([{ reason: new Error("disk full") }, { reason: new Error("disk full") }]);
    expect(kept).toEqual([]);
  });

  test("gives all work of a transaction one object, and work that is done again another one", async () => {
    const found: object[] = [];
    const turn = createTurn(
      async (work) => work(),
      async (error) => error,
      () => ({}),
    );
    const look = (seen: object) => found.push(seen);
    await Promise.allSettled([
      turn.add(look),
      turn.add(look),
      turn.add(() => {
        throw new Error("bad");
      }),
    ]);
    await turn.add(look);
    const [first, second, again, ...others] = found;
    expect(second).toBe(first);
    expect(new Set([first, again, ...others]).size).toBe(4);
  });
});
