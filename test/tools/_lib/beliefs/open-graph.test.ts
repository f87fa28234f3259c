import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bindEdge } from "../../../../tools/_lib/beliefs/bind-edge.ts";
import { createNode } from "../../../../tools/_lib/beliefs/create-node.ts";
import { TOTAL_ENERGY } from "../../../../tools/_lib/beliefs/energy.ts";
import { toDeviation } from "../../../../tools/_lib/beliefs/ethical-vector.ts";
import { EDGES, type EdgeRow, loadHead, NODES, type Page } from "../../../../tools/_lib/beliefs/graph-state.ts";
import { judge } from "../../../../tools/_lib/beliefs/judge.ts";
import { mutateNode } from "../../../../tools/_lib/beliefs/mutate-node.ts";
import type { Ground } from "../../../../tools/_lib/beliefs/open-graph.ts";
import { runStep } from "../../../../tools/_lib/beliefs/run-step.ts";
import { createGround, type TestGround } from "./create-ground.ts";
import { createModel, type Model, OPERATION, type Operation } from "./graph-model.ts";

const RUNS = process.env["CAIRN_LONG"] === undefined ? 100 : 500;
const LENGTH = 20;

function carryOut(ground: Ground, operation: Operation): Promise<unknown> {
  switch (operation.op) {
    case "create":
      return createNode(ground, operation);
    case "mutate":
      return mutateNode(ground, { node_id: String(operation.node), delta: operation.delta });
    case "bind":
      return bindEdge(ground, { src: String(operation.src), dst: String(operation.dst), weight: operation.weight });
    case "propagate":
      return runStep(ground);
  }
}

async function nameOfError(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    (error: Error) => error.name,
  );
}

async function readGraph({ state }: TestGround) {
  const pages = await state.scan<Page>([NODES]);
  const edges = await state.scan<readonly EdgeRow[]>([EDGES]);
  return {
    rows: pages.flatMap(({ value }) => value.rows),
    edges: edges.flatMap(({ value }) => value),
    head: await loadHead(state),
  };
}

/** What holds after every operation, whatever came before it. */
async function expectInvariants(ground: TestGround, model: Model): Promise<void> {
  const { rows, edges, head } = await readGraph(ground);
  const held = rows.reduce((sum, [, energy]) => sum + BigInt(energy), 0n);
  expect([BigInt(head.allocated), BigInt(head.reservoir) + held]).toEqual([held, TOTAL_ENERGY]);
  expect(rows.every(([belief, energy]) => belief >= 0 && belief <= 1 && BigInt(energy) >= 0n)).toBe(true);
  expect(edges.every(([source, target]) => (rows[source]?.[2] ?? 0) < (rows[target]?.[2] ?? 0))).toBe(true);
  const deviation = rows.reduce((sum, [belief, energy]) => sum + toDeviation(belief, BigInt(energy)), 0);
  expect(head.deviation).toBe(deviation);
  expect(judge(head)).toMatchObject({ coherent: true });
  expect(judge(head).drift).toBeLessThan(1e-6);
  expect([head.nodes, head.edges, head.mutations]).toEqual([
    model.nodes.length,
    model.edges.length,
    ground.entries.length,
  ]);
  expect(rows.map(([, energy]) => BigInt(energy))).toEqual(model.nodes.map(({ energy }) => energy));
  for (const [id, node] of model.nodes.entries()) {
    const belief = rows[id]?.[0] ?? -1;
    expect(Math.abs(belief - node.belief)).toBeLessThan(1e-9);
    // The model adds in another order: only what one step makes of that is compared.
    node.belief = belief;
  }
}

describe("the belief graph", () => {
  test(
    `[B2] does what a simple model does, and keeps every invariant, in ${RUNS * LENGTH} random operations`,
    { timeout: 600_000 },
    async () => {
      const operations = fc.array(OPERATION, { minLength: LENGTH, maxLength: LENGTH });
      await fc.assert(
        fc.asyncProperty(operations, async (all) => {
          const ground = createGround();
          const model = createModel();
          for (const operation of all) {
            const due = model.apply(operation);
            expect(await nameOfError(ground.call((own) => carryOut(own, operation)))).toBe(due);
            await expectInvariants(ground, model);
          }
        }),
        { numRuns: RUNS },
      );
    },
  );

  test("refuses a cycle of any length, and one node's edge to itself, and stays as it was", async () => {
    const ground = createGround();
    for (let node = 0; node < 300; node += 1) {
      await ground.call((own) => createNode(own, { belief: 0.5, energy: 1 }));
    }
    const bind = (src: number, dst: number) =>
      nameOfError(ground.call((own) => bindEdge(own, { src: String(src), dst: String(dst), weight: 1 })));
    // Against the order of their numbers, so that every edge raises all that it leads to.
    for (let node = 298; node >= 0; node -= 1) expect(await bind(node, node + 1)).toBeUndefined();
    const before = await readGraph(ground);
    expect([await bind(299, 0), await bind(150, 20), await bind(7, 7)]).toEqual(Array(3).fill("INVARIANT_VIOLATION"));
    expect(await readGraph(ground)).toEqual(before);
    expect(await bind(0, 299)).toBeUndefined();
  });

  test("touches as few keys for a node among thousands as for the first", async () => {
    const ground = createGround();
    const count = async (work: (own: Ground) => Promise<unknown>) => {
      ground.touched = 0;
      await ground.call(work);
      return ground.touched;
    };
    const create = (own: Ground) => createNode(own, { belief: 0.5, energy: 1 });
    const first = await count(create);
    for (let node = 1; node < 2_000; node += 1) await ground.call(create);
    expect(await count(create)).toBe(first);
    expect(await count((own) => mutateNode(own, { node_id: "1000", delta: 0.1 }))).toBe(4);
    expect(await count((own) => bindEdge(own, { src: "3", dst: "1999", weight: 1 }))).toBeLessThan(12);
  });

  test("keeps more edges of one node than a key holds", async () => {
    const ground = createGround();
    for (let node = 0; node < 3; node += 1) {
      await ground.call((own) => createNode(own, { belief: node / 2, energy: 16 }));
    }
    for (let edge = 0; edge < 1_030; edge += 1) {
      await ground.call((own) => bindEdge(own, { src: "0", dst: edge % 2 === 0 ? "1" : "2", weight: 1 }));
    }
    const { edges } = await readGraph(ground);
    expect(edges).toHaveLength(1_030);
    await ground.call(runStep);
    const { rows } = await readGraph(ground);
    expect(rows.map(([belief]) => belief)).toEqual([0, 0.5 / 516, 1 / 516]);
    expect(rows.reduce((sum, [, energy]) => sum + BigInt(energy), 0n)).toBe(48_000_000n);
  });

  test("gives out no more energy than there is", async () => {
    const ground = createGround();
    const create = (energy: number) => nameOfError(ground.call((own) => createNode(own, { belief: 0, energy })));
    for (let node = 0; node < 1_000; node += 1) expect(await create(1e12)).toBeUndefined();
    expect([await create(1e-6), await create(0)]).toEqual(["INVARIANT_VIOLATION", undefined]);
    await ground.call((own) => mutateNode(own, { node_id: "0", delta: 0.25 }));
    expect([await create(0.250001), await create(0.25)]).toEqual(["INVARIANT_VIOLATION", undefined]);
  });
});
