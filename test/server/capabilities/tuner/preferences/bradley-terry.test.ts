import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { againstReference, toWorths } from "../../../../../server/capabilities/tuner/preferences/abilities.ts";
import {
  type BradleyTerryFit,
  fitBradleyTerry,
  type PairTally,
} from "../../../../../server/capabilities/tuner/preferences/bradley-terry.ts";
import { readOracle } from "../../../../helpers/tuner-oracle.ts";
import { minorise } from "./minorise.ts";

interface Baseball {
  readonly players: readonly string[];
  readonly pairs: readonly (readonly [number, number, number, number])[];
  readonly ability: readonly number[];
  readonly ability_se: readonly number[];
  readonly coef: readonly number[];
  readonly se: readonly number[];
  readonly vcov: readonly (readonly number[])[];
  readonly ml_theta_centered: readonly number[];
  readonly worth_sum1: readonly number[];
  readonly loglik_bernoulli: number;
  readonly l2_map_lambda1_centered: readonly number[];
  readonly "l2_map_lambda0.01": readonly number[];
  readonly cov_centered_invhessian: readonly (readonly number[])[];
  readonly se_centered_invhessian: readonly number[];
  readonly se_centered_sandwich: readonly number[];
}

interface Choix {
  readonly notebook: {
    readonly n: number;
    readonly data: readonly (readonly [number, number])[];
    readonly mm_pairwise: readonly number[];
  };
}

const [plain, home] = readOracle("bradley-terry") as readonly [Baseball, Baseball];
const choix = readOracle("choix") as Choix;
const options = { l2: 0, ties: "half", order: false } as const;

const talliesOf = ({ players, pairs }: Baseball): PairTally[] =>
  pairs.map(([first, second, firstWins, secondWins]) => ({
    first: players[first] ?? "",
    second: players[second] ?? "",
    firstWins,
    secondWins,
    ties: 0,
  }));

const named = (count: number) => Array.from({ length: count }, (_, item) => `item ${item}`);
const win = (first: string, second: string, firstWins = 1, secondWins = 0, ties = 0): PairTally => ({
  first,
  second,
  firstWins,
  secondWins,
  ties,
});
const abilitiesOf = (fit: BradleyTerryFit) => fit.estimates.slice(0, fit.items.length).map(({ value }) => value);

function expectClose(found: readonly number[], expected: readonly number[], digits = 10): void {
  expect(found).toHaveLength(expected.length);
  for (const [at, value] of expected.entries()) expect(found[at]).toBeCloseTo(value, digits);
}

describe("the Bradley-Terry fit of Agresti's baseball season", () => {
  const fit = fitBradleyTerry(plain.players, talliesOf(plain), options);

  test("has R's coefficients, standard errors and covariance against Baltimore", () => {
    const { values, standardErrors, covariance } = againstReference(fit, "Baltimore");
    expectClose(values, plain.ability);
    expectClose(standardErrors, plain.ability_se);
    for (const [row, expected] of plain.vcov.entries()) expectClose(covariance[row + 1]?.slice(1) ?? [], expected);
  });

  test("has the centred abilities, worths, covariance and likelihood", () => {
    expectClose(abilitiesOf(fit), plain.ml_theta_centered);
    expectClose(toWorths(fit), plain.worth_sum1);
    expect(fit.logLikelihood).toBeCloseTo(plain.loglik_bernoulli, 9);
    for (const [row, expected] of plain.cov_centered_invhessian.entries())
      expectClose(fit.covariance[row] ?? [], expected);
    expectClose(
      fit.estimates.map(({ standardError }) => standardError),
      plain.se_centered_invhessian,
    );
    expectClose(
      fit.estimates.map(({ robustStandardError }) => robustStandardError),
      plain.se_centered_sandwich,
    );
  });

  test("has the penalised abilities", () => {
    for (const [l2, expected] of [
      [1, plain.l2_map_lambda1_centered] as const,
      [0.01, plain["l2_map_lambda0.01"]] as const,
    ]) {
      expectClose(abilitiesOf(fitBradleyTerry(plain.players, talliesOf(plain), { ...options, l2 })), expected);
    }
  });

  test("has R's effect of playing at home", () => {
    const found = fitBradleyTerry(home.players, talliesOf(home), { ...options, order: true });
    const { values, standardErrors, covariance } = againstReference(found, "Baltimore");
    expectClose(values.slice(1), home.coef);
    expectClose(standardErrors.slice(1), home.se);
    for (const [row, expected] of home.vcov.entries()) expectClose(covariance[row + 1]?.slice(1) ?? [], expected);
    expect(found.order?.value).toBeCloseTo(home.coef.at(-1) ?? 0, 10);
    expect(found.order?.standardError).toBeCloseTo(home.se.at(-1) ?? 0, 10);
  });
});

test("choix's notebook has its abilities", () => {
  const tallies = choix.notebook.data.map(([winner, loser]) => win(`item ${winner}`, `item ${loser}`));
  expectClose(abilitiesOf(fitBradleyTerry(named(choix.notebook.n), tallies, options)), choix.notebook.mm_pairwise, 9);
  const cycle = [win("a", "b", 2), win("b", "c"), win("c", "a")];
  expectClose(abilitiesOf(fitBradleyTerry(["a", "b", "c"], cycle, options)), [0.419617624, -0.419617624, 0], 8);
});

describe("Davidson's ties", () => {
  const tallies = [win("a", "b", 6, 2, 3), win("b", "c", 5, 4, 1), win("a", "c", 7, 1, 2)];

  test("of two items have a closed form", () => {
    const fit = fitBradleyTerry(["a", "b"], [win("a", "b", 8, 2, 4)], { ...options, ties: "davidson" });
    expectClose(abilitiesOf(fit), [Math.log(2), -Math.log(2)]);
    expect(fit.logNu?.value).toBeCloseTo(0, 10); // nu = ties / sqrt(wins * losses)
  });

  test("are as many as expected, and so are wins: the score equations hold", () => {
    const fit = fitBradleyTerry(["a", "b", "c"], tallies, { ...options, ties: "davidson" });
    const [a = 0, b = 0, c = 0] = abilitiesOf(fit);
    const nu = Math.exp(fit.logNu?.value ?? 0);
    const shares = (x: number, y: number) => {
      const parts = [Math.exp(x), Math.exp(y), nu * Math.exp((x + y) / 2)];
      const total = parts.reduce((sum, part) => sum + part, 0);
      return parts.map((part) => part / total) as [number, number, number];
    };
    const [ab, bc, ac] = [shares(a, b), shares(b, c), shares(a, c)];
    expect(11 * ab[2] + 10 * bc[2] + 10 * ac[2]).toBeCloseTo(6, 9);
    expect(11 * (ab[0] + ab[2] / 2) + 10 * (ac[0] + ac[2] / 2)).toBeCloseTo(6 + 1.5 + 7 + 1, 9);
  });

  test("are needed, and so is what is none", () => {
    const davidson = { ...options, ties: "davidson" } as const;
    expect(() => fitBradleyTerry(["a", "b"], [win("a", "b", 1, 1)], davidson)).toThrow(
      "There are 0 ties and 2 other outcomes",
    );
    expect(() => fitBradleyTerry(["a", "b"], [win("a", "b", 0, 0, 3)], davidson)).toThrow("3 ties and 0 other");
    expect(() => fitBradleyTerry(["a", "b"], [win("a", "b", 3, 0, 3)], davidson)).toThrow(
      "without a maximum that is finite",
    );
  });
});

const count = fc.integer({ min: 1, max: 9 });
/** A cycle in which everybody loses and wins, so that abilities exist. */
const cycles = fc
  .array(fc.tuple(count, count, fc.integer({ min: 0, max: 4 })), { minLength: 3, maxLength: 6 })
  .map((all) =>
    all.map(([wins, losses, ties], at) => win(`item ${at}`, `item ${(at + 1) % all.length}`, wins, losses, ties)),
  );

describe("laws of the fit", () => {
  test("minorisation-maximisation comes to the same abilities", () => {
    fc.assert(
      fc.property(cycles, (tallies) => {
        const items = named(tallies.length);
        const wins = tallies.flatMap(({ first, second, firstWins, secondWins, ties }) => [
          { winner: items.indexOf(first), losers: [items.indexOf(second)], count: firstWins + ties / 2 },
          { winner: items.indexOf(second), losers: [items.indexOf(first)], count: secondWins + ties / 2 },
        ]);
        expectClose(abilitiesOf(fitBradleyTerry(items, tallies, options)), minorise(items.length, wins), 7);
      }),
      { numRuns: 30 },
    );
  });

  test("the mean is 0, whatever the order of the items, and only differences count", () => {
    fc.assert(
      fc.property(cycles, fc.constantFrom("half" as const, "davidson" as const), (tallies, ties) => {
        fc.pre(ties === "half" || tallies.some((tally) => tally.ties > 0));
        const items = named(tallies.length);
        const fit = fitBradleyTerry(items, tallies, { ...options, ties });
        expect(abilitiesOf(fit).reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 9);
        const turned = fitBradleyTerry([...items].reverse(), [...tallies].reverse(), { ...options, ties });
        expectClose(abilitiesOf(turned).reverse(), abilitiesOf(fit), 8);
        for (const reference of items) {
          const { values } = againstReference(fit, reference);
          expect((values[0] ?? 0) - (values[1] ?? 0)).toBeCloseTo(
            (abilitiesOf(fit)[0] ?? 0) - (abilitiesOf(fit)[1] ?? 0),
            9,
          );
        }
      }),
      { numRuns: 30 },
    );
  });

  test("the same comparisons k times leave the abilities and divide the variance by k", () => {
    fc.assert(
      fc.property(cycles, fc.integer({ min: 2, max: 50 }), (tallies, times) => {
        const items = named(tallies.length);
        const more = tallies.map((tally) => ({
          ...tally,
          firstWins: tally.firstWins * times,
          secondWins: tally.secondWins * times,
          ties: tally.ties * times,
        }));
        const [once, often] = [fitBradleyTerry(items, tallies, options), fitBradleyTerry(items, more, options)];
        expectClose(abilitiesOf(often), abilitiesOf(once), 8);
        for (const [at, { standardError }] of once.estimates.entries()) {
          expect((often.estimates[at]?.standardError ?? 0) * Math.sqrt(times)).toBeCloseTo(standardError, 8);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("a prior draws the abilities together and makes them surer", () => {
    fc.assert(
      fc.property(cycles, (tallies) => {
        const items = named(tallies.length);
        const squares = (l2: number) =>
          abilitiesOf(fitBradleyTerry(items, tallies, { ...options, l2 })).reduce(
            (sum, value) => sum + value * value,
            0,
          );
        expect(squares(1)).toBeLessThanOrEqual(squares(0.1) + 1e-9);
        const [loose, tight] = [0.1, 1].map((l2) => fitBradleyTerry(items, tallies, { ...options, l2 }));
        expect(tight?.estimates[0]?.standardError).toBeLessThan(loose?.estimates[0]?.standardError ?? 0);
      }),
      { numRuns: 30 },
    );
  });
});

test("a prior of two items' abilities has the error of its closed form", () => {
  const fit = fitBradleyTerry(["a", "b"], [win("a", "b", 3, 3)], { ...options, l2: 2 });
  // The information of 6 even comparisons is 6/4 on the difference, so 3 along (1, -1) / sqrt(2), where l2 adds 2.
  expect(fit.estimates[0]?.standardError).toBeCloseTo(Math.sqrt(1 / 2 / (3 + 2)), 12);
});

test("with the two of each pair swapped, the effect of being first changes its sign and nothing else changes", () => {
  const tallies = [win("a", "b", 6, 2, 3), win("b", "c", 5, 4, 1), win("c", "a", 3, 7, 2)];
  const swapped = tallies.map(({ first, second, firstWins, secondWins, ties }) =>
    win(second, first, secondWins, firstWins, ties),
  );
  const davidson = { ...options, ties: "davidson", order: true } as const;
  const [one, other] = [tallies, swapped].map((all) => fitBradleyTerry(["a", "b", "c"], all, davidson));
  expectClose(
    other?.estimates.slice(0, 3).map(({ value }) => value) ?? [],
    one?.estimates.slice(0, 3).map(({ value }) => value) ?? [0],
  );
  expect(other?.order?.value).toBeCloseTo(-(one?.order?.value ?? 0), 10);
  expect(other?.logNu?.value).toBeCloseTo(one?.logNu?.value ?? Number.NaN, 10);
});

test.each([1e3, 1e6, 1e9])("%d wins for each loss are taken", (wins) => {
  const fit = fitBradleyTerry(["a", "b", "c"], [win("a", "b", wins, 1), win("b", "c", wins, 1)], options);
  expectClose(abilitiesOf(fit), [Math.log(wins), 0, -Math.log(wins)], 6);
});

describe("comparisons that tell nothing finite", () => {
  test("are refused, with the groups that nothing ties together", () => {
    const act = () =>
      fitBradleyTerry(["a", "b", "c", "d"], [win("a", "b", 1, 1), win("c", "d", 1, 1), win("a", "c", 3)], options);
    expect(act).toThrow("{`a`, `b`}, {`c`, `d`}");
    expect(act).toThrow(
      expect.objectContaining({
        details: {
          components: [
            ["a", "b"],
            ["c", "d"],
          ],
        },
      }),
    );
  });

  test("are taken with a prior", () => {
    const fit = fitBradleyTerry(["a", "b", "c"], [win("a", "b", 3)], { ...options, l2: 1 });
    const [a = 0, b = 0, c = 1] = abilitiesOf(fit);
    expect(a).toBeGreaterThan(0);
    expect(b).toBeCloseTo(-a, 10);
    expect(c).toBeCloseTo(0, 10);
  });

  test.each([
    ["an unknown item", ["a", "b"], [win("a", "x")], "`x` is compared but is none of the items."],
    ["an item against itself", ["a", "b"], [win("a", "a")], "`a` is compared with itself"],
    ["a single item", ["a"], [], "at least two items"],
    ["an item twice", ["a", "a"], [], "`a` is listed twice"],
    ["a count of NaN", ["a", "b"], [win("a", "b", Number.NaN)], "has counts `NaN`, `0` and `0`"],
    ["no comparisons", ["a", "b"], [], "{`a`}, {`b`}"],
  ])("%s", (_what, items, tallies, message) => {
    expect(() => fitBradleyTerry(items, tallies, options)).toThrow(message);
  });

  test("a negative prior and an unknown reference", () => {
    expect(() => fitBradleyTerry(["a", "b"], [win("a", "b", 1, 1)], { ...options, l2: -1 })).toThrow("`l2` is `-1`");
    expect(() => againstReference(fitBradleyTerry(["a", "b"], [win("a", "b", 1, 1)], options), "x")).toThrow(
      "The reference `x`",
    );
  });
});
