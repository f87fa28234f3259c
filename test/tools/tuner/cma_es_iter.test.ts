import { describe, expect, test } from "vitest";
import { openTestStore } from "../../helpers/store.ts";
import { openTunedService } from "../../helpers/tuned-service.ts";
import { useInvokedCheckout } from "../invoke-checkout.ts";
import { keepPromises } from "../keep-promises.ts";

const checkout = useInvokedCheckout();

describe("tuner.cma_es_iter", () => {
  test("keeps the promises of its examples", () => keepPromises(checkout, "tuner.cma_es_iter"));

  const NUMBERS = `parameters:
  warmth: { type: float, min: 0, max: 1, default: 0.2 }
  pace: { type: float, min: 1, max: 100, scale: log, default: 10 }
experiment: { strategy: { kind: cma_es } }
`;
  interface Asked {
    readonly candidates: readonly {
      readonly candidate: string;
      readonly values: { readonly warmth: number; readonly pace: number };
    }[];
    readonly state: {
      readonly staging: { readonly search: { readonly generation: number; readonly evaluations: number } };
    };
  }
  async function setUp() {
    const service = await openTunedService({ store: await openTestStore() });
    const version = await service.load(NUMBERS);
    const call = (input: object) => service.call(version, "tuner.cma_es_iter", { experiment: "style", ...input });
    const iterate = async (input: object) => {
      const result = await call(input);
      if (!result.ok) throw new Error(result.error.message);
      return result.output as unknown as Asked;
    };
    return { service, version, call, iterate };
  }

  test("[T3] finds the best of two numbers, several candidates in flight, some of which fail", async () => {
    const { service, version, iterate } = await setUp();
    let results: object[] = [];
    for (let round = 0; round < 120; round += 1) {
      const { candidates } = await iterate({ results, ask: 4 });
      results = candidates.map(({ candidate, values: { warmth, pace } }, index) =>
        round % 7 === 0 && index === 0
          ? { candidate, failed: true }
          : { candidate, value: Math.max(0, 1 - (warmth - 0.7) ** 2 - (Math.log10(pace) - 1.5) ** 2) },
      );
    }
    const { state } = await service.output(version, "tuner.promote", { experiment: "style" });
    const { values } = (state as { readonly active: { readonly values: Record<string, number> } }).active;
    expect(values["warmth"]).toBeCloseTo(0.7, 2);
    expect(Math.log10(values["pace"] ?? 0)).toBeCloseTo(1.5, 2);
  });

  test("[T3] hands no candidate out twice, and takes its result once", async () => {
    const { call, iterate } = await setUp();
    const first = await iterate({ ask: 4 });
    const second = await iterate({ ask: 4 });
    const ids = [...first.candidates, ...second.candidates].map(({ candidate }) => candidate);
    // Two numbers make a population of 6.
    expect([ids.length, new Set(ids).size]).toEqual([6, 6]);
    expect((await iterate({ ask: 4 })).candidates).toEqual([]);

    const result = { candidate: ids[0], value: 0.5 };
    const told = await Promise.all(Array.from({ length: 8 }, () => call({ results: [result] })));
    expect(told.filter(({ ok }) => ok)).toHaveLength(1);
    expect(told.find(({ ok }) => !ok)).toMatchObject({ error: { name: "CONFLICT" } });
  });

  test.each([
    [{ candidate: "0.0.99", value: 0.5 }, "BAD_REQUEST"],
    [{ candidate: "nonsense", value: 0.5 }, "BAD_REQUEST"],
    [{ candidate: "0.0.0", value: 1.5 }, "BAD_REQUEST"],
    [{ candidate: "0.0.0", value: Number.NaN }, "BAD_REQUEST"],
    [{ candidate: "0.0.0", value: 0.5, failed: true }, "BAD_REQUEST"],
  ])("refuses %j, and takes nothing of its batch", async (bad, name) => {
    const { call, iterate } = await setUp();
    const good = { candidate: "0.0.1", value: 0.5 };
    expect(await call({ results: [good, bad] })).toMatchObject({ ok: false, error: { name } });
    expect((await iterate({})).state.staging.search.evaluations).toBe(0);
  });
});
