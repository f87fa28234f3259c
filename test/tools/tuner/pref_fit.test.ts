import { describe, expect, test } from "vitest";
import { uniformAt } from "../../../server/capabilities/tuner/uniform.ts";
import { openTestStore } from "../../helpers/store.ts";
import { openTunedService } from "../../helpers/tuned-service.ts";
import { useInvokedCheckout } from "../invoke-checkout.ts";
import { keepPromises } from "../keep-promises.ts";

const checkout = useInvokedCheckout();

describe("tuner.pref_fit", () => {
  test("keeps the promises of its examples", () => keepPromises(checkout, "tuner.pref_fit"));

  const ITEMS = `parameters: { tone: { type: categorical, values: [dry, kind, loud, wild], default: dry } }
experiment: { strategy: { kind: preference, l2: 0 } }
`;
  const FEATURES = `parameters:
  length: { type: float, min: -5, max: 5, default: 0 }
  jokes: { type: float, min: -5, max: 5, default: 0 }
experiment: { strategy: { kind: preference, model: features, l2: 0.1, targetPrecision: 0.8 } }
`;
  async function setUp(style: string) {
    const service = await openTunedService({ store: await openTestStore() });
    const version = await service.load(style);
    const call = (input: object) => service.call(version, "tuner.pref_fit", { experiment: "style", ...input });
    return { service, version, call };
  }
  const wins = (winner: string, loser: string, count: number) =>
    Array.from({ length: count }, () => ({ winner, loser }));
  // Nobody wins all, nobody loses all.
  const PAIRS = [
    ...wins("kind", "dry", 6),
    ...wins("dry", "kind", 3),
    ...wins("dry", "loud", 4),
    ...wins("loud", "dry", 2),
  ];

  test("[T4] gives strengths with standard errors, and stages the strongest", async () => {
    const { service, version, call } = await setUp(ITEMS);
    const result = await call({ pairs: PAIRS });
    // Each pair of neighbours is a chain, so that the differences are the log odds of its counts: ln 2 both times.
    expect(result).toMatchObject({
      ok: true,
      output: {
        comparisons: 15,
        values: { tone: "kind" },
        separable: false,
        estimates: {
          kind: { value: expect.closeTo(Math.LN2, 8) },
          dry: { value: expect.closeTo(0, 8) },
          loud: { value: expect.closeTo(-Math.LN2, 8) },
        },
      },
    });
    await service.output(version, "tuner.promote", { experiment: "style" });
    await expect.poll(() => service.output(version, "runner.get", {})).toMatchObject({ style: { tone: "kind" } });
  });

  test("[T4] gives weights of features, and the margin from which on they can be followed", async () => {
    const { call } = await setUp(FEATURES);
    const pairs = Array.from({ length: 200 }, (_, index) => {
      const [one, other] = [index, index + 1000].map((place) => ({
        length: uniformAt("length", place) * 4 - 2,
        jokes: uniformAt("jokes", place) * 4 - 2,
      }));
      if (one === undefined || other === undefined) throw new Error("no pair");
      const margin = 1.5 * (one.length - other.length) - 0.5 * (one.jokes - other.jokes);
      const isFirst = uniformAt("choice", index) < 1 / (1 + Math.exp(-margin));
      return isFirst ? { preferred: one, other } : { preferred: other, other: one };
    });
    const result = await call({ pairs });
    if (!result.ok) throw new Error(result.error.message);
    const { estimates, held_out, threshold, loss } = result.output as unknown as {
      readonly estimates: Readonly<Record<string, { readonly value: number; readonly standard_error: number }>>;
      readonly held_out: number;
      readonly threshold: { readonly precision: number; readonly margin: number };
      readonly loss: { readonly log_loss: number };
    };
    const { length, jokes } = estimates;
    expect(Math.abs((length?.value ?? 0) - 1.5)).toBeLessThan(3 * (length?.standard_error ?? 0));
    expect(Math.abs((jokes?.value ?? 0) + 0.5)).toBeLessThan(3 * (jokes?.standard_error ?? 0));
    expect(held_out).toBeGreaterThan(30);
    expect(threshold.precision).toBeGreaterThanOrEqual(0.8);
    expect(loss.log_loss).toBeLessThan(Math.LN2);
  });

  test("[T4] fits rankings", async () => {
    const { call } = await setUp(ITEMS);
    const rankings = [
      ["wild", "kind", "dry"],
      ["kind", "wild", "dry"],
      ["dry", "wild", "kind"],
      ["wild", "dry", "kind"],
    ];
    expect(await call({ rankings })).toMatchObject({ ok: true, output: { comparisons: 4, values: { tone: "wild" } } });
  });

  test.each([
    ["nothing", ITEMS, { pairs: [] }, "BAD_REQUEST"],
    ["pairs and rankings at once", ITEMS, { pairs: PAIRS, rankings: [["dry", "kind"]] }, "BAD_REQUEST"],
    ["an item that is none", ITEMS, { pairs: wins("kind", "quiet", 1) }, "BAD_REQUEST"],
    ["an item against itself", ITEMS, { pairs: wins("kind", "kind", 1) }, "BAD_REQUEST"],
    ["a pair with one side", ITEMS, { pairs: [{ winner: "kind" }] }, "BAD_REQUEST"],
    ["pairs that all went the same way", ITEMS, { pairs: wins("kind", "dry", 9) }, "UNPROCESSABLE"],
    [
      "groups that never met",
      ITEMS,
      { pairs: [...wins("kind", "dry", 2), ...wins("loud", "wild", 2)] },
      "UNPROCESSABLE",
    ],
    ["features where items are compared", ITEMS, { pairs: [{ preferred: { a: 1 }, other: { a: 2 } }] }, "BAD_REQUEST"],
    ["items where features are", FEATURES, { pairs: wins("kind", "dry", 1) }, "BAD_REQUEST"],
    [
      "a feature too few",
      FEATURES,
      { pairs: [{ preferred: { length: 1 }, other: { length: 2, jokes: 1 } }] },
      "BAD_REQUEST",
    ],
    [
      "a feature too many",
      FEATURES,
      { pairs: [{ preferred: { length: 1, jokes: 1, rhymes: 1 }, other: { length: 2, jokes: 1 } }] },
      "BAD_REQUEST",
    ],
    [
      "a feature that is no number",
      FEATURES,
      { pairs: [{ preferred: { length: "long", jokes: 1 }, other: { length: 2, jokes: 1 } }] },
      "BAD_REQUEST",
    ],
  ])("refuses %s, and records nothing", async (_, style, input, name) => {
    const { service, version, call } = await setUp(style);
    expect(await call(input)).toMatchObject({ ok: false, error: { name } });
    const ledger = await service.ledgers.open("local", version, "style");
    expect((await ledger?.read())?.seq).toBe(-1);
  });
});
